-- Changed guards are announced; what an import added is announced at once.
-- while serving: notices are deleted with their messages after 90 days; the check reads the rest in milliseconds
do $$
declare
  v_check text;
begin
  select pg_get_constraintdef(oid) into strict v_check from pg_constraint
    where conrelid = 'notices'::regclass and conname = 'notices_kind_check';
  alter table notices drop constraint notices_kind_check;
  execute 'alter table notices add constraint notices_kind_check '
    || replace(v_check, 'ARRAY[', 'ARRAY[''GUARD_CHANGED''::text, ''PAYEES_IMPORTED''::text, ');
end $$;

alter table payee_events add column import_id uuid;
comment on column payee_events.import_id is
'Of what the import of one file added, which is announced by one notice; null: not imported.';
