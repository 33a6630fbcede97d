-- Runs of rules: set off by arrivals, worked out under locks, carried out and ended (decisions page, "Rule").
--
-- Locks go on in the order of 0004, with runs between proposals and transfers: api key, membership, proposal, rule,
-- execution, transfer, the limits of a rule, card, card authorization, ledgers in id order, provider balances in id order.

-- Supersedes 0017: balances follow from all entries of a statement at once, so that a run of fifty transfers changes its
-- source's ledger twice and not fifty times. What comes in is counted first: within one statement only its end counts,
-- and a ledger that one entry fills and another empties is as full as both leave it.
create function apply_entries() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update ledgers l set
      credits_in_cents = l.credits_in_cents + c.in_cents,
      -- Money that comes in first fills what a return or a card left open.
      return_shortfall_in_cents = greatest(0, least(
        l.return_shortfall_in_cents, -(l.credits_in_cents + c.in_cents - l.debits_in_cents - l.held_in_cents)))
    from (select organization_id, credit_ledger_id as id, sum(amount_in_cents)::bigint as in_cents
            from new_entries group by 1, 2) c
    where l.organization_id = c.organization_id and l.id = c.id;

  update ledgers l set
      debits_in_cents = l.debits_in_cents + d.in_cents,
      held_in_cents = l.held_in_cents - d.released_in_cents,
      return_shortfall_in_cents = case
        when d.is_of_others and l.kind = 'MANAGED' then greatest(
          l.return_shortfall_in_cents,
          d.in_cents - d.released_in_cents - (l.credits_in_cents - l.debits_in_cents - l.held_in_cents))
        else l.return_shortfall_in_cents end
    from (select organization_id, debit_ledger_id as id, sum(amount_in_cents)::bigint as in_cents,
              sum(releases_hold_in_cents)::bigint as released_in_cents, bool_or(kind in ('RETURN', 'CARD')) as is_of_others
            from new_entries group by 1, 2) d
    where l.organization_id = d.organization_id and l.id = d.id;
  return null;
end $$;
drop trigger entries_move_balances on entries;
create trigger entries_move_balances after insert on entries referencing new table as new_entries
  for each statement execute function apply_entries();
drop function apply_entry();

-- Chains of rules end here: a run after ten others is written down as failed and moves nothing.
create function maximum_chain_depth() returns integer language sql immutable as $$ select 10 $$;

-- Money that has settled on an account.
create type arrival as (
  organization_id uuid, account_id uuid, cause_kind text, cause_id uuid, amount_in_cents bigint, chain_depth integer,
  now timestamptz
);

