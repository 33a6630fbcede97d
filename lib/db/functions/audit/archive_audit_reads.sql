-- Records that the successful reads of a stretch of an organization's chain are in a file, and removes them. Returns
-- false, without a change, when the stretch does not follow the last one: another worker was first.
-- p_archive: a row of audit_archives. p_entry_ids: what is in the file.
-- The trigger on audit_entries refuses to remove anything else, so a caller with wrong ids removes nothing.
-- Two workers that record the same stretch at once meet in the primary key; the second waits, then fails and retries.
create or replace function archive_audit_reads(p_archive jsonb, p_entry_ids uuid[]) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_archive audit_archives := jsonb_populate_record(null::audit_archives, p_archive);
  v_removed integer;
begin
  if v_archive.first_sequence <> 1 + coalesce((select a.last_sequence from audit_archives a
      where a.organization_id = v_archive.organization_id order by a.first_sequence desc limit 1), 0) then
    return false;
  end if;
  insert into audit_archives select v_archive.*;
  delete from audit_entries e
    where e.organization_id = v_archive.organization_id and e.id = any (p_entry_ids);
  get diagnostics v_removed = row_count;
  if v_removed <> v_archive.entry_count then
    raise exception 'the archive has % entries, the log % of them', v_archive.entry_count, v_removed;
  end if;
  return true;
end $$;

grant execute on function archive_audit_reads to :"app_role";
