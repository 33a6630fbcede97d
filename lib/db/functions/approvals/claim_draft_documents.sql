-- Makes the documents of a member's draft those of the transfer that it became.
-- The caller holds the draft (lock_draft_documents). Locks the documents.
create or replace function claim_draft_documents(p_organization_id uuid, p_draft_id uuid, p_transfer_id uuid,
  p_user_id uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  update transfer_documents d set transfer_id = p_transfer_id, draft_id = null, expires_at = null
   where d.organization_id = p_organization_id and d.draft_id = p_draft_id and d.added_by_kind = 'MEMBER'
     and d.added_by_id = p_user_id;
$$;

grant execute on function claim_draft_documents to :"app_role";