-- Arrivals set off the active rules that wait for them, each once by its cause. It takes no lock of a rule: a pause or a
-- deactivation at this moment is found by the run itself before it moves anything.
create function fire_rules(p_arrivals arrival[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into rule_executions (organization_id, id, rule_id, rule_version, status, execution_mode, trigger_details,
      created_at, cause_kind, cause_id, chain_depth, started_by_kind, started_by_id, base, due_at, ended_at,
      error_message)
    select a.organization_id, new_id(a.now), r.id, r.active_version,
        case when too_deep then 'FAILED' else 'IN_PROGRESS' end, 'LIVE',
        jsonb_build_object('type', 'ON_FUNDS_TRANSFERRED', 'amountInCents', a.amount_in_cents), a.now, a.cause_kind,
        a.cause_id::text, a.chain_depth, 'ARRIVAL', a.cause_id,
        jsonb_build_object('mode', 'LIVE', 'incomingAmountInCents', a.amount_in_cents),
        case when not too_deep then a.now end, case when too_deep then a.now end,
        case when too_deep then 'Ten rules had set each other off before this one, and chains of rules end there. Nothing moved.' end
      from unnest(p_arrivals) with ordinality as a
      cross join lateral (select a.chain_depth >= maximum_chain_depth() as too_deep) chain
      join rules r on r.organization_id = a.organization_id and r.active_trigger_type = 'ON_FUNDS_TRANSFERRED'
        and r.active_trigger_account_id = a.account_id and r.paused_at is null and r.deleted_at is null
        and a.amount_in_cents >= coalesce(r.active_minimum_in_cents, 0)
      order by a.ordinality, r.id
    on conflict on constraint fired_once do nothing;
end $$;

-- Supersedes 0015: money that was booked in sets off rules.
create or replace function book(t transfers, p_entry_id uuid, p_now timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_clearing uuid;
begin
  select clearing_ledger_id into v_clearing from organizations where id = t.organization_id;
  insert into entries (organization_id, id, transfer_id, kind, debit_ledger_id, credit_ledger_id, amount_in_cents,
      releases_hold_in_cents, booked_at)
    values (t.organization_id, id_at(p_entry_id, p_now), t.id, 'TRANSFER', debit_ledger(t, v_clearing),
      credit_ledger(t, v_clearing), t.amount_in_cents, t.hold_in_cents, p_now);
  update transfers set status = 'COMPLETE', hold_in_cents = 0, next_step = null, due_at = null, leased_until = null,
      completed_at = p_now, updated_at = p_now
    where organization_id = t.organization_id and id = t.id;
  -- What leaves is no arrival: on a connected account it is our own transfer's other side.
  if t.direction <> 'MONEY_OUT' then
    perform fire_rules(array[row(t.organization_id, t.destination_account_id, 'TRANSFER', t.id, t.amount_in_cents,
      t.chain_depth, p_now)::arrival]);
  end if;
end $$;

-- Supersedes 0017: a payout to a card is money that arrives. A refund gives back what was spent, and sets nothing off,
-- as a bank's return does not.
create or replace function record_card_credit(p_organization_id uuid, p_transaction_id uuid, p_entry_id uuid,
  p_card_id uuid, p_subtype text, p_network_reference text, p_amount_in_cents bigint, p_description text,
  p_category text, p_settled_at timestamptz, p_now timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_card cards;
  v_transaction card_transactions;
begin
  if p_subtype not in ('REFUND', 'PAYOUT') then raise exception 'no credit: %', p_subtype; end if;
  v_card := lock_card(p_organization_id, p_card_id);
  if v_card.id is null then raise exception 'there is no card %', p_card_id; end if;
  v_transaction.organization_id := p_organization_id;
  v_transaction.id := p_transaction_id;
  v_transaction.card_id := p_card_id;
  v_transaction.account_id := v_card.account_id;
  v_transaction.subtype := p_subtype;
  v_transaction.amount_in_cents := p_amount_in_cents;
  v_transaction.description := p_description;
  v_transaction.category := p_category;
  v_transaction.network_reference := p_network_reference;
  v_transaction.created_at := p_now;
  v_transaction.completed_at := p_settled_at;
  if is_card_transaction_known(v_transaction) then return false; end if;
  perform book_card_transaction(v_transaction, p_entry_id, 0);
  if p_subtype = 'PAYOUT' then
    perform fire_rules(array[row(p_organization_id, v_card.account_id, 'CARD_TRANSACTION', p_transaction_id,
      p_amount_in_cents, 0, p_now)::arrival]);
  end if;
  return true;
end $$;

-- Money that a provider says has settled on a connected account. The other side of our own transfer is none: that
-- transfer was the arrival, or had left.
create function fire_on_external_transactions(p_organization_id uuid, p_ids uuid[], p_now timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  select fire_rules(array_agg(row(x.organization_id, x.account_id, 'EXTERNAL_TRANSACTION', x.id, x.amount_in_cents, 0,
      p_now)::arrival order by x.id))
    from external_transactions x
   where x.organization_id = p_organization_id and x.id = any (p_ids) and x.status = 'COMPLETE'
     and x.direction = 'MONEY_IN' and x.transfer_id is null and x.vanished_at is null and x.amount_in_cents > 0
$$;

-- Claims runs that are due. p_now is real time; each organization has its own business time. Why a run may not go on:
-- its rule is no longer active, was paused, or the money that set it off came back.
create function claim_rule_runs(p_now timestamptz, p_limit integer)
returns table (
  organization_id uuid, id uuid, rule_id uuid, rule_version integer, rule_name text, base jsonb, chain_depth integer,
  attempts integer, attempt_log jsonb, business_now timestamptz, time_zone text, stopped_because text
)
language sql security definer set search_path = public, pg_temp as $$
  with due as materialized (
    select e.* from rule_executions e
      where e.due_at is not null and e.due_at <= p_now + (
        select o.clock_offset_ms * interval '1 millisecond' from organizations o where o.id = e.organization_id)
      order by e.due_at, e.id limit p_limit
      for update skip locked)
  select e.organization_id, e.id, e.rule_id, e.rule_version, r.name, e.base, e.chain_depth::integer, e.attempts,
      e.attempt_log, p_now + o.clock_offset_ms * interval '1 millisecond', o.time_zone,
      case when r.active_version is null then 'DEACTIVATED'
        when r.paused_at is not null then 'PAUSED'
        when e.cause_kind = 'TRANSFER' and (select t.status from transfers t
            where t.organization_id = e.organization_id and t.id = e.cause_id::uuid) = 'RETURNED' then 'MONEY_CAME_BACK'
      end
    from due e
    join rules r on r.organization_id = e.organization_id and r.id = e.rule_id
    join organizations o on o.id = e.organization_id
   order by e.due_at, e.id
   for key share of r
$$;

-- Of many that are due at the same moment, the oldest first, and none is looked at that is not claimed.
drop index rule_executions_due;
create index rule_executions_due on rule_executions (due_at, id) where due_at is not null;

-- Holds still what plans rest on, from here to the commit, and answers it: the limits of these rules, the ledgers and the
-- providers' balances of these accounts, each in its order, so that two workers cannot wait for each other.
create function lock_facts(p_rules_with_limits uuid[], p_organization_ids uuid[], p_account_ids uuid[])
returns table (
  organization_id uuid, id uuid, name text, type text, "externalAccountType" text, "isClosed" boolean,
  "balanceInCents" bigint, "availableInCents" bigint, "floorInCents" bigint, "onItsWayInCents" bigint,
  "nextPaymentMinimumInCents" bigint, "lastStatementBalanceInCents" bigint, "interestRatePercentage" double precision
)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_rule_id uuid;
begin
  for v_rule_id in select distinct r from unnest(p_rules_with_limits) r order by r loop
    perform pg_advisory_xact_lock(hashtextextended(v_rule_id || '|limits', 0));
  end loop;
  perform 1 from ledgers l
    where (l.organization_id, l.id) in (select * from unnest(p_organization_ids, p_account_ids))
    order by l.organization_id, l.id for update;
  perform 1 from provider_balances p
    where (p.organization_id, p.account_id) in (select * from unnest(p_organization_ids, p_account_ids))
    order by p.organization_id, p.account_id for update;
  return query
    select asked.organization_id, f.*
      from (select a.o as organization_id, array_agg(distinct a.i) as ids
              from unnest(p_organization_ids, p_account_ids) as a (o, i) group by a.o) asked
      cross join lateral read_account_facts(asked.organization_id, asked.ids) f;
end $$;

-- How a run ends that has these transfers: IN_PROGRESS while one of them is open.
create function run_status(p_completed bigint, p_failed bigint, p_pending bigint) returns text
language sql immutable as $$
  select case when p_pending > 0 then 'IN_PROGRESS' when p_failed = 0 then 'EXECUTED'
    when p_completed > 0 then 'PARTIAL' else 'FAILED' end
$$;

create type run_transfer as (
  organization_id uuid, execution_id uuid, rule_id uuid, rule_name text, chain_depth smallint, now timestamptz, id uuid,
  entry_id uuid, direction text, source_account_id uuid, destination_account_id uuid, amount_in_cents bigint,
  description text, limit_id text, error_code text, expected_completion_date date
);

-- Writes what became of claimed runs: their plans with their transfers, a wait for another attempt, or a failure, all of
-- it or nothing. Between managed accounts money is booked here and now; over ACH it is held and handed to the bank.
-- p_runs: see carry-out-runs.ts. The runs are locked by the caller's transaction.
create function carry_out_runs(p_runs jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_fault text;
  v_transfers run_transfer[];
  v_run jsonb;
  v_execution rule_executions;
begin
  -- Whoever calls this cannot make money move for a run that waits for a person, or that has run. One by one, here and
  -- below: each run is found by its key, whatever the planner knows of a table that grows by thousands in a minute.
  for v_run in select r from jsonb_array_elements(p_runs) r loop
    select * into v_execution from rule_executions e
      where e.organization_id = (v_run ->> 'organizationId')::uuid and e.id = (v_run ->> 'id')::uuid;
    if v_execution.rule_id is distinct from (v_run ->> 'ruleId')::uuid or v_execution.status <> 'IN_PROGRESS'
        or v_execution.due_at is null or v_execution.execution_mode <> 'LIVE' or v_execution.approval_required then
      raise exception 'run % is not to be carried out', v_run ->> 'id';
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

  insert into entries (organization_id, id, transfer_id, kind, debit_ledger_id, credit_ledger_id, amount_in_cents,
      booked_at)
    select organization_id, entry_id, id, 'TRANSFER', source_account_id, destination_account_id, amount_in_cents, now
      from unnest(v_transfers) where error_code is null and direction = 'INTERNAL';

  -- After the entries: a run of this batch may send on over ACH what one before it has brought.
  update ledgers l set held_in_cents = l.held_in_cents + s.in_cents
    from (select organization_id, source_account_id, sum(amount_in_cents)::bigint as in_cents from unnest(v_transfers)
      where error_code is null and direction = 'MONEY_OUT' group by 1, 2) s
    where l.organization_id = s.organization_id and l.id = s.source_account_id;

  -- No person approves these: whatever a plan says, they never take their source below its floor.
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
        step_index_matched = (v_run ->> 'stepIndexMatched')::integer,
        conditions_not_met = (v_run ->> 'conditionsNotMet')::boolean,
        transfers_attempted = (v_run ->> 'transfersAttempted')::integer,
        error_message = v_run ->> 'errorMessage',
        facts = nullif(v_run -> 'facts', 'null'), plan = nullif(v_run -> 'plan', 'null'),
        attempts = (v_run ->> 'attempts')::integer, attempt_log = v_run -> 'attemptLog',
        due_at = (v_run ->> 'dueAt')::timestamptz, next_attempt_at = (v_run ->> 'dueAt')::timestamptz,
        planned_at = case when v_run ->> 'outcome' = 'PLANNED' then (v_run ->> 'now')::timestamptz end,
        ended_at = case when v_run ->> 'status' <> 'IN_PROGRESS' then (v_run ->> 'now')::timestamptz end
      where e.organization_id = (v_run ->> 'organizationId')::uuid and e.id = (v_run ->> 'id')::uuid;
  end loop;

  perform fire_rules(array_agg(row(t.organization_id, t.destination_account_id, 'TRANSFER', t.id, t.amount_in_cents,
      t.chain_depth, t.now)::arrival order by t.ordinality))
    from unnest(v_transfers) with ordinality as t where t.error_code is null and t.direction = 'INTERNAL';
end $$;

-- A run ends with the last of its transfers. What a bank returns later did complete, so an ended run stays as it ended.
create function settle_execution() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_status text;
  v_codes text;
begin
  -- The lock first: of two transfers that end at the same moment, the later one counts both.
  perform 1 from rule_executions e
    where e.organization_id = new.organization_id and e.id = new.rule_execution_id and e.status = 'IN_PROGRESS'
      and e.due_at is null
    for no key update;
  if not found then return null; end if;
  select run_status(count(*) filter (where t.status in ('COMPLETE', 'RETURNED')),
      count(*) filter (where t.status in ('FAILED', 'CANCELLED', 'APPROVAL_DENIED')),
      count(*) filter (where t.status in ('PROCESSING', 'APPROVAL_PENDING'))),
      string_agg(distinct coalesce(t.error_code, t.status), ', ') filter (where t.status in ('FAILED', 'CANCELLED'))
    into v_status, v_codes
    from transfers t where t.organization_id = new.organization_id and t.rule_execution_id = new.rule_execution_id;
  if v_status = 'IN_PROGRESS' then return null; end if;
  update rule_executions e set status = v_status, ended_at = new.updated_at,
      error_message = case when v_status = 'EXECUTED' then null else coalesce(e.error_message,
        (case when v_status = 'FAILED' then 'None of its transfers completed' else 'Some of its transfers did not complete' end)
          || ' (' || v_codes || ').') end
    where e.organization_id = new.organization_id and e.id = new.rule_execution_id;
  return null;
end $$;
create trigger transfers_settle_executions after update of status on transfers for each row
  when (new.rule_execution_id is not null and old.status is distinct from new.status and new.execution_mode = 'LIVE')
  execute function settle_execution();

-- A return of money that rules have already split: nothing more runs on that account until a person has looked
-- (decisions page, "Arrivals").
create function pause_rules_after_return(t transfers, p_now timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_rule rules;
begin
  perform 1 from rule_executions e
    join transfers moved on moved.organization_id = e.organization_id and moved.rule_execution_id = e.id
    where e.organization_id = t.organization_id and e.cause_id = t.id::text and e.cause_kind = 'TRANSFER'
      and moved.status in ('PROCESSING', 'COMPLETE')
    limit 1;
  if not found then return; end if;
  for v_rule in
    select * from rules r where r.organization_id = t.organization_id
      and r.active_trigger_account_id = t.destination_account_id and r.paused_at is null
      order by r.id for update
  loop
    update rules set paused_at = p_now, paused_by_transfer_id = t.id
      where organization_id = v_rule.organization_id and id = v_rule.id;
    insert into rule_events (organization_id, id, rule_id, kind, version, transfer_id, at)
      values (v_rule.organization_id, new_id(p_now), v_rule.id, 'PAUSED', v_rule.active_version, t.id, p_now);
  end loop;
end $$;

-- Supersedes 0004: a return after settlement pauses the rules that had split the money, before it locks the ledgers.
create or replace function apply_bank_notice(p_organization_id uuid, p_reference text, p_transfer_id uuid, p_kind text,
  p_code text, p_occurred_at timestamptz, p_entry_id uuid, p_now timestamptz) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_transfer transfers;
  v_clearing uuid;
begin
  select * into strict v_transfer from transfers
    where organization_id = p_organization_id and id = p_transfer_id for update;
  insert into bank_notices values (p_organization_id, p_reference, p_transfer_id, p_kind, p_code, p_occurred_at, p_now)
    on conflict (organization_id, reference) do nothing;
  if not found then return null; end if;

  if p_kind = 'SETTLED' then
    -- A settlement that arrives after its return undid it (COMPLETE never was) has no effect left.
    if v_transfer.status = 'PROCESSING' then
      perform book(v_transfer, p_entry_id, p_now);
    elsif v_transfer.status not in ('COMPLETE', 'RETURNED', 'FAILED') then
      raise exception 'bank settled transfer % which is %', p_transfer_id, v_transfer.status;
    end if;
  elsif v_transfer.status = 'PROCESSING' then
    perform end_unmoved(v_transfer, 'FAILED', p_code, p_now);
  elsif v_transfer.status = 'COMPLETE' then
    if v_transfer.direction = 'MONEY_IN' then perform pause_rules_after_return(v_transfer, p_now); end if;
    select clearing_ledger_id into v_clearing from organizations where id = p_organization_id;
    insert into entries (organization_id, id, transfer_id, kind, debit_ledger_id, credit_ledger_id, amount_in_cents,
        booked_at)
      values (p_organization_id, p_entry_id, p_transfer_id, 'RETURN', credit_ledger(v_transfer, v_clearing),
        debit_ledger(v_transfer, v_clearing), v_transfer.amount_in_cents, p_now);
    update transfers set status = 'RETURNED', error_code = p_code, updated_at = p_now,
        error_message = 'The bank returned the transfer after it had settled (' || p_code || '). The money was booked back.'
      where organization_id = p_organization_id and id = p_transfer_id;
  elsif v_transfer.status not in ('RETURNED', 'FAILED') then
    raise exception 'bank returned transfer % which is %', p_transfer_id, v_transfer.status;
  end if;
  select status into v_transfer.status from transfers
    where organization_id = p_organization_id and id = p_transfer_id;
  return v_transfer.status;
end $$;

-- A dry run as it came out: recorded, never booked. Its transfers are resources like any (decisions page, "Base").
create function record_dry_run(p_run jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_run ->> 'organizationId')::uuid;
  v_id uuid := (p_run ->> 'id')::uuid;
  v_rule_id uuid := (p_run ->> 'ruleId')::uuid;
  v_now timestamptz := (p_run ->> 'now')::timestamptz;
begin
  insert into rule_executions (organization_id, id, rule_id, rule_version, status, execution_mode, trigger_details,
      reason_for_approval, step_index_matched, conditions_not_met, transfers_attempted, error_message, created_at,
      started_by_kind, started_by_id, started_by_name, base, facts, plan, planned_at, ended_at)
    values (v_organization_id, v_id, v_rule_id, (p_run ->> 'ruleVersion')::integer, p_run ->> 'status', 'SIMULATION',
      p_run -> 'triggerDetails', p_run ->> 'reasonForApproval', (p_run ->> 'stepIndexMatched')::integer,
      (p_run ->> 'conditionsNotMet')::boolean, (p_run ->> 'transfersAttempted')::integer, p_run ->> 'errorMessage',
      v_now, p_run -> 'startedBy' ->> 'kind', (p_run -> 'startedBy' ->> 'id')::uuid, p_run -> 'startedBy' ->> 'name',
      p_run -> 'base', nullif(p_run -> 'facts', 'null'), nullif(p_run -> 'plan', 'null'), v_now, v_now);
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

-- Takes an idempotency key for this transaction. Answers null when it is free, IN_PROGRESS at once while a rival holds
-- it, or REPLAY with what was answered.
create function take_idempotency_key(p_organization_id uuid, p_caller_id uuid, p_call jsonb, p_now timestamptz,
  out outcome text, out replay_status integer, out replay_body jsonb, out replay_fingerprint text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_previous idempotency_results;
begin
  if not pg_try_advisory_xact_lock(hashtextextended(concat_ws('|', p_caller_id, p_call ->> 'operation',
      p_call ->> 'path', p_call ->> 'key'), 0)) then
    outcome := 'IN_PROGRESS';
    return;
  end if;
  select * into v_previous from idempotency_results r
    where r.organization_id = p_organization_id and r.caller_id = p_caller_id
      and r.operation = p_call ->> 'operation' and r.path = p_call ->> 'path' and r.idempotency_key = p_call ->> 'key';
  if not found or v_previous.expires_at <= p_now then return; end if;
  outcome := 'REPLAY'; replay_status := v_previous.status; replay_body := v_previous.body;
  replay_fingerprint := encode(v_previous.fingerprint, 'hex');
end $$;

-- Triggers rules that keys ask for, each with its idempotent result and its audit entry: live ones begin, dry ones are
-- recorded as they came out. p_items: see trigger-rule.ts. One row per item, in order:
--   CREATED | REPLAY (with what was answered then) | IN_PROGRESS | KEY_REVOKED | NOT_ACTIVE | PAUSED
create function trigger_rules(p_items jsonb)
returns table (outcome text, replay_status integer, replay_body jsonb, replay_fingerprint text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_item jsonb;
  v_call jsonb;
  v_taken record;
  v_organization_id uuid;
  v_key_id uuid;
begin
  -- All keys of the group in order first, then its rules, so that two groups cannot wait for each other.
  perform 1 from api_keys k
    where (k.organization_id, k.id) in (
      select (i ->> 'organizationId')::uuid, (i ->> 'apiKeyId')::uuid from jsonb_array_elements(p_items) i)
    order by k.organization_id, k.id for key share;
  perform 1 from rules r
    where (r.organization_id, r.id) in (
      select (i ->> 'organizationId')::uuid, (i ->> 'ruleId')::uuid from jsonb_array_elements(p_items) i)
    order by r.organization_id, r.id for key share;

  for v_item in select i from jsonb_array_elements(p_items) i loop
    v_call := v_item -> 'idempotency';
    v_organization_id := (v_item ->> 'organizationId')::uuid;
    v_key_id := (v_item ->> 'apiKeyId')::uuid;
    outcome := null; replay_status := null; replay_body := null; replay_fingerprint := null;
    if jsonb_typeof(v_call) = 'object' then
      select * into v_taken from take_idempotency_key(v_organization_id, v_key_id, v_call,
        (v_item ->> 'now')::timestamptz);
      if v_taken.outcome is not null then
        outcome := v_taken.outcome; replay_status := v_taken.replay_status; replay_body := v_taken.replay_body;
        replay_fingerprint := v_taken.replay_fingerprint;
        return next;
        continue;
      end if;
    end if;

    if jsonb_typeof(v_item -> 'dryRun') = 'object' then
      perform 1 from api_keys k where k.organization_id = v_organization_id and k.id = v_key_id
        and k.revoked_at is null;
      outcome := case when found then 'STARTED' else 'KEY_REVOKED' end;
      if found then perform record_dry_run(v_item -> 'dryRun'); end if;
    else
      outcome := start_rule_run(v_item -> 'run');
    end if;
    if outcome <> 'STARTED' then
      return next;
      continue;
    end if;
    outcome := 'CREATED';

    if jsonb_typeof(v_call) = 'object' then
      insert into idempotency_results values (v_organization_id, v_key_id, v_call ->> 'operation', v_call ->> 'path',
          v_call ->> 'key', decode(v_call ->> 'fingerprint', 'hex'), (v_call ->> 'status')::integer, v_call -> 'body',
          (v_call ->> 'expiresAt')::timestamptz)
        on conflict (organization_id, caller_id, operation, path, idempotency_key) do update set
          fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
          expires_at = excluded.expires_at; -- the row of an earlier window, past its 24 hours
    end if;
    perform write_audit_entries(jsonb_build_array(v_item -> 'audit'));
    return next;
  end loop;
end $$;

grant execute on function fire_on_external_transactions, claim_rule_runs, lock_facts, carry_out_runs, trigger_rules
  to :"app_role";
