-- Runs of rules that a person decides: approving one stores its plan and accepts its transfers in the deciding
-- transaction (decisions page, "Approval"). The worker carries them out like any and never evaluates again.

-- Holds still what a waiting run is decided on, in the house's order: its rule (a deactivation or a pause is before this
-- decision or after it), the run, the rule's limits, then the money of these accounts.
create function lock_waiting_run(p_organization_id uuid, p_id uuid, p_account_ids uuid[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_rule_id uuid;
begin
  -- A run's rule never changes, so it may be read before the run is locked.
  select r.id into strict v_rule_id
    from rules r join rule_executions e on e.organization_id = r.organization_id and e.rule_id = r.id
    where e.organization_id = p_organization_id and e.id = p_id for key share of r;
  perform 1 from rule_executions where organization_id = p_organization_id and id = p_id for update;
  perform 1 from lock_facts(array[v_rule_id], array_fill(p_organization_id, array[cardinality(p_account_ids)]),
    p_account_ids);
end $$;

-- The approved run of a decided proposal, in the deciding transaction: its plan is stored, and every transfer of it
-- accepted with its hold, or none. A person decides, so floors do not bind.
-- p_plan: RulePlan (contract/rules/plan.ts), which says what moves. p_transfers: one entry for each of its moves, in
-- order: { id, limitId, expectedCompletionDate }.
create function accept_approved_run(p_organization_id uuid, p_id uuid, p_facts jsonb, p_plan jsonb, p_transfers jsonb,
  p_now timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_run rule_executions;
  v_rule rules;
  v_transfer record;
  v_fault text;
begin
  -- Only what has in truth been approved: whoever calls this cannot make money move without the decision.
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
    -- The plan was made under the same locks, so this is a fault of ours: then nothing is decided.
    v_fault := reserve(p_organization_id, v_transfer.source_id, v_transfer.amount_in_cents, false);
    if v_fault is not null then raise exception 'run % cannot be carried out as shown: %', p_id, v_fault; end if;
    insert into transfers (organization_id, id, status, execution_mode, direction, origin, amount_in_cents,
        description, source_account_id, destination_account_id, rule_id, rule_execution_id, rule_limit_id, chain_depth,
        proposed_by_kind, proposed_by_id, proposed_by_name, created_at, updated_at, accepted_at,
        expected_completion_date, hold_in_cents, next_step, due_at)
      values (p_organization_id, v_transfer.id, 'PROCESSING', 'LIVE', v_transfer.direction, 'RULE',
        v_transfer.amount_in_cents, v_transfer.label, v_transfer.source_id, v_transfer.destination_id, v_rule.id, p_id,
        v_transfer.limit_id, v_run.chain_depth + 1, 'RULE', v_rule.id, v_rule.name, p_now, p_now, p_now,
        -- Over ACH the bank says, once it has the order.
        case when v_transfer.direction = 'INTERNAL' then v_transfer.expected_completion_date end,
        case when v_transfer.direction <> 'MONEY_IN' then v_transfer.amount_in_cents else 0 end,
        first_step(v_transfer.direction, null), p_now);
  end loop;

  update rule_executions e set facts = p_facts, plan = p_plan, planned_at = p_now,
      -- A plan that moves nothing is over at once; else the run ends with the last of its transfers.
      status = case when jsonb_array_length(p_transfers) = 0 then 'EXECUTED' else 'IN_PROGRESS' end,
      ended_at = case when jsonb_array_length(p_transfers) = 0 then p_now end,
      step_index_matched = (p_plan ->> 'stepIndexMatched')::integer,
      conditions_not_met = p_plan ->> 'stepIndexMatched' is null,
      transfers_attempted = jsonb_array_length(p_plan -> 'moves')
    where e.organization_id = p_organization_id and e.id = p_id;
end $$;

-- Supersedes 0004: what was proposed and denied, expired or revoked, a transfer or a run; never ran, never will.
create or replace function deny_transfers(p_organization_id uuid, p_ids uuid[], p_now timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  update transfers t set status = 'APPROVAL_DENIED', completed_at = p_now, updated_at = p_now
    from proposals p
    where t.organization_id = p_organization_id and t.id = any (p_ids) and t.status = 'APPROVAL_PENDING'
      and p.organization_id = t.organization_id and p.id = t.id and p.state in ('DENIED', 'EXPIRED', 'REVOKED');
  update rule_executions e set status = 'APPROVAL_DENIED', ended_at = p_now
    from proposals p
    where e.organization_id = p_organization_id and e.id = any (p_ids) and e.status = 'APPROVAL_PENDING'
      and p.organization_id = e.organization_id and p.id = e.id and p.state in ('DENIED', 'EXPIRED', 'REVOKED');
$$;

-- What a key has under way by rules that it set off.
create index rule_executions_under_way_by_key on rule_executions (organization_id, started_by_id)
  where started_by_kind = 'API_KEY' and status = 'IN_PROGRESS';

-- What a revoked key has accepted and not yet handed over: its own transfers, and those of runs that it set off.
create function stoppable_transfers(p_organization_id uuid, p_key_id uuid) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select t.id from transfers t
    where t.organization_id = p_organization_id and t.proposed_by_id = p_key_id and t.proposed_by_kind = 'API_KEY'
      and t.next_step in ('BOOK', 'SUBMIT')
  union all
  select t.id from rule_executions e
    join transfers t on t.organization_id = e.organization_id and t.rule_execution_id = e.id
    where e.organization_id = p_organization_id and e.started_by_id = p_key_id and e.started_by_kind = 'API_KEY'
      and e.status = 'IN_PROGRESS' and t.next_step in ('BOOK', 'SUBMIT')
$$;

-- Supersedes 0013: runs that the key set off end with it, those that wait for a person, for the worker and for another
-- attempt; of those that have begun, what has not left.
create or replace function revoke_api_key(p_organization_id uuid, p_id uuid, p_revoked_by uuid, p_because text,
  p_now timestamptz)
returns table (outcome text, denied_proposals integer, stopped_transfers integer)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_key api_keys;
  v_denied uuid[];
  v_stopped transfers[];
  v_transfer transfers;
begin
  denied_proposals := 0;
  stopped_transfers := 0;
  -- Waits for every transfer and every decision that has the key FOR KEY SHARE; those that come later find it revoked.
  select * into v_key from api_keys k where k.organization_id = p_organization_id and k.id = p_id for update;
  if not found then
    outcome := 'MISSING';
    return next;
    return;
  end if;
  if (p_revoked_by is null) = (p_because = 'MEMBER') then raise exception 'a member revokes, and nobody else'; end if;
  if p_because = 'MEMBER' then
    perform 1 from memberships m
      where m.organization_id = p_organization_id and m.user_id = p_revoked_by and m.role in ('OWNER', 'CO_OWNER')
      for share;
    if not found then
      outcome := 'MAY_NOT';
      return next;
      return;
    end if;
  end if;
  if v_key.revoked_at is not null then
    outcome := 'ALREADY';
    return next;
    return;
  end if;
  if p_because = 'REPLACED' and (v_key.ends_at is null or v_key.ends_at > p_now) then
    outcome := 'NOT_ENDED';
    return next;
    return;
  end if;

  update api_keys k set revoked_at = p_now, revoked_by = p_revoked_by, revoked_because = p_because
    where k.organization_id = p_organization_id and k.id = p_id;

  perform 1 from proposals p
    where p.organization_id = p_organization_id and p.api_key_id = p_id and p.state = 'WAITING' and p.expires_at > p_now
    order by p.id for update;
  -- What is past its 24 hours has expired, and is written as that.
  with denied as (
    update proposals p set state = 'REVOKED', decided_at = p_now, remind_at = null
      where p.organization_id = p_organization_id and p.api_key_id = p_id and p.state = 'WAITING'
        and p.expires_at > p_now
      returning p.id)
  select coalesce(array_agg(d.id), '{}') into v_denied from denied d;
  perform deny_transfers(p_organization_id, v_denied, p_now);

  -- Runs without a plan yet. Those with one are left to their transfers: a booking locks a transfer before its run.
  perform 1 from rule_executions e
    where e.organization_id = p_organization_id and e.started_by_id = p_id and e.started_by_kind = 'API_KEY'
      and e.status = 'IN_PROGRESS' and e.due_at is not null
    order by e.id for update;
  update rule_executions e set status = 'FAILED', due_at = null, next_attempt_at = null, ended_at = p_now,
      error_message = 'The key that asked for this run was revoked before it began. Nothing moved.'
    where e.organization_id = p_organization_id and e.started_by_id = p_id and e.started_by_kind = 'API_KEY'
      and e.status = 'IN_PROGRESS' and e.due_at is not null;

  -- Waits for whoever books or leases one of them; what has gone its way meanwhile no longer matches.
  select array_agg(s order by s.id) into v_stopped from (
    select t.* from transfers t
      where t.organization_id = p_organization_id and t.next_step in ('BOOK', 'SUBMIT')
        and t.id in (select stoppable_transfers(p_organization_id, p_id))
      order by t.id for update) s;
  v_stopped := coalesce(v_stopped, array[]::transfers[]);
  perform 1 from ledgers l
    where l.organization_id = p_organization_id and l.id in (select u.source_account_id from unnest(v_stopped) u)
    order by l.id for update;
  foreach v_transfer in array v_stopped loop
    perform end_unmoved(v_transfer, 'CANCELLED', null, p_now);
  end loop;
  update transfers t set cancelled_by = p_revoked_by
    where t.organization_id = p_organization_id and t.id in (select u.id from unnest(v_stopped) u)
      and p_revoked_by is not null;

  outcome := 'REVOKED';
  denied_proposals := cardinality(v_denied);
  stopped_transfers := cardinality(v_stopped);
  return next;
end $$;

grant execute on function lock_waiting_run, accept_approved_run, stoppable_transfers to :"app_role";
