-- Takes back a batch for the key that requested it, while it waits. CANCELED | ALREADY (the key did so before) | MISSING |
-- OTHERS (requested by someone else) | APPROVED | DENIED | EXPIRED | REVOKED. p_now: business time.
-- The caller holds the key FOR KEY SHARE. Locks the lines' proposals FOR UPDATE in id order, then what deny_transfers locks.
create or replace function withdraw_batch(p_organization_id uuid, p_id uuid, p_key_id uuid, p_now timestamptz)
returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_batch transfer_batches;
  v_state text;
begin
  -- Who requested it never changes, so it can be read before anything is locked.
  select * into v_batch from transfer_batches b where b.organization_id = p_organization_id and b.id = p_id;
  if not found then return 'MISSING'; end if;
  if v_batch.api_key_id is distinct from p_key_id then return 'OTHERS'; end if;
  perform 1 from proposals p where p.organization_id = p_organization_id and p.batch_id = p_id order by p.id for update;
  select p.state into v_state from proposals p where p.organization_id = p_organization_id and p.batch_id = p_id
    order by p.state = 'WAITING', p.state <> 'APPROVED', p.batch_line limit 1;
  if v_state = 'WITHDRAWN' then return 'ALREADY'; end if;
  if v_state <> 'WAITING' then return v_state; end if;
  if v_batch.expires_at <= p_now then return 'EXPIRED'; end if;
  update proposals p set state = 'WITHDRAWN', decided_at = p_now, remind_at = null
    where p.organization_id = p_organization_id and p.batch_id = p_id;
  insert into notices (organization_id, id, kind, proposal_id, created_at, due_at)
    select p_organization_id, new_id(p_now), 'APPROVAL_DECIDED', p.id, p_now, p_now from proposals p
      where p.organization_id = p_organization_id and p.batch_id = p_id and p.batch_line = 1;
  perform deny_transfers(p_organization_id, array(
    select p.id from proposals p where p.organization_id = p_organization_id and p.batch_id = p_id), p_now);
  return 'CANCELED';
end $$;

grant execute on function withdraw_batch to :"app_role";
