-- Accounts, and the double-entry books behind the managed ones (decisions page, "Books").
--
-- An entry is one row that debits one ledger and credits another, so an unbalanced booking has no way to be written.
-- Balances follow from entries by trigger, in the same statement. The application's role may read the books and call
-- the functions of these migrations; it may write none of these tables itself.

create table accounts (
  organization_id          uuid not null references organizations (id),
  id                       uuid not null,
  type                     text not null check (type in ('POD', 'INCOME_SOURCE', 'EXTERNAL_ACCOUNT')),
  name                     text not null check (length(name) between 1 and 60),
  description              text check (length(description) <= 200),
  external_account_type    text check (external_account_type in ('DEPOSITORY', 'INVESTMENT', 'LIABILITY')),
  beneficiary_id           uuid,
  institution_name         text,
  routing_number_last4     text check (routing_number_last4 ~ '^[0-9]{4}$'),
  account_number_last4     text check (account_number_last4 ~ '^[0-9]{4}$'),
  -- What its owner wants to keep in it; only a human may go below.
  floor_in_cents           bigint check (floor_in_cents >= 0),
  savings_target_in_cents  bigint check (savings_target_in_cents > 0),
  linked_account_id        uuid,
  created_at               timestamptz not null,
  updated_at               timestamptz not null,
  deleted_at               timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, beneficiary_id) references beneficiaries (organization_id, id),
  foreign key (organization_id, linked_account_id) references accounts (organization_id, id),
  check ((type = 'EXTERNAL_ACCOUNT') = (external_account_type is not null)),
  check (savings_target_in_cents is null or type = 'POD'),
  check (floor_in_cents is null or type <> 'EXTERNAL_ACCOUNT'),
  check (linked_account_id is null or type = 'POD')
);

-- What the provider last said of an account outside; not our books.
create table provider_balances (
  organization_id                 uuid not null,
  account_id                      uuid not null,
  balance_in_cents                bigint,
  available_balance_in_cents      bigint,
  last_statement_balance_in_cents bigint,
  last_statement_date             date,
  next_payment_minimum_in_cents   bigint,
  next_payment_due_date           date,
  interest_rate_percentage        numeric(7, 4),
  original_loan_amount_in_cents   bigint,
  refreshed_at                    timestamptz,
  error                           text,
  primary key (organization_id, account_id),
  foreign key (organization_id, account_id) references accounts (organization_id, id),
  check (error is null or balance_in_cents is null)
);

-- Credits minus debits is the balance. A managed account's ledger has the account's id.
create table ledgers (
  organization_id           uuid not null references organizations (id),
  id                        uuid not null,
  kind                      text not null check (kind in ('MANAGED', 'CLEARING')),
  credits_in_cents          bigint not null default 0 check (credits_in_cents >= 0),
  debits_in_cents           bigint not null default 0 check (debits_in_cents >= 0),
  held_in_cents             bigint not null default 0 check (held_in_cents >= 0),
  -- How far a bank's return has pushed it below zero; nothing of ours can.
  return_shortfall_in_cents bigint not null default 0 check (return_shortfall_in_cents >= 0),
  primary key (organization_id, id),
  constraint never_negative_by_us
    check (kind = 'CLEARING' or credits_in_cents - debits_in_cents - held_in_cents >= -return_shortfall_in_cents)
) with (fillfactor = 70); -- the busiest rows of the product: room for in-page updates

create table entries (
  organization_id        uuid not null,
  id                     uuid not null,
  transfer_id            uuid not null,
  kind                   text not null check (kind in ('TRANSFER', 'RETURN')),
  debit_ledger_id        uuid not null,
  credit_ledger_id       uuid not null,
  amount_in_cents        bigint not null check (amount_in_cents > 0),
  -- The part of the debited ledger's hold that this entry uses up.
  releases_hold_in_cents bigint not null default 0,
  booked_at              timestamptz not null,
  primary key (organization_id, id),
  -- A transfer is booked once and returned once, whatever retries.
  constraint booked_once unique (organization_id, transfer_id, kind),
  foreign key (organization_id, debit_ledger_id) references ledgers (organization_id, id),
  foreign key (organization_id, credit_ledger_id) references ledgers (organization_id, id),
  check (debit_ledger_id <> credit_ledger_id),
  check (releases_hold_in_cents between 0 and amount_in_cents)
);
create index entries_by_debit on entries (organization_id, debit_ledger_id, id desc);
create index entries_by_credit on entries (organization_id, credit_ledger_id, id desc);

-- After, not before, the insert: a row that `on conflict do nothing` skips must not move a balance.
create function apply_entry() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Both rows in id order, or two opposite bookings would wait for each other.
  perform 1 from ledgers
    where organization_id = new.organization_id and id in (new.debit_ledger_id, new.credit_ledger_id)
    order by id for update;

  update ledgers set
      debits_in_cents = debits_in_cents + new.amount_in_cents,
      held_in_cents = held_in_cents - new.releases_hold_in_cents,
      return_shortfall_in_cents = case
        when new.kind = 'RETURN' and kind = 'MANAGED' then greatest(
          return_shortfall_in_cents,
          new.amount_in_cents - (credits_in_cents - debits_in_cents - held_in_cents))
        else return_shortfall_in_cents end
    where organization_id = new.organization_id and id = new.debit_ledger_id;

  update ledgers set
      credits_in_cents = credits_in_cents + new.amount_in_cents,
      -- Money that comes in first fills what a return left open.
      return_shortfall_in_cents = greatest(0, least(
        return_shortfall_in_cents,
        -(credits_in_cents + new.amount_in_cents - debits_in_cents - held_in_cents)))
    where organization_id = new.organization_id and id = new.credit_ledger_id;
  return null;
end $$;
create trigger entries_move_balances after insert on entries for each row execute function apply_entry();

-- Refuses also to the role that owns the table, so that no migration or console session rewrites history by mistake.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;
create trigger entries_append_only before update or delete or truncate on entries
  for each statement execute function refuse_change();

grant select, insert on accounts to :"app_role";
grant update (name, description, floor_in_cents, savings_target_in_cents, linked_account_id, updated_at, deleted_at)
  on accounts to :"app_role";
grant select, insert, update on provider_balances to :"app_role";
grant select on ledgers, entries to :"app_role";
-- A new ledger starts at zero: the amounts are not among the columns that may be given.
grant insert (organization_id, id, kind) on ledgers to :"app_role";
