-- Keeps every entry of the audit log but those that may be in files: successful reads, sealed more than 400 days ago,
-- in a stretch of the chain that audit_archives records. A trigger, so that the owner of the table is refused as well.
-- Locks nothing.
create or replace function refuse_unarchived_removal() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (
    select from removed r
      where r.method <> 'GET' or r.outcome <> 'SUCCESS' or not exists (
        select from audit_seals s join audit_archives a on a.organization_id = s.organization_id
            and s.sequence between a.first_sequence and a.last_sequence and a.file_name is not null
          where s.organization_id = r.organization_id and s.entry_id = r.id
            and s.sealed_at < clock_timestamp() - interval '400 days')) then
    raise exception 'audit_entries is append only: DELETE refused' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

create or replace trigger audit_entries_removal after delete on audit_entries
  referencing old table as removed for each statement execute function refuse_unarchived_removal();
