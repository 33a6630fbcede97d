-- The accounts at Increase that Sluice opened. A key of another group, or of a sandbox that was reset, knows none of them:
-- without these, it would open others and call what is on its way unknown.
create table increase_accounts (
  organization_id uuid not null,
  -- The organization itself: the account that it shares. Else a pod with an account of its own.
  holder_id       uuid not null,
  bank_account    text not null check (length(bank_account) >= 1 and length(bank_account) <= 200),
  kept_at         timestamptz not null,
  primary key (organization_id, holder_id),
  unique (bank_account)
);

grant select, insert on increase_accounts to :"app_role";

-- What a bank said of an order, beside its codes.
create table bank_remarks (
  organization_id   uuid not null,
  transfer_id       uuid not null,
  -- Why it refused or returned it, in its own words. Untrusted.
  words             text check (length(words) >= 1 and length(words) <= 300),
  -- A person had to approve it at the bank, too.
  is_approved_there boolean not null default false,
  remarked_at       timestamptz not null,
  primary key (organization_id, transfer_id),
  foreign key (organization_id, transfer_id) references transfers (organization_id, id)
);
grant select, insert, update on bank_remarks to :"app_role";

alter table own_bank_accounts add column stuck_since timestamptz;
comment on column own_bank_accounts.stuck_since is
  'Real time: since when the bank refused, or left unanswered, what must be moved; null: nothing is stuck.';

alter table accounts add column number_problem text check (length(number_problem) <= 400);
comment on column accounts.number_problem is 'Why the bank has given no number yet, in words for members.';
