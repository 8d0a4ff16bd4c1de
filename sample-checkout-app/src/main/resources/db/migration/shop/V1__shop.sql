create table leads (
  id varchar(40) primary key,
  normalized_email varchar(254) not null,
  captured_at timestamp with time zone default current_timestamp not null,
  constraint unique_lead_email unique (normalized_email)
);

create table charges (
  id varchar(40) primary key,
  order_id varchar(64) not null,
  amount_cents bigint not null,
  charged_at timestamp with time zone default current_timestamp not null
);

create table accounts (
  id varchar(40) primary key,
  order_id varchar(64) not null,
  email varchar(254) not null,
  plan varchar(40) not null,
  opened_at timestamp with time zone default current_timestamp not null
);

create table invoices (
  id varchar(40) primary key,
  checkout_event_id varchar(260) not null,
  account_id varchar(40) not null references accounts,
  amount_cents bigint not null,
  issued_at timestamp with time zone default current_timestamp not null,
  constraint unique_checkout_event_id unique (checkout_event_id)
);

create table emails (
  id varchar(40) primary key,
  account_id varchar(40) not null references accounts,
  recipient varchar(254) not null,
  sent_at timestamp with time zone default current_timestamp not null
);

create table checkouts (
  id varchar(40) primary key,
  order_id varchar(64) not null,
  lead_id varchar(40) not null references leads,
  charge_id varchar(40) not null references charges,
  account_id varchar(40) not null references accounts,
  email_id varchar(40) not null references emails,
  created_at timestamp with time zone default current_timestamp not null
);
