-- Connected accounts that are registered at a bank which requires it: orders name its reference.
create table registered_accounts (
  organization_id      uuid not null,
  account_id           uuid not null,
  registration_id      uuid not null,
  holder_name          text not null check (length(holder_name) between 1 and 100),
  holder_kind          text not null check (holder_kind in ('BUSINESS', 'INDIVIDUAL')),
  account_kind         text not null check (account_kind in ('CHECKING', 'SAVINGS')),
  routing_number_last4 text not null check (routing_number_last4 ~ '^[0-9]{4}$'),
  account_number_last4 text not null check (account_number_last4 ~ '^[0-9]{4}$'),
  begun_by             uuid not null,
  begun_at             timestamptz not null,
  bank_reference       text check (length(bank_reference) between 1 and 200),
  registered_by        uuid,
  registered_at        timestamptz,
  cools_off_until      timestamptz,
  primary key (organization_id, account_id),
  foreign key (organization_id, account_id) references accounts (organization_id, id),
  foreign key (begun_by) references users (id),
  foreign key (registered_by) references users (id),
  constraint registered_accounts_check check ((bank_reference is null) = (registered_by is null)
    and (bank_reference is null) = (registered_at is null) and (bank_reference is null) = (cools_off_until is null))
);
comment on table registered_accounts is 'Accounts of the organization itself; those of others are payees. The numbers are only at the bank.';
comment on column registered_accounts.registration_id is
  'The idempotency key at the bank; the same for another attempt with the same holder and numbers.';
comment on column registered_accounts.bank_reference is 'Null: an attempt whose outcome is unknown. No order names the account then.';
comment on column registered_accounts.registered_at is 'Business time, like the end of its cool-off.';
grant select on registered_accounts to :"app_role";

-- while serving: notices are deleted with their messages after 90 days; the check reads the rest in milliseconds
do $$
declare
  v_check text;
begin
  -- Adds to the present list instead of repeating it: branches that add kinds too can be merged in any order.
  select pg_get_constraintdef(oid) into strict v_check from pg_constraint
    where conrelid = 'notices'::regclass and conname = 'notices_kind_check';
  alter table notices drop constraint notices_kind_check;
  execute 'alter table notices add constraint notices_kind_check '
    || replace(v_check, 'ARRAY[', 'ARRAY[''ACCOUNT_REGISTERED''::text, ');
  -- Members made a few thousand of these rows at most.
  select pg_get_constraintdef(oid) into strict v_check from pg_constraint
    where conrelid = 'organization_changes'::regclass and conname = 'organization_changes_kind_check';
  alter table organization_changes drop constraint organization_changes_kind_check;
  execute 'alter table organization_changes add constraint organization_changes_kind_check '
    || replace(v_check, 'ARRAY[', 'ARRAY[''ACCOUNT_REGISTERED''::text, ');
end $$;
