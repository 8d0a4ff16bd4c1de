create table leads (
  id varchar(40) primary key,
  normalized_email varchar(254) not null,
  captured_at timestamp with time zone default current_timestamp not null,
  constraint unique_lead_email unique (normalized_email)
);

create table payments (
  id varchar(64) primary key,
  status varchar(20) not null,
  changed_at timestamp with time zone not null
);

create table accounts (
  id varchar(40) primary key,
  order_number varchar(40) not null unique,
  order_id varchar(64) not null,
  payment_id varchar(64) not null unique,
  email varchar(254) not null,
  plan varchar(40) not null,
  opened_at timestamp with time zone default current_timestamp not null,
  closed_at timestamp with time zone
);

create table invoices (
  id varchar(40) primary key,
  checkout_event_id varchar(260) not null,
  account_id varchar(40) not null references accounts,
  amount_cents bigint not null,
  issued_at timestamp with time zone default current_timestamp not null,
  constraint unique_checkout_event_id unique (checkout_event_id)
);
