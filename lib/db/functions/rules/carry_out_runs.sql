-- Writes what a batch of claimed runs came to: transfers, entries, holds, results, and the rules that they fire. Raises
-- if a run is not a due live run that needs no approval, if a source would end below its floor, or if a run would
-- exceed its key's daily cap. p_runs: see run-result.ts.
-- Takes no new locks: the caller holds runs and rules (claim_due_runs), uses of keys (lock_caps), and limits, ledgers and
-- outside balances (lock_facts).
-- Settings: as in create_transfers.
create or replace function carry_out_runs(p_runs jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  v_fault text;
  v_transfers run_transfer[];
  v_run jsonb;
  v_charged record;
  -- Where the runs are, in their order.
  v_ctids tid[];
begin
  -- No caller can move money for a run that waits for a person or has run already. Row by row through its key, and
  -- updated where it is: a join might read all runs.
  v_ctids := array(
    select (select e.ctid from rule_executions e
        where e.organization_id = (r ->> 'organizationId')::uuid and e.id = (r ->> 'id')::uuid
          and e.rule_id = (r ->> 'ruleId')::uuid and e.status = 'IN_PROGRESS' and e.due_at is not null
          and e.execution_mode = 'LIVE' and not e.approval_required)
      from jsonb_array_elements(p_runs) with ordinality as runs (r, place) order by place);
  if array_position(v_ctids, null) is not null then
    raise exception 'run % is not to be carried out', p_runs -> array_position(v_ctids, null) - 1 ->> 'id';
  end if;
  for v_charged in
    select e.organization_id, e.charged_key_id, (run.r ->> 'now')::timestamptz as now,
        sum((t ->> 'amountInCents')::bigint)::bigint as in_cents
      from rule_executions e
      cross join lateral (select p_runs -> array_position(v_ctids, e.ctid) - 1 as r) run
      cross join lateral jsonb_array_elements(run.r -> 'transfers') t
      where e.ctid = any (v_ctids) and t ->> 'errorCode' is null and exists (select from api_keys k
        where k.organization_id = e.organization_id and k.id = e.charged_key_id and k.daily_cap_in_cents is not null)
      group by 1, 2, 3 order by 1, 2, 3
  loop
    perform charge_key(v_charged.organization_id, v_charged.charged_key_id, v_charged.in_cents, v_charged.now);
  end loop;

  select array_agg(row((r ->> 'organizationId')::uuid, (r ->> 'id')::uuid, (r ->> 'ruleId')::uuid, r ->> 'ruleName',
        (r ->> 'chainDepth')::smallint + 1, (r ->> 'now')::timestamptz, (t ->> 'id')::uuid, (t ->> 'entryId')::uuid,
        t ->> 'direction', (t ->> 'sourceAccountId')::uuid, (t ->> 'destinationAccountId')::uuid,
        (t ->> 'amountInCents')::bigint, t ->> 'description', t ->> 'limitId', t ->> 'errorCode',
        (t ->> 'expectedCompletionDate')::date)::run_transfer order by run_order, transfer_order)
    into v_transfers
    from jsonb_array_elements(p_runs) with ordinality as runs (r, run_order)
    cross join lateral jsonb_array_elements(r -> 'transfers') with ordinality as planned (t, transfer_order);

  insert into transfers (organization_id, id, status, execution_mode, direction, origin, amount_in_cents, description,
      source_account_id, destination_account_id, rule_id, rule_execution_id, rule_limit_id, chain_depth,
      proposed_by_kind, proposed_by_id, proposed_by_name, error_code, error_message, created_at, updated_at,
      accepted_at, completed_at, expected_completion_date, hold_in_cents, next_step, due_at)
    select organization_id, id,
        case when error_code is not null then 'FAILED' when direction = 'INTERNAL' then 'COMPLETE' else 'PROCESSING' end,
        'LIVE', direction, 'RULE', amount_in_cents, description, source_account_id, destination_account_id, rule_id,
        execution_id, limit_id, chain_depth, 'RULE', rule_id, rule_name, error_code,
        case when error_code is not null then failure_message(error_code) end, now, now,
        case when error_code is null then now end,
        case when error_code is not null or direction = 'INTERNAL' then now end, expected_completion_date,
        case when error_code is null and direction = 'MONEY_OUT' then amount_in_cents else 0 end,
        case when error_code is null and direction <> 'INTERNAL' then 'SUBMIT' end,
        case when error_code is null and direction <> 'INTERNAL' then now end
      from unnest(v_transfers);

  perform post_entries(array_agg(row(organization_id, entry_id, id, null, 'TRANSFER', source_account_id,
      destination_account_id, amount_in_cents, 0, now)::posting))
    from unnest(v_transfers) where error_code is null and direction = 'INTERNAL' having count(*) > 0;

  -- After the entries: a run may send over ACH what an earlier run of this batch brought in.
  update ledgers l set held_in_cents = l.held_in_cents + s.in_cents
    from (select organization_id, source_account_id, sum(amount_in_cents)::bigint as in_cents from unnest(v_transfers)
      where error_code is null and direction = 'MONEY_OUT' group by 1, 2) s
    where l.organization_id = s.organization_id and l.id = s.source_account_id;

  -- No person approves these runs, so no plan may take a source below its floor.
  select a.id::text into v_fault from accounts a
    join ledgers l on l.organization_id = a.organization_id and l.id = a.id
    where (a.organization_id, a.id) in
        (select organization_id, source_account_id from unnest(v_transfers) where error_code is null)
      and l.credits_in_cents - l.debits_in_cents - l.held_in_cents < coalesce(a.floor_in_cents, 0)
    limit 1;
  if v_fault is not null then
    raise exception 'a run would take account % below its floor', v_fault using errcode = 'check_violation';
  end if;

  update rule_executions e set
      (status, approval_required, step_index_matched, conditions_not_met, transfers_attempted, error_message, facts, plan,
        attempts, attempt_log, due_at, next_attempt_at, planned_at, ended_at) = (
        select r ->> 'status',
            -- A held run moves nothing without a person's decision.
            e.approval_required or r ->> 'outcome' = 'HELD',
            (r ->> 'stepIndexMatched')::integer, (r ->> 'conditionsNotMet')::boolean,
            (r ->> 'transfersAttempted')::integer, r ->> 'errorMessage', nullif(r -> 'facts', 'null'),
            nullif(r -> 'plan', 'null'), (r ->> 'attempts')::integer, r -> 'attemptLog',
            (r ->> 'dueAt')::timestamptz, (r ->> 'dueAt')::timestamptz,
            case when r ->> 'outcome' = 'PLANNED' then (r ->> 'now')::timestamptz end,
            case when r ->> 'status' not in ('IN_PROGRESS', 'APPROVAL_PENDING') then (r ->> 'now')::timestamptz end
          from (select p_runs -> array_position(v_ctids, e.ctid) - 1 as r) run)
    where e.ctid = any (v_ctids);
  for v_run in select r from jsonb_array_elements(p_runs) r where r ->> 'outcome' = 'HELD' loop
    perform hold_run(v_run);
  end loop;

  perform fire_rules(array_agg(row(t.organization_id, t.destination_account_id, 'TRANSFER', t.id, t.amount_in_cents,
      t.chain_depth, t.now)::arrival order by t.ordinality))
    from unnest(v_transfers) with ordinality as t where t.error_code is null and t.direction = 'INTERNAL'
      having count(*) > 0;
end $$;

grant execute on function carry_out_runs to :"app_role";
