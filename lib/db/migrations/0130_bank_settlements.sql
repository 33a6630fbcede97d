-- What the bank says of settled money: its rail, fee and finality, and pulls that are settled but not yet available.
create table bank_settlements (
  organization_id uuid not null,
  transfer_id     uuid not null,
  rail            text not null check (rail in ('ACH', 'WIRE', 'INSTANT', 'CHECK', 'BOOK')),
  fee_in_cents    bigint not null check (fee_in_cents >= 0),
  final_at        timestamptz,
  available_at    timestamptz,
  hold_in_cents   bigint not null default 0 check (hold_in_cents >= 0),
  primary key (organization_id, transfer_id),
  foreign key (organization_id, transfer_id) references transfers (organization_id, id),
  constraint holds_end check (hold_in_cents = 0 or available_at is not null)
);
comment on table bank_settlements is 'What the bank said of an order or deposit when it settled.';
comment on column bank_settlements.fee_in_cents is '0: none, or billed otherwise.';
comment on column bank_settlements.final_at is 'When it can no longer be returned as a matter of course; null: unknown.';
comment on column bank_settlements.hold_in_cents is 'Held on the destination until available_at (business time), since the bank may still take it back.';
create index bank_settlements_held on bank_settlements (available_at) where hold_in_cents > 0;
grant select on bank_settlements to :"app_role";

-- The numbers of an outside account that a bank corrected.
create table account_corrections (
  organization_id      uuid not null,
  reference            text not null,
  transfer_id          uuid not null,
  account_id           uuid not null,
  code                 text not null check (code ~ '^C[0-9]{2}$'),
  bank_reference       text check (length(bank_reference) <= 200),
  routing_number_last4 text not null check (routing_number_last4 ~ '^[0-9]{4}$'),
  account_number_last4 text not null check (account_number_last4 ~ '^[0-9]{4}$'),
  previous_routing_number_last4 text,
  previous_account_number_last4 text,
  occurred_at          timestamptz not null,
  received_at          timestamptz not null,
  primary key (organization_id, reference),
  foreign key (organization_id, transfer_id) references transfers (organization_id, id),
  foreign key (organization_id, account_id) references accounts (organization_id, id)
);
comment on table account_corrections is 'Notifications of change (NACHA): what the bank of an outside account corrected, each applied once.';
comment on column account_corrections.bank_reference is 'What orders name from then on; null: the bank needs none.';
create index account_corrections_by_account on account_corrections (organization_id, account_id, occurred_at desc);
grant select on account_corrections to :"app_role";

-- while serving: a sandbox's notices are few; the checks read them in milliseconds
alter table sandbox_bank_notices
  add column available_at timestamptz,
  add column corrected_account_number_last4 text check (corrected_account_number_last4 ~ '^[0-9]{4}$'),
  drop constraint sandbox_bank_notices_kind_check,
  drop constraint of_an_order_or_of_a_deposit,
  add constraint sandbox_bank_notices_kind_check
    check (kind in ('SETTLED', 'RETURNED', 'CORRECTED', 'DEPOSITED', 'DEPOSIT_RETURNED')),
  add constraint of_an_order_or_of_a_deposit check (
    (transfer_id is not null) = (kind in ('SETTLED', 'RETURNED', 'CORRECTED'))
    and (deposit_reference is not null) = (kind in ('DEPOSITED', 'DEPOSIT_RETURNED'))),
  add constraint of_a_correction check ((corrected_account_number_last4 is not null) = (kind = 'CORRECTED'));
