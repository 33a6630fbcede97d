-- Lists are read down the index of their account, rule or card, whatever the statistics say.
--
-- Where one account has nearly all rows, the planner takes it for granted that any account has: it then walks the whole
-- organization's index in the order of the list and filters, which for an account with few rows, or none, ends at the
-- table's other end. Without statistics of the column it assumes that a value is one of two hundred, and the account's
-- own index is always the cheapest.

alter table transfers
  alter column organization_id set statistics 0,
  alter column source_account_id set statistics 0,
  alter column destination_account_id set statistics 0;
alter table external_transactions
  alter column organization_id set statistics 0,
  alter column account_id set statistics 0;
alter table card_transactions
  alter column organization_id set statistics 0,
  alter column account_id set statistics 0,
  alter column card_id set statistics 0;
alter table rule_executions
  alter column organization_id set statistics 0,
  alter column rule_id set statistics 0;
