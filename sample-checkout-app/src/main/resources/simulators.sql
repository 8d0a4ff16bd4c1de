create table if not exists charges (
  id varchar(40) primary key,
  idempotency_key varchar(255) unique,
  order_id varchar(64) not null,
  amount_cents bigint not null,
  requests int default 1 not null,
  at timestamp with time zone default current_timestamp not null
);

create table if not exists invoices (
  id varchar(40) primary key,
  idempotency_key varchar(255) unique,
  order_id varchar(64) not null,
  amount_cents bigint not null,
  requests int default 1 not null,
  at timestamp with time zone default current_timestamp not null
);

create table if not exists mails (
  id varchar(40) primary key,
  order_id varchar(64) not null,
  reference varchar(40) not null,
  recipient varchar(254) not null,
  subject varchar(100) not null,
  at timestamp with time zone default current_timestamp not null
);

create table if not exists deliveries (
  event_id varchar(40) not null,
  type varchar(64) not null,
  order_id varchar(64) not null,
  attempt int not null,
  answer varchar(20) not null,
  at timestamp with time zone default current_timestamp not null
);
