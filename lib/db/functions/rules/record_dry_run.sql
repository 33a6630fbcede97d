-- Records a dry run and its transfers as resources that can be read; nothing is booked and no balance changes. p_run:
-- see trigger-rule.ts. Locks nothing.
create or replace function record_dry_run(p_run jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_run ->> 'organizationId')::uuid;
  v_id uuid := (p_run ->> 'id')::uuid;
  v_rule_id uuid := (p_run ->> 'ruleId')::uuid;
  v_now timestamptz := (p_run ->> 'now')::timestamptz;
begin
  insert into rule_executions (organization_id, id, rule_id, rule_version, status, execution_mode, trigger_details,
      reason_for_approval, step_index_matched, conditions_not_met, transfers_attempted, error_message, created_at,
      started_by_kind, started_by_id, started_by_name, base, facts, plan, live_outlook, planned_at, ended_at)
    values (v_organization_id, v_id, v_rule_id, (p_run ->> 'ruleVersion')::integer, p_run ->> 'status', 'SIMULATION',
      p_run -> 'triggerDetails', p_run ->> 'reasonForApproval', (p_run ->> 'stepIndexMatched')::integer,
      (p_run ->> 'conditionsNotMet')::boolean, (p_run ->> 'transfersAttempted')::integer, p_run ->> 'errorMessage',
      v_now, p_run -> 'startedBy' ->> 'kind', (p_run -> 'startedBy' ->> 'id')::uuid, p_run -> 'startedBy' ->> 'name',
      p_run -> 'base', nullif(p_run -> 'facts', 'null'), nullif(p_run -> 'plan', 'null'), p_run -> 'live', v_now,
      v_now);
  insert into transfers (organization_id, id, status, execution_mode, direction, origin, amount_in_cents, description,
      source_account_id, destination_account_id, rule_id, rule_execution_id, rule_limit_id, proposed_by_kind,
      proposed_by_id, proposed_by_name, error_code, error_message, created_at, updated_at, completed_at)
    select v_organization_id, (t ->> 'id')::uuid, case when t ->> 'errorCode' is null then 'COMPLETE' else 'FAILED' end,
        'SIMULATION', t ->> 'direction', 'RULE', (t ->> 'amountInCents')::bigint, t ->> 'description',
        (t ->> 'sourceAccountId')::uuid, (t ->> 'destinationAccountId')::uuid, v_rule_id, v_id, t ->> 'limitId', 'RULE',
        v_rule_id, p_run ->> 'ruleName', t ->> 'errorCode',
        case when t ->> 'errorCode' is not null then failure_message(t ->> 'errorCode') end, v_now, v_now, v_now
      from jsonb_array_elements(p_run -> 'transfers') t;
end $$;
