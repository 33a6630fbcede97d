-- The sandbox card network plays another company, as the sandbox bank does (0010): no foreign key leads from or to the
-- product's tables, and it writes in transactions of its own. What it will tell is written down when a merchant calls,
-- with the business time `due_at` at which it becomes visible, so that moving the clock moves the network with it.

create table sandbox_cards (
  organization_id uuid        not null,
  card_id         uuid        not null,
  number_last4    text        not null check (number_last4 ~ '^[0-9]{4}$'),
  issued_at       timestamptz not null,
  primary key (organization_id, card_id)
);

create table sandbox_card_purchases (
  organization_id uuid        not null,
  -- Of the authorization; the notices of this purchase name it.
  reference       text        not null,
  card_id         uuid        not null,
  amount_in_cents bigint      not null check (amount_in_cents > 0),
  merchant        text        not null,
  category        text,
  requested_at    timestamptz not null,
  -- Null while, or because, no answer has come.
  is_approved     boolean,
  decline_reason  text,
  primary key (organization_id, reference)
);

create table sandbox_card_notices (
  organization_id         uuid        not null,
  notice_reference        uuid        not null,
  kind                    text        not null check (kind in ('SETTLED', 'RELEASED', 'REFUND', 'PAYOUT')),
  card_id                 uuid        not null,
  authorization_reference text,
  amount_in_cents         bigint      not null check (amount_in_cents > 0),
  merchant                text        not null,
  category                text,
  is_final                boolean     not null default true,
  due_at                  timestamptz not null,
  -- Deliveries still owed. A duplicate starts at 2: acknowledging it once leaves it to be delivered once more.
  deliveries_left         smallint    not null default 1 check (deliveries_left between 0 and 2),
  acknowledged_at         timestamptz,
  primary key (organization_id, notice_reference),
  check (authorization_reference is not null or kind in ('REFUND', 'PAYOUT'))
);
-- The notices of one organization in the order in which they fall due.
create index sandbox_card_notices_undelivered on sandbox_card_notices (organization_id, due_at, notice_reference)
  where deliveries_left > 0;
-- Due work over all organizations whose clock runs with real time.
create index sandbox_card_notices_due on sandbox_card_notices (due_at, organization_id) where deliveries_left > 0;
-- What a purchase still owes, to replace it by what its answer brings.
create index sandbox_card_notices_of_purchase on sandbox_card_notices (organization_id, authorization_reference)
  where deliveries_left > 0;

grant select, insert on sandbox_cards, sandbox_card_purchases, sandbox_card_notices to :"app_role";
grant update (is_approved, decline_reason) on sandbox_card_purchases to :"app_role";
grant update (deliveries_left, acknowledged_at) on sandbox_card_notices to :"app_role";
