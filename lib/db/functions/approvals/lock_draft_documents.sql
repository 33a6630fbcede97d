-- Lets one change of a draft's documents in at a time, until the transaction ends: those of a draft that is being confirmed
-- stay as they were shown.
-- Locks the draft (advisory).
create or replace function lock_draft_documents(p_organization_id uuid, p_draft_id uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  select pg_advisory_xact_lock(hashtextextended(concat_ws('|', 'draft documents', p_organization_id, p_draft_id), 0));
$$;

grant execute on function lock_draft_documents to :"app_role";
