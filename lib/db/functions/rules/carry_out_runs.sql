-- Writes what a batch of claimed runs came to: transfers, entries, holds, results, and the rules that they fire. Raises
-- if a run is not a due live run that needs no approval, if a source would end below its floor, or if a run would
-- exceed its key's daily cap. p_runs: see run-result.ts.
-- Takes no new locks: the caller holds runs and rules (claim_due_runs), key days (lock_caps), and limits, ledgers and
-- outside balances (lock_facts).
create or replace function carry_out_runs(p_runs jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_fault text;
  v_transfers run_transfer[];
  v_run jsonb;
  v_execution rule_executions;
begin
  -- No caller can move money for a run that waits for a person or has run already. One run per statement, here and
  -- below, so that each is found by its key, however stale the statistics of this fast-growing table are.
  for v_run in select r from jsonb_array_elements(p_runs) r loop
    select * into v_execution from rule_executions e
      where e.organization_id = (v_run ->> 'organizationId')::uuid and e.id = (v_run ->> 'id')::uuid;
    if v_execution.rule_id is distinct from (v_run ->> 'ruleId')::uuid or v_execution.status <> 'IN_PROGRESS'
        or v_execution.due_at is null or v_execution.execution_mode <> 'LIVE' or v_execution.approval_required then
      raise exception 'run % is not to be carried out', v_run ->> 'id';
    end if;
    if v_execution.charged_key_id is not null then
      perform charge_key(v_execution.organization_id, v_execution.charged_key_id, sum((t ->> 'amountInCents')::bigint)::bigint,
          (v_run ->> 'now')::timestamptz)
        from jsonb_array_elements(v_run -> 'transfers') t where t ->> 'errorCode' is null having count(*) > 0;
    end if;
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

  for v_run in select r from jsonb_array_elements(p_runs) r loop
    update rule_executions e set
        status = v_run ->> 'status',
        -- A held run moves nothing without a person's decision.
        approval_required = e.approval_required or v_run ->> 'outcome' = 'HELD',
        step_index_matched = (v_run ->> 'stepIndexMatched')::integer,
        conditions_not_met = (v_run ->> 'conditionsNotMet')::boolean,
        transfers_attempted = (v_run ->> 'transfersAttempted')::integer,
        error_message = v_run ->> 'errorMessage',
        facts = nullif(v_run -> 'facts', 'null'), plan = nullif(v_run -> 'plan', 'null'),
        attempts = (v_run ->> 'attempts')::integer, attempt_log = v_run -> 'attemptLog',
        due_at = (v_run ->> 'dueAt')::timestamptz, next_attempt_at = (v_run ->> 'dueAt')::timestamptz,
        planned_at = case when v_run ->> 'outcome' = 'PLANNED' then (v_run ->> 'now')::timestamptz end,
        ended_at = case when v_run ->> 'status' not in ('IN_PROGRESS', 'APPROVAL_PENDING') then (v_run ->> 'now')::timestamptz end
      where e.organization_id = (v_run ->> 'organizationId')::uuid and e.id = (v_run ->> 'id')::uuid;
    if v_run ->> 'outcome' = 'HELD' then perform hold_run(v_run); end if;
  end loop;

  perform fire_rules(array_agg(row(t.organization_id, t.destination_account_id, 'TRANSFER', t.id, t.amount_in_cents,
      t.chain_depth, t.now)::arrival order by t.ordinality))
    from unnest(v_transfers) with ordinality as t where t.error_code is null and t.direction = 'INTERNAL';
end $$;

grant execute on function carry_out_runs to :"app_role";
