-- Ends the waiting runs of a rule whose version no longer runs: all of them, or those of another version than p_version.
-- Nobody decided, so nobody is named; write_rule_event records who changed the rule, at p_now.
-- Locks their proposals FOR NO KEY UPDATE in id order, then the runs (deny_transfers). The caller holds the rule, and
-- the proposals that it found before it locked the rule.
create or replace function end_waiting_runs(p_organization_id uuid, p_rule_id uuid, p_version integer, p_now timestamptz)
returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_ids uuid[];
begin
  -- Proposals past their expiry are left to expire_proposals, which records them as EXPIRED.
  select coalesce(array_agg(waiting.id), '{}') into v_ids from (
    select p.id from proposals p
      join rule_executions e on e.organization_id = p.organization_id and e.id = p.id
      where p.organization_id = p_organization_id and p.state = 'WAITING' and p.kind = 'RULE_RUN'
        and p.expires_at > p_now and e.rule_id = p_rule_id and (p_version is null or e.rule_version <> p_version)
      order by p.id for no key update of p) waiting;
  update proposals p set state = 'RULE_CHANGED', decided_at = p_now, remind_at = null
    where p.organization_id = p_organization_id and p.id = any (v_ids);
  perform deny_transfers(p_organization_id, v_ids, p_now);
end $$;
