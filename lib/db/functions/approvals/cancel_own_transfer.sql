-- Takes back a transfer for the key that requested it: its waiting proposal, or the accepted transfer while it is neither
-- booked nor leased for the bank. CANCELED | ALREADY (the key did so before) | MISSING | OTHERS (requested by someone
-- else) | DENIED | EXPIRED | REVOKED | ASK and AWAIT (the bank has it) | its final status. p_now: business time.
-- A waiting line of a batch takes the whole batch back.
-- The caller holds the key FOR KEY SHARE. Locks the lines of the batch (withdraw_batch) or the proposal (withdraw_proposal), then the transfer FOR UPDATE, then its
-- source's ledger (end_unmoved).
create or replace function cancel_own_transfer(p_organization_id uuid, p_id uuid, p_key_id uuid, p_now timestamptz)
returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_transfer transfers;
  v_proposal record;
  v_batch_id uuid;
begin
  -- Who requested it never changes, so it can be read before anything is locked.
  select * into v_transfer from transfers t where t.organization_id = p_organization_id and t.id = p_id;
  if not found then return 'MISSING'; end if;
  if v_transfer.proposed_by_kind <> 'API_KEY' or v_transfer.proposed_by_id is distinct from p_key_id then
    return 'OTHERS';
  end if;
  -- Before the line alone is locked: its batch is locked in order.
  select p.batch_id into v_batch_id from proposals p
    where p.organization_id = p_organization_id and p.id = p_id and p.state = 'WAITING';
  if v_batch_id is not null and withdraw_batch(p_organization_id, v_batch_id, p_now) then return 'CANCELED'; end if;
  select * into v_proposal from withdraw_proposal(p_organization_id, p_id, p_now);
  if v_proposal.is_new then return 'CANCELED'; end if;
  if v_proposal.state = 'WITHDRAWN' then return 'ALREADY'; end if;
  if v_proposal.state <> 'APPROVED' then return v_proposal.state; end if;

  -- Waits for a booking or a lease of it.
  select * into v_transfer from transfers t where t.organization_id = p_organization_id and t.id = p_id for update;
  if v_transfer.withdrawn_at is not null then return 'ALREADY'; end if;
  if v_transfer.next_step is null or v_transfer.next_step not in ('BOOK', 'SUBMIT') then
    return coalesce(v_transfer.next_step, v_transfer.status);
  end if;
  perform end_unmoved(v_transfer, 'CANCELLED', null, p_now);
  update transfers t set withdrawn_at = p_now where t.organization_id = p_organization_id and t.id = p_id;
  return 'CANCELED';
end $$;

grant execute on function cancel_own_transfer to :"app_role";
