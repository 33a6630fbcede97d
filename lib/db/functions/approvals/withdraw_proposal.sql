-- What became of a waiting proposal whose requester takes it back: WITHDRAWN now, with its transfer or run and a notice
-- to the deciders who were asked, or its state; EXPIRED also before that is recorded; null: nothing was proposed. Raises for a line of
-- a batch that waits.
-- p_now: business time.
-- Locks the proposal FOR UPDATE, then what deny_transfers locks. The caller holds the key FOR KEY SHARE.
create or replace function withdraw_proposal(p_organization_id uuid, p_id uuid, p_now timestamptz)
returns table (state text, is_new boolean)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_proposal proposals;
begin
  is_new := false;
  select * into v_proposal from proposals p where p.organization_id = p_organization_id and p.id = p_id for update;
  state := v_proposal.state;
  if state = 'WAITING' then
    if v_proposal.expires_at <= p_now then
      state := 'EXPIRED';
    elsif v_proposal.batch_id is not null then
      raise exception 'a line of a batch is withdrawn with the others'; -- withdraw_batch
    else
      state := 'WITHDRAWN';
      is_new := true;
      update proposals p set state = 'WITHDRAWN', decided_at = p_now, remind_at = null
        where p.organization_id = p_organization_id and p.id = p_id;
      insert into notices (organization_id, id, kind, proposal_id, api_key_id, created_at, due_at)
        values (p_organization_id, new_id(p_now), 'APPROVAL_DECIDED', p_id, v_proposal.api_key_id, p_now, p_now);
      perform deny_transfers(p_organization_id, array[p_id], p_now);
    end if;
  end if;
  return next;
end $$;
