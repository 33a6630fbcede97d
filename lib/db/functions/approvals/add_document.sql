-- Attaches a document to a transfer (`transferId`) whose proposal waits. MISSING | OTHERS (`keyId`, if given, did not
-- request it) |
-- NOT_WAITING (never proposed, decided, expired) | as write_document. p_now: business time.
-- The caller holds the key FOR KEY SHARE or the membership FOR SHARE. Locks the proposal FOR UPDATE, as a decision does:
-- a document is there before what is approved is read, or comes too late.
create or replace function add_document(p_organization_id uuid, p_document jsonb, p_sealed_key bytea, p_pieces bytea[],
  p_now timestamptz, out outcome text, out id uuid)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_transfer_id uuid := (p_document ->> 'transferId')::uuid;
  v_key_id uuid := (p_document ->> 'keyId')::uuid;
  v_transfer transfers;
  v_proposal proposals;
begin
  -- Who requested it never changes, so it can be read before anything is locked.
  select * into v_transfer from transfers t where t.organization_id = p_organization_id and t.id = v_transfer_id;
  if not found then
    outcome := 'MISSING';
    return;
  end if;
  if v_key_id is not null
    and (v_transfer.proposed_by_kind, v_transfer.proposed_by_id) is distinct from ('API_KEY', v_key_id) then
    outcome := 'OTHERS';
    return;
  end if;
  select * into v_proposal from proposals p
    where p.organization_id = p_organization_id and p.id = v_transfer_id for update;
  if not found or v_proposal.state <> 'WAITING' or v_proposal.expires_at <= p_now then
    outcome := 'NOT_WAITING';
    return;
  end if;
  select w.outcome, w.id into outcome, id
    from write_document(p_organization_id, p_document, p_sealed_key, p_pieces, p_now) w;
end $$;

grant execute on function add_document to :"app_role";
