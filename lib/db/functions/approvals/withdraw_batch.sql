-- Takes back a batch whose requester withdraws it, with one notice to the deciders who were asked; false if it no longer
-- waits. p_now: business time.
-- The caller holds the key FOR KEY SHARE and has checked whose it is. Locks the lines' proposals FOR UPDATE in id order, then
-- what deny_transfers locks.
create or replace function withdraw_batch(p_organization_id uuid, p_id uuid, p_now timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform 1 from proposals p where p.organization_id = p_organization_id and p.batch_id = p_id order by p.id for update;
  if exists (select from proposals p where p.organization_id = p_organization_id and p.batch_id = p_id
      and (p.state <> 'WAITING' or p.expires_at <= p_now)) then
    return false;
  end if;
  update proposals p set state = 'WITHDRAWN', decided_at = p_now, remind_at = null
    where p.organization_id = p_organization_id and p.batch_id = p_id;
  insert into notices (organization_id, id, kind, proposal_id, api_key_id, created_at, due_at)
    select p_organization_id, new_id(p_now), 'APPROVAL_DECIDED', p.id, p.api_key_id, p_now, p_now from proposals p
      where p.organization_id = p_organization_id and p.batch_id = p_id and p.batch_line = 1;
  perform deny_transfers(p_organization_id, array(
    select p.id from proposals p where p.organization_id = p_organization_id and p.batch_id = p_id), p_now);
  return true;
end $$;
