-- Keeps tables append-only: every update, delete and truncate raises restrict_violation. The owner of the table is
-- refused as well, so that no migration or console session rewrites history by mistake. Locks nothing.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;

create or replace trigger entries_append_only before update or delete or truncate on entries
  for each statement execute function refuse_change();
-- refuse_unarchived_removal judges deletes.
create or replace trigger audit_entries_append_only before update or truncate on audit_entries
  for each statement execute function refuse_change();
create or replace trigger audit_seals_append_only before update or delete or truncate on audit_seals
  for each statement execute function refuse_change();
create or replace trigger audit_archives_append_only before update or delete or truncate on audit_archives
  for each statement execute function refuse_change();
create or replace trigger rule_versions_append_only before update or delete or truncate on rule_versions
  for each statement execute function refuse_change();
create or replace trigger bank_lines_append_only before update or delete or truncate on bank_lines
  for each statement execute function refuse_change();
create or replace trigger bank_line_changes_append_only before update or delete or truncate on bank_line_changes
  for each statement execute function refuse_change();
create or replace trigger bank_line_causes_append_only before update or delete or truncate on bank_line_causes
  for each statement execute function refuse_change();
create or replace trigger bank_matches_append_only before update or delete or truncate on bank_matches
  for each statement execute function refuse_change();
create or replace trigger bank_difference_events_append_only before update or delete or truncate on bank_difference_events
  for each statement execute function refuse_change();
create or replace trigger reconciliation_days_append_only before update or delete or truncate on reconciliation_days
  for each statement execute function refuse_change();
create or replace trigger fraud_reviews_append_only before update or delete or truncate on fraud_reviews
  for each statement execute function refuse_change();
