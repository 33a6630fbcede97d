-- Starts a run of every active rule that waits for money on these accounts, once per arrival and rule (fired_once). A
-- chain that reached maximum_chain_depth, a cause that reached maximum_runs_of_a_cause, and an arrival while the gates
-- are closed are recorded as failed runs. Money that a key set moving is charged to that key.
-- Locks the first run of each chain FOR NO KEY UPDATE in id order, so ledgers may be locked already; tries the gates'
-- shared lock. Rules are not locked: claim_due_runs checks them again before money moves.
create or replace function fire_rules(p_arrivals arrival[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Most money triggers nothing, and setting the statements below up takes longer than finding that out.
  if not exists (select from unnest(p_arrivals) a where exists (select from rules r
      where r.organization_id = a.organization_id and r.active_trigger_type = 'ON_FUNDS_TRANSFERRED'
        and r.active_trigger_account_id = a.account_id)) then
    return;
  end if;
  -- Runs of one chain that are carried out at once wait here for each other. Only transfers of a run have a chain.
  perform 1 from rule_executions e
    where (e.organization_id, e.id) in (
      select a.organization_id, chain_of(a.organization_id, a.cause_id) from unnest(p_arrivals) a
        join rules r on r.organization_id = a.organization_id and r.active_trigger_type = 'ON_FUNDS_TRANSFERRED'
          and r.active_trigger_account_id = a.account_id and r.paused_at is null and r.deleted_at is null
        where a.cause_kind = 'TRANSFER' and a.chain_depth > 0)
    order by e.organization_id, e.id for no key update;

  with set_off as (
    select a.organization_id, a.account_id, a.cause_kind, a.cause_id, a.amount_in_cents, a.chain_depth, a.now, a.ordinality,
        r.id as rule_id, r.active_version, chain.id as chain_id,
        case when chain.id is not null then chain.runs + row_number() over (
          partition by a.organization_id, chain.id order by a.ordinality, r.id) end as place
      from unnest(p_arrivals) with ordinality as a
      join rules r on r.organization_id = a.organization_id and r.active_trigger_type = 'ON_FUNDS_TRANSFERRED'
        and r.active_trigger_account_id = a.account_id and r.paused_at is null and r.deleted_at is null
        and a.amount_in_cents >= coalesce(r.active_minimum_in_cents, 0)
      left join lateral (
        -- The condition is in here, so that the chain of money without one is not looked for.
        select e.id, e.chain_runs as runs from rule_executions e
         where a.cause_kind = 'TRANSFER' and a.chain_depth > 0
           and e.organization_id = a.organization_id and e.id = chain_of(a.organization_id, a.cause_id)) chain on true),
  started as (
    insert into rule_executions (organization_id, id, rule_id, rule_version, status, execution_mode, trigger_details,
        created_at, cause_kind, cause_id, chain_depth, chain_id, started_by_kind, started_by_id, base, due_at, ended_at,
        error_message, charged_key_id)
      select s.organization_id, new_id(s.now), s.rule_id, s.active_version,
          case when ended_because is null then 'IN_PROGRESS' else 'FAILED' end, 'LIVE',
          jsonb_build_object('type', 'ON_FUNDS_TRANSFERRED', 'amountInCents', s.amount_in_cents), s.now, s.cause_kind,
          s.cause_id::text, s.chain_depth, s.chain_id, 'ARRIVAL', s.cause_id,
          jsonb_build_object('mode', 'LIVE', 'incomingAmountInCents', s.amount_in_cents),
          case when ended_because is null then s.now end, case when ended_because is not null then s.now end,
          ended_because, case when s.cause_kind = 'TRANSFER' then key_behind(s.organization_id, s.cause_id) end
        from set_off s
        -- The rule's organization: checked only if a rule waits for this money.
        cross join lateral (select case
          when s.chain_depth >= maximum_chain_depth()
            then 'Ten rules had set each other off before this one, and chains of rules end there. Nothing moved.'
          when s.place > maximum_runs_of_a_cause()
            then 'One cause had set off fifty runs before this one, and no more than that may follow from it. Nothing moved.'
          when not gates_are_open(s.organization_id)
            then 'All gates were closed when this money arrived. Nothing moved, and the run will not be repeated.'
            end as ended_because) fate
        order by s.ordinality, s.rule_id
      on conflict on constraint fired_once do nothing
      returning organization_id, chain_id, status)
  update rule_executions e set chain_runs = e.chain_runs + more.runs
    from (select organization_id, chain_id, count(*)::integer as runs from started
      where status = 'IN_PROGRESS' and chain_id is not null group by 1, 2) more
   where e.organization_id = more.organization_id and e.id = more.chain_id;
end $$;
