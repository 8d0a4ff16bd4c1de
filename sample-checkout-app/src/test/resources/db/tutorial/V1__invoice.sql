-- snippet:invoice
create table invoice (
  order_id varchar(64) not null,
  amount_cents bigint not null,
  constraint one_invoice_for_an_order unique (order_id)
);
-- end:invoice
