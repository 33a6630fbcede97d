-- Stores the approved plan of a waiting run and accepts its transfers, all or none, in the deciding transaction. Raises
-- unless the run's proposal is APPROVED, its version is active and not paused, and the transfers match the plan: no
-- caller can move money without the decision, and a bug decides nothing.
-- Takes no new locks: lock_waiting_run holds the rule, the run, the limits, the ledgers and the outside balances.
create or replace function accept_approved_run(p_organization_id uuid, p_id uuid, p_facts jsonb, p_plan jsonb, p_transfers jsonb,
  p_now timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_run rule_executions;
  v_rule rules;
  v_transfer record;
  v_fault text;
begin
  -- Only an approved proposal: a caller cannot move money without the decision.
  select e.* into strict v_run from rule_executions e join proposals p using (organization_id, id)
    where e.organization_id = p_organization_id and e.id = p_id and e.status = 'APPROVAL_PENDING'
      and e.execution_mode = 'LIVE' and p.state = 'APPROVED' and p.kind = 'RULE_RUN'
    for update of e;
  select r.* into v_rule from rules r
    where r.organization_id = p_organization_id and r.id = v_run.rule_id and r.active_version = v_run.rule_version
      and r.paused_at is null and r.deleted_at is null
    for key share;
  if not found then raise exception 'the version of run % does not run live', p_id; end if;
  if exists (select from jsonb_array_elements(p_plan -> 'moves') m where m ->> 'outcome' = 'FAILED') then
    raise exception 'run % would fail, which nobody can approve', p_id;
  end if;

  for v_transfer in
    select t.id, t.limit_id, t.expected_completion_date, m.source_id, m.destination_id, m.amount_in_cents, m.label,
        case when s.type <> 'EXTERNAL_ACCOUNT' and d.type <> 'EXTERNAL_ACCOUNT' then 'INTERNAL'
          when s.type <> 'EXTERNAL_ACCOUNT' then 'MONEY_OUT'
          when d.type <> 'EXTERNAL_ACCOUNT' then 'MONEY_IN' end as direction
      from (
        select row_number() over (order by place) as place, (move ->> 'sourceAccountId')::uuid as source_id,
            (move ->> 'destinationAccountId')::uuid as destination_id, (move ->> 'amountInCents')::bigint as amount_in_cents,
            move ->> 'description' as label
          from jsonb_array_elements(p_plan -> 'moves') with ordinality as planned (move, place)
          where move ->> 'outcome' = 'MOVE') m
      full join (
        select place, (given ->> 'id')::uuid as id, given ->> 'limitId' as limit_id,
            (given ->> 'expectedCompletionDate')::date as expected_completion_date
          from jsonb_array_elements(p_transfers) with ordinality as given (given, place)) t using (place)
      left join accounts s on s.organization_id = p_organization_id and s.id = m.source_id
      left join accounts d on d.organization_id = p_organization_id and d.id = m.destination_id
      order by place
  loop
    if v_transfer.id is null or v_transfer.amount_in_cents is null or v_transfer.direction is null then
      raise exception 'the transfers of run % are not those of its plan', p_id;
    end if;
    -- The plan was made under the same locks, so a failure here is a bug; deciding nothing is safe.
    v_fault := reserve(p_organization_id, v_transfer.source_id, v_transfer.amount_in_cents, false);
    if v_fault is not null then raise exception 'run % cannot be carried out as shown: %', p_id, v_fault; end if;
    insert into transfers (organization_id, id, status, execution_mode, direction, origin, amount_in_cents,
        description, source_account_id, destination_account_id, rule_id, rule_execution_id, rule_limit_id, chain_depth,
        proposed_by_kind, proposed_by_id, proposed_by_name, created_at, updated_at, accepted_at,
        expected_completion_date, hold_in_cents, next_step, due_at)
      values (p_organization_id, v_transfer.id, 'PROCESSING', 'LIVE', v_transfer.direction, 'RULE',
        v_transfer.amount_in_cents, v_transfer.label, v_transfer.source_id, v_transfer.destination_id, v_rule.id, p_id,
        v_transfer.limit_id, v_run.chain_depth + 1, 'RULE', v_rule.id, v_rule.name, p_now, p_now, p_now,
        -- Over ACH the bank sets the date once it has the order.
        case when v_transfer.direction = 'INTERNAL' then v_transfer.expected_completion_date end,
        case when v_transfer.direction <> 'MONEY_IN' then v_transfer.amount_in_cents else 0 end,
        first_step(v_transfer.direction, null), p_now);
  end loop;

  update rule_executions e set facts = p_facts, plan = p_plan, planned_at = p_now,
      -- A person approved the whole run, so the runs that it causes are charged to no key.
      charged_key_id = null,
      -- A plan without transfers ends at once; otherwise the run ends with its last transfer.
      status = case when jsonb_array_length(p_transfers) = 0 then 'EXECUTED' else 'IN_PROGRESS' end,
      ended_at = case when jsonb_array_length(p_transfers) = 0 then p_now end,
      step_index_matched = (p_plan ->> 'stepIndexMatched')::integer,
      conditions_not_met = p_plan ->> 'stepIndexMatched' is null,
      transfers_attempted = jsonb_array_length(p_plan -> 'moves')
    where e.organization_id = p_organization_id and e.id = p_id;
end $$;

grant execute on function accept_approved_run to :"app_role";
