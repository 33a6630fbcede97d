-- Locks what the decision of a batch depends on and says what was found, as lock_decision does for one proposal; state:
-- WAITING only if every line waits, else what became of it. line_ids: in the order of the lines. p_approved: the
-- transfers to accept; empty for a denial. p_now: business time.
-- Locks the key FOR KEY SHARE, the membership FOR SHARE, to approve that of every decider, whose signatures count only with
-- the role, the lines' proposals FOR UPDATE in id order; then of what will be
-- accepted the ledgers (lock_ledgers), the outgoing cap (lock_outgoing), outside sources' balances FOR UPDATE, and the
-- payees (lock_payees).
create or replace function lock_batch(p_organization_id uuid, p_batch_id uuid, p_user_id uuid, p_approved uuid[],
  p_now timestamptz)
returns table (are_gates_open boolean, role text, state text, expires_at timestamptz, key_has_ended boolean,
  decided_at timestamptz, decided_by_name text, line_ids uuid[])
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_batch transfer_batches;
  v_decided_by uuid;
begin
  are_gates_open := cardinality(p_approved) = 0 or gates_are_open(p_organization_id);
  if not are_gates_open then
    return next;
    return;
  end if;
  select b.* into v_batch from transfer_batches b where b.organization_id = p_organization_id and b.id = p_batch_id;
  select coalesce(k.ends_at <= p_now, false) into key_has_ended from api_keys k
    where k.organization_id = p_organization_id and k.id = v_batch.api_key_id
    for key share;
  key_has_ended := coalesce(key_has_ended, false);
  if cardinality(p_approved) > 0 then
    perform 1 from memberships m
      where m.organization_id = p_organization_id and m.role in ('OWNER', 'CO_OWNER')
      order by m.user_id for share;
  end if;
  select m.role into role from memberships m
    where m.organization_id = p_organization_id and m.user_id = p_user_id
    for share;
  perform 1 from proposals p where p.organization_id = p_organization_id and p.batch_id = p_batch_id
    order by p.id for update;
  expires_at := v_batch.expires_at;
  select array_agg(p.id order by p.batch_line) into line_ids from proposals p
    where p.organization_id = p_organization_id and p.batch_id = p_batch_id;
  -- After a decision, what was accepted; the worker that expires them may have reached some before others.
  select p.state, p.decided_at, p.decided_by into state, decided_at, v_decided_by from proposals p
    where p.organization_id = p_organization_id and p.batch_id = p_batch_id
    order by p.state = 'WAITING', p.state <> 'APPROVED', p.batch_line limit 1;
  select u.name into decided_by_name from users u where u.id = v_decided_by;
  if state = 'WAITING' and cardinality(p_approved) > 0 then
    perform lock_ledgers(p_organization_id, array(
      select unnest(array[t.source_account_id, t.destination_account_id]) from transfers t
        where t.organization_id = p_organization_id and t.id = any (p_approved) and t.id = any (line_ids)));
    if exists (select from transfers t where t.organization_id = p_organization_id and t.id = any (p_approved)
        and t.direction = 'MONEY_OUT') then
      perform lock_outgoing(array[p_organization_id]);
    end if;
    perform 1 from provider_balances b where b.organization_id = p_organization_id and b.account_id in (
        select t.source_account_id from transfers t
          where t.organization_id = p_organization_id and t.id = any (p_approved) and t.id = any (line_ids)
            and t.direction = 'MONEY_IN')
      order by b.account_id for update;
    perform lock_payees(p_organization_id, array(
      select t.destination_account_id from transfers t
        where t.organization_id = p_organization_id and t.id = any (p_approved) and t.id = any (line_ids)));
  end if;
  return next;
end $$;

grant execute on function lock_batch to :"app_role";
