-- Deletes the documents of drafts that nobody confirmed in time. p_now: real time.
-- Locks the documents, passing over those in use.
create or replace function forget_draft_documents(p_now timestamptz, p_limit integer) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from transfer_documents d where (d.organization_id, d.id) in (
    select e.organization_id, e.id from transfer_documents e where e.expires_at <= p_now
     order by e.expires_at limit p_limit for update skip locked);
$$;

grant execute on function forget_draft_documents to :"app_role";
