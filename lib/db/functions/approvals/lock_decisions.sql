-- Locks what approving several proposals one after the other depends on, in the order of lib/db/LOCKS.md, before the first
-- of them is decided: the locks of each decision (lock_decision, lock_waiting_run) are then held already, so that deciding
-- them in any order cannot deadlock. For rehearsals, which are rolled back; real decisions have a transaction each.
-- Locks the keys FOR KEY SHARE, the memberships of every decider and the user FOR SHARE, the proposals FOR UPDATE, the runs' rules FOR KEY SHARE, the runs FOR
-- UPDATE, their limits, all ledgers, outgoing cap and outside balances (lock_facts), then the payees (lock_payees).
-- p_account_ids: every account that the proposals name.
create or replace function lock_decisions(p_organization_id uuid, p_user_id uuid, p_proposal_ids uuid[],
  p_account_ids uuid[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_rule_ids uuid[];
begin
  perform 1 from api_keys k
    where k.organization_id = p_organization_id and k.id in (
      select p.api_key_id from proposals p where p.organization_id = p_organization_id and p.id = any (p_proposal_ids))
    order by k.id for key share;
  perform 1 from memberships m
    where m.organization_id = p_organization_id and (m.role in ('OWNER', 'CO_OWNER') or m.user_id = p_user_id)
    order by m.user_id for share;
  perform 1 from proposals p where p.organization_id = p_organization_id and p.id = any (p_proposal_ids)
    order by p.id for update;
  -- A run's rule never changes, so it can be read before the run is locked.
  select coalesce(array_agg(distinct e.rule_id), '{}') into v_rule_ids from rule_executions e
    where e.organization_id = p_organization_id and e.id = any (p_proposal_ids);
  perform 1 from rules r where r.organization_id = p_organization_id and r.id = any (v_rule_ids) order by r.id for key share;
  perform 1 from rule_executions e where e.organization_id = p_organization_id and e.id = any (p_proposal_ids)
    order by e.id for update;
  perform 1 from lock_facts(v_rule_ids, array_fill(p_organization_id, array[cardinality(p_account_ids)]), p_account_ids);
  perform lock_payees(p_organization_id, p_account_ids);
end $$;

grant execute on function lock_decisions to :"app_role";
