-- Takes back a document of the member's own draft. False: there is none, or the money was moved with it.
-- Locks the draft (advisory), then deletes.
create or replace function remove_draft_document(p_organization_id uuid, p_draft_id uuid, p_id uuid, p_user_id uuid)
returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform lock_draft_documents(p_organization_id, p_draft_id);
  delete from transfer_documents d
    where d.organization_id = p_organization_id and d.id = p_id and d.draft_id = p_draft_id
      and d.added_by_kind = 'MEMBER' and d.added_by_id = p_user_id;
  return found;
end $$;

grant execute on function remove_draft_document to :"app_role";
