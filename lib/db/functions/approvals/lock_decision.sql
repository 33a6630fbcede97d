-- Locks what a decision of a proposal depends on and says what was found: a revocation of the key, a change of role or a
-- rival decision either committed before and is seen here, or waits for this decision. Nothing is locked while an
-- approval meets closed gates. A waiting line of a batch is IN_BATCH. p_now: business time.
-- Locks the key FOR KEY SHARE, the membership FOR SHARE, to approve that of every decider, whose signatures count only with
-- the role, the proposal FOR UPDATE; to approve a transfer that waits, then
-- its ledgers (lock_ledgers), the outgoing cap (lock_outgoing), then its payee (lock_payees). Those of a run follow in lock_waiting_run, which needs its rule's accounts.
create or replace function lock_decision(p_organization_id uuid, p_proposal_id uuid, p_user_id uuid, p_approves boolean,
  p_now timestamptz)
returns table (are_gates_open boolean, role text, kind text, state text, expires_at timestamptz,
  key_has_ended boolean, decided_at timestamptz, decided_by_name text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_proposal proposals;
begin
  are_gates_open := not p_approves or gates_are_open(p_organization_id);
  if not are_gates_open then
    return next;
    return;
  end if;
  select coalesce(k.ends_at <= p_now, false) into key_has_ended from api_keys k
    where k.organization_id = p_organization_id and k.id = (
      select p.api_key_id from proposals p where p.organization_id = p_organization_id and p.id = p_proposal_id)
    for key share;
  if p_approves then
    perform 1 from memberships m
      where m.organization_id = p_organization_id and m.role in ('OWNER', 'CO_OWNER')
      order by m.user_id for share;
  end if;
  select m.role into role from memberships m
    where m.organization_id = p_organization_id and m.user_id = p_user_id
    for share;
  select p.* into v_proposal from proposals p
    where p.organization_id = p_organization_id and p.id = p_proposal_id
    for update;
  kind := v_proposal.kind;
  -- Only with the others (lock_batch).
  state := case when v_proposal.batch_id is not null and v_proposal.state = 'WAITING' then 'IN_BATCH'
    else v_proposal.state end;
  expires_at := v_proposal.expires_at;
  decided_at := v_proposal.decided_at;
  key_has_ended := coalesce(key_has_ended, false);
  select u.name into decided_by_name from users u where u.id = v_proposal.decided_by;
  if p_approves and state = 'WAITING' and kind = 'TRANSFER' then
    perform lock_ledgers(p_organization_id, array[t.source_account_id, t.destination_account_id]) from transfers t
      where t.organization_id = p_organization_id and t.id = p_proposal_id;
    perform lock_outgoing(array[p_organization_id]) from transfers t
      where t.organization_id = p_organization_id and t.id = p_proposal_id and t.direction = 'MONEY_OUT';
    perform lock_payees(p_organization_id, array[t.destination_account_id]) from transfers t
      where t.organization_id = p_organization_id and t.id = p_proposal_id;
  end if;
  return next;
end $$;

grant execute on function lock_decision to :"app_role";
