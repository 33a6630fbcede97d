-- Owners and co-owners are notified when a bank corrects the numbers of an outside account.
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
    || replace(v_check, 'ARRAY[', 'ARRAY[''ACCOUNT_CORRECTED''::text, ');
end $$;
