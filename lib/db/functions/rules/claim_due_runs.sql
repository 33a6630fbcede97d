-- Claims due runs, at most p_limit, oldest first. stopped_because: why a run must end without moving money
-- (GATES_CLOSED | DEACTIVATED | PAUSED | MONEY_CAME_BACK); null: it may run, and stays allowed until the commit.
-- capped_key_id: the key with a daily cap that the run is charged to, or null. p_now: real time.
-- Locks the runs FOR UPDATE SKIP LOCKED, then their rules FOR KEY SHARE in id order; tries the gates' shared lock.
create or replace function claim_due_runs(p_now timestamptz, p_limit integer)
returns table (
  organization_id uuid, id uuid, rule_id uuid, rule_version integer, rule_name text, base jsonb, chain_depth integer,
  attempts integer, attempt_log jsonb, business_now timestamptz, time_zone text, stopped_because text, capped_key_id uuid
)
language sql security definer set search_path = public, pg_temp as $$
  with due as materialized (
    select e.* from rule_executions e
      where e.due_at is not null and e.due_at <= p_now + (
        select o.clock_offset_ms * interval '1 millisecond' from organizations o where o.id = e.organization_id)
        and e.due_at <= (select latest_business_time(p_now))
      order by e.due_at, e.id limit p_limit
      for update skip locked),
  -- In id order, as pause_rules_after_return locks them.
  locked as materialized (
    select r.organization_id, r.id, r.name, r.active_version, r.paused_at from rules r
      where (r.organization_id, r.id) in (select due.organization_id, due.rule_id from due)
      order by r.organization_id, r.id
      for key share)
  select e.organization_id, e.id, e.rule_id, e.rule_version, r.name, e.base, e.chain_depth::integer, e.attempts,
      e.attempt_log, p_now + o.clock_offset_ms * interval '1 millisecond', o.time_zone,
      case when not gates_are_open(e.organization_id) then 'GATES_CLOSED'
        when r.active_version is null then 'DEACTIVATED'
        when r.paused_at is not null then 'PAUSED'
        when e.cause_kind = 'TRANSFER' and (select t.status from transfers t
            where t.organization_id = e.organization_id and t.id = e.cause_id::uuid) = 'RETURNED' then 'MONEY_CAME_BACK'
      end,
      case when e.charged_key_id is not null then (
        select k.id from api_keys k where k.organization_id = e.organization_id and k.id = e.charged_key_id
          and k.daily_cap_in_cents is not null) end
    from due e
    join locked r on r.organization_id = e.organization_id and r.id = e.rule_id
    join organizations o on o.id = e.organization_id
   order by e.due_at, e.id
$$;

grant execute on function claim_due_runs to :"app_role";
