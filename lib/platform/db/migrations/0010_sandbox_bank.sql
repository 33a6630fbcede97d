-- The sandbox bank plays another company: no foreign key leads from or to the product's tables, and it writes in
-- transactions of its own. It reads one thing of the product, the offset of an organization's business clock.
--
-- What the bank will do with an order is decided when it takes the order and written down at once: its notices are
-- rows with a business time `due_at` in the future. So no worker has to move the sandbox along, and moving an
-- organization's clock forward moves its bank with it.

create table sandbox_bank_orders (
  organization_id             uuid        not null,
  transfer_id                 uuid        not null,
  reference                   text        not null,
  direction                   text        not null check (direction in ('CREDIT', 'DEBIT')),
  amount_in_cents             bigint      not null check (amount_in_cents > 0),
  label                       text,
  outside_name                text        not null,
  outside_routing_number_last4 text,
  outside_account_number_last4 text,
  submitted_at                timestamptz not null,
  expected_settlement_at      timestamptz not null,
  refusal_code                text,
  refusal_message             text,
  primary key (organization_id, transfer_id),
  check ((refusal_code is null) = (refusal_message is null))
);

create table sandbox_bank_notices (
  organization_id  uuid        not null,
  notice_reference uuid        not null,
  transfer_id      uuid        not null,
  kind             text        not null check (kind in ('SETTLED', 'RETURNED')),
  code             text,
  due_at           timestamptz not null,
  -- Deliveries still owed. A duplicate starts at 2: acknowledging it once leaves it to be delivered once more.
  deliveries_left  smallint    not null default 1 check (deliveries_left between 0 and 2),
  acknowledged_at  timestamptz,
  primary key (organization_id, notice_reference),
  foreign key (organization_id, transfer_id) references sandbox_bank_orders (organization_id, transfer_id)
);

-- One order has at most one notice of each kind; find() reads its state from them.
create unique index sandbox_bank_notices_of_order on sandbox_bank_notices (organization_id, transfer_id, kind);
-- The notices of one organization in the order in which they fall due.
create index sandbox_bank_notices_undelivered on sandbox_bank_notices (organization_id, due_at, notice_reference)
  where deliveries_left > 0;
-- Due work over all organizations whose clock runs with real time.
create index sandbox_bank_notices_due on sandbox_bank_notices (due_at, organization_id)
  where deliveries_left > 0;
-- The few organizations whose clock was moved forward are asked one by one.
create index organizations_with_moved_clock on organizations (id) where clock_offset_ms > 0;

-- First submissions that the bank "lost" (amounts ending in .05): the second one of the same transfer gets through.
create table sandbox_bank_lost_submissions (
  organization_id uuid not null,
  transfer_id     uuid not null,
  primary key (organization_id, transfer_id)
);

grant select, insert on sandbox_bank_orders to :"app_role";
grant select, insert on sandbox_bank_lost_submissions to :"app_role";
grant select, insert, update (deliveries_left, acknowledged_at) on sandbox_bank_notices to :"app_role";
