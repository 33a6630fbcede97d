-- What the opening balance of an adopted account includes though the bank did not say readably when it was posted.
-- while serving: the default is a constant, so no row is rewritten
alter table adopted_bank_accounts add column opening_includes text[] not null default '{}'
  constraint few_opening_includes check (cardinality(opening_includes) <= 1000);
comment on column adopted_bank_accounts.opening_includes is
  'Ids of transactions at the bank of which nobody could read when they were posted: they are neither deposits nor lines of the statement.';
grant update (opening_includes) on adopted_bank_accounts to :"app_role";
