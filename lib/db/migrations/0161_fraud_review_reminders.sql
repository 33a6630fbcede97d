-- Owners of real money are reminded once when the yearly review of fraud monitoring is due.
alter table organizations
  add column fraud_review_look_at timestamptz,
  add column fraud_review_reminded_at timestamptz;
comment on column organizations.fraud_review_look_at is 'Business time at which it is next asked whether a review is due; null: never asked.';
comment on column organizations.fraud_review_reminded_at is 'Business time of the latest reminder; at most one for each time that a review is due.';

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
    || replace(v_check, 'ARRAY[', 'ARRAY[''FRAUD_REVIEW_DUE''::text, ');
end $$;
