-- Keeps a document for a member's move (`draftId`) until they confirm it, a day at most. As write_document. p_now:
-- business time, `expiresAt`: real time.
-- The caller holds the membership FOR SHARE. Locks the draft (advisory).
create or replace function add_draft_document(p_organization_id uuid, p_document jsonb, p_sealed_key bytea,
  p_pieces bytea[], p_now timestamptz, out outcome text, out id uuid)
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform lock_draft_documents(p_organization_id, (p_document ->> 'draftId')::uuid);
  select w.outcome, w.id into outcome, id
    from write_document(p_organization_id, p_document, p_sealed_key, p_pieces, p_now) w;
end $$;

grant execute on function add_draft_document to :"app_role";
