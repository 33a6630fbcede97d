-- Pods whose money is in an account of their own at the bank. The books lead: the bank's money follows them.
create table own_bank_accounts (
  organization_id  uuid not null,
  account_id       uuid not null,
  -- False: its money goes back to the organization's account.
  is_wanted        boolean not null,
  decided_by       uuid not null,
  decided_at       timestamptz not null,
  -- The bank has opened it.
  is_open          boolean not null default false,
  -- As the bank last said, with the moves since.
  at_bank_in_cents bigint not null default 0,
  asked_bank_at    timestamptz,
  -- A move that the bank may know: the id is its idempotency key there. Positive: into the pod's account.
  move_id          uuid,
  move_in_cents    bigint,
  -- Of the last move; null: it was carried out.
  refused_at       timestamptz,
  due_at           timestamptz not null,
  leased_until     timestamptz,
  primary key (organization_id, account_id),
  foreign key (organization_id, account_id) references accounts (organization_id, id),
  foreign key (decided_by) references users (id),
  constraint own_bank_accounts_move check ((move_id is null) = (move_in_cents is null) and move_in_cents <> 0)
);
comment on column own_bank_accounts.due_at is 'Real time, like leased_until and asked_bank_at.';
create index own_bank_accounts_due on own_bank_accounts (due_at);
grant select, insert, update on own_bank_accounts to :"app_role";

-- while serving: members made a few thousand of these rows at most
do $$
declare
  v_check text;
begin
  select pg_get_constraintdef(oid) into strict v_check from pg_constraint
    where conrelid = 'organization_changes'::regclass and conname = 'organization_changes_kind_check';
  alter table organization_changes drop constraint organization_changes_kind_check;
  execute 'alter table organization_changes add constraint organization_changes_kind_check '
    || replace(v_check, 'ARRAY[', 'ARRAY[''OWN_BANK_ACCOUNT''::text, ');
end $$;
