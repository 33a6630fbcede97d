-- Writes a document with its pieces, of a transfer (`transferId`) or of a draft (`draftId`, `expiresAt`), unless the same content is there
-- already or three others are. ADDED | SAME (attached already, under another id: answered in id) | TOO_MANY |
-- TOO_OFTEN (a hundred of one key or member within a day, since nothing is ever removed). p_now: business time.
-- Locks nothing: its callers let one writer of a transfer or a draft in at a time.
create or replace function write_document(p_organization_id uuid, p_document jsonb, p_sealed_key bytea,
  p_pieces bytea[], p_now timestamptz, out outcome text, out id uuid)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_transfer_id uuid := (p_document ->> 'transferId')::uuid;
  v_draft_id uuid := (p_document ->> 'draftId')::uuid;
  v_sha256 bytea := decode(p_document ->> 'sha256', 'hex');
  v_adder uuid := (p_document -> 'addedBy' ->> 'id')::uuid;
  v_count integer;
begin
  id := (p_document ->> 'id')::uuid;
  select count(*), coalesce((array_agg(d.id) filter (where d.sha256 = v_sha256))[1], write_document.id)
    into v_count, id
    from transfer_documents d
   where d.organization_id = p_organization_id
     and (d.transfer_id = v_transfer_id or v_transfer_id is null and d.draft_id = v_draft_id);
  if id <> (p_document ->> 'id')::uuid then
    outcome := 'SAME';
  elsif v_count >= 3 then
    outcome := 'TOO_MANY';
  elsif (select count(*) from transfer_documents d
    where d.organization_id = p_organization_id and d.added_by_id = v_adder
      and d.added_at > p_now - interval '1 day') >= 100 then
    outcome := 'TOO_OFTEN';
  else
    outcome := 'ADDED';
    insert into transfer_documents (organization_id, id, transfer_id, draft_id, expires_at, name, media_type, size_bytes,
        sha256, sealed_key, added_by_kind, added_by_id, added_by_name, added_at)
      values (p_organization_id, write_document.id, v_transfer_id, v_draft_id, (p_document ->> 'expiresAt')::timestamptz,
        p_document ->> 'name', p_document ->> 'mediaType', (p_document ->> 'sizeInBytes')::integer, v_sha256, p_sealed_key,
        p_document -> 'addedBy' ->> 'kind', v_adder, p_document -> 'addedBy' ->> 'name', p_now);
    insert into document_pieces (organization_id, document_id, place, content)
      select p_organization_id, write_document.id, ordinality - 1, piece
        from unnest(p_pieces) with ordinality as pieces (piece, ordinality);
  end if;
end $$;
