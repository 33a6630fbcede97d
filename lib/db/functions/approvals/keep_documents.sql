-- Keeps documents as they were added: what an approver saw is what stays. Only the encryption of a key is renewed, and a
-- draft's document becomes its transfer's or is forgotten. Locks nothing.
create or replace function keep_documents() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and tg_table_name = 'transfer_documents' then
    if (to_jsonb(new) - array['sealed_key', 'transfer_id', 'draft_id', 'expires_at'])
        = (to_jsonb(old) - array['sealed_key', 'transfer_id', 'draft_id', 'expires_at'])
      and (new.transfer_id is not distinct from old.transfer_id and new.draft_id is not distinct from old.draft_id
        and new.expires_at is not distinct from old.expires_at
        or old.transfer_id is null and new.draft_id is null) then
      return new;
    end if;
  elsif tg_op = 'DELETE' and tg_table_name = 'transfer_documents' then
    if old.transfer_id is null then return old; end if;
  elsif tg_op = 'DELETE' then
    -- The cascade of a draft's document comes after that row is gone.
    if not exists (select from transfer_documents d
      where d.organization_id = old.organization_id and d.id = old.document_id) then return old; end if;
  end if;
  raise exception '% is kept as it is: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;

create or replace trigger transfer_documents_kept before update or delete on transfer_documents
  for each row execute function keep_documents();
create or replace trigger transfer_documents_not_truncated before truncate on transfer_documents
  for each statement execute function keep_documents();
create or replace trigger document_pieces_kept before update or delete on document_pieces
  for each row execute function keep_documents();
create or replace trigger document_pieces_not_truncated before truncate on document_pieces
  for each statement execute function keep_documents();
