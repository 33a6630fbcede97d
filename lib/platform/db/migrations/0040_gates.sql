-- Close all gates (decisions page, "Approval"): one act by which nothing of an organization moves any more until an owner
-- or co-owner opens them again. What was accepted and has not left keeps its hold and waits; what would have begun is
-- refused, or recorded as not made.

-- One row per closing; open gates are those without a row that has not been opened.
create table gate_closings (
  organization_id uuid not null references organizations (id),
  id              uuid not null,
  -- Business time, as `opened_at`.
  closed_at       timestamptz not null,
  closed_by       uuid not null references users (id),
  opened_at       timestamptz,
  opened_by       uuid references users (id),
  opening_method  text check (opening_method in ('PASSKEY', 'PASSWORD', 'RECENT_SIGN_IN', 'RECOVERY_CODE')),
  primary key (organization_id, id),
  check (opened_at >= closed_at),
  check ((opened_at is null) = (opened_by is null) and (opened_at is null) = (opening_method is null))
);
create unique index gates_closed on gate_closings (organization_id) where opened_at is null;
-- Written by the functions below alone: whoever can reach the application's connection cannot open a gate by a plain update.
grant select on gate_closings to :"app_role";

create function gate_lock(p_organization_id uuid) returns bigint
language sql immutable as $$ select hashtextextended(p_organization_id || '|gates', 0) $$;

-- Whether money may move, asked inside each transaction that moves some, and true until its commit: a closing waits for
-- all who were told yes, and whoever asks from then on is told no at once. Nobody waits here, so it needs no place in the
-- order of locks.
--
-- Two statements on purpose: the second one sees what the closing committed that let go of the lock.
create function gates_are_open(p_organization_id uuid) returns boolean
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  if not pg_try_advisory_xact_lock_shared(gate_lock(p_organization_id)) then return false; end if;
  return not exists (select from gate_closings g where g.organization_id = p_organization_id and g.opened_at is null);
end $$;

-- Closes all gates at once. Answers CLOSED | ALREADY | MAY_NOT. p_now: business time.
create function close_gates(p_organization_id uuid, p_id uuid, p_notice_id uuid, p_by uuid, p_now timestamptz)
returns text
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Before the lock: somebody who may not close must not hold anybody up either.
  if not exists (select from memberships m where m.organization_id = p_organization_id and m.user_id = p_by
    and m.role in ('OWNER', 'CO_OWNER')) then return 'MAY_NOT'; end if;
  -- The only lock that this transaction waits for, and the first one it takes: whoever it waits for waits for nothing of it.
  perform pg_advisory_xact_lock(gate_lock(p_organization_id));
  perform 1 from memberships m where m.organization_id = p_organization_id and m.user_id = p_by
    and m.role in ('OWNER', 'CO_OWNER') for share;
  if not found then return 'MAY_NOT'; end if;
  insert into gate_closings (organization_id, id, closed_at, closed_by)
    values (p_organization_id, p_id, p_now, p_by)
    on conflict (organization_id) where opened_at is null do nothing;
  if not found then return 'ALREADY'; end if;
  insert into notices (organization_id, id, kind, subject_id, created_at, due_at)
    values (p_organization_id, p_notice_id, 'GATES_CLOSED', p_id, p_now, p_now);
  return 'CLOSED';
end $$;

-- Opens the gates of this closing. Answers OPENED | ALREADY | MAY_NOT. p_now: business time.
create function open_gates(p_organization_id uuid, p_id uuid, p_notice_id uuid, p_by uuid, p_method text,
  p_now timestamptz)
returns text
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform 1 from memberships m where m.organization_id = p_organization_id and m.user_id = p_by
    and m.role in ('OWNER', 'CO_OWNER') for share;
  if not found then return 'MAY_NOT'; end if;
  update gate_closings g set opened_at = greatest(p_now, g.closed_at), opened_by = p_by, opening_method = p_method
    where g.organization_id = p_organization_id and g.id = p_id and g.opened_at is null;
  if not found then return 'ALREADY'; end if;
  insert into notices (organization_id, id, kind, subject_id, created_at, due_at)
    values (p_organization_id, p_notice_id, 'GATES_OPENED', p_id, p_now, p_now);
  return 'OPENED';
end $$;

-- Whether all gates were closed at a moment of business time.
create function gates_were_closed(p_organization_id uuid, p_at timestamptz) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from gate_closings g where g.organization_id = p_organization_id and g.closed_at <= p_at
    and (g.opened_at is null or g.opened_at > p_at))
$$;
create index gate_closings_by_time on gate_closings (organization_id, closed_at desc);

grant execute on function gates_are_open, close_gates, open_gates, gates_were_closed to :"app_role";

alter table notices
  drop constraint notices_kind_check,
  add constraint notices_kind_check check (kind in ('APPROVAL_ASKED', 'APPROVAL_REMINDER', 'APPROVAL_DECIDED',
    'RULE_RUN_FAILED', 'TRANSFER_RETURNED', 'TRANSFER_REFUSED', 'ENDPOINT_DISABLED', 'KEY_CREATED',
    'ASSISTANT_CONNECTED', 'NEW_DEVICE', 'MEMBER_JOINED', 'GATES_CLOSED', 'GATES_OPENED'));
alter table notification_preferences
  drop constraint notification_preferences_topic_check,
  add constraint notification_preferences_topic_check
    check (topic in ('APPROVALS', 'DECISIONS', 'RETURNS', 'RULE_RUNS', 'ENDPOINTS', 'SECURITY', 'GATES'));
alter table rule_skipped_times
  drop constraint rule_skipped_times_reason_check,
  add constraint rule_skipped_times_reason_check check (reason in ('DOWNTIME', 'PAUSED', 'GATES_CLOSED'));
alter table card_authorizations
  drop constraint card_authorizations_decline_reason_check,
  add constraint card_authorizations_decline_reason_check check (decline_reason in ('CARD_CLOSED', 'CARD_FROZEN',
    'ACCOUNT_CLOSED', 'MONTHLY_LIMIT', 'INSUFFICIENT_FUNDS', 'BELOW_FLOOR', 'GATES_CLOSED'));

-- From here on: functions of earlier migrations, each with the one question added.

-- Supersedes 0004: nothing is held for a movement that is not allowed to begin; a purchase is declined by it.
create or replace function reserve(
  p_organization_id uuid, p_account_id uuid, p_amount_in_cents bigint, p_keep_floor boolean
) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_account accounts;
  v_available bigint;
  v_pulled bigint;
  v_refreshed_at timestamptz;
begin
  if not gates_are_open(p_organization_id) then return 'GATES_CLOSED'; end if;
  select * into v_account from accounts where organization_id = p_organization_id and id = p_account_id;
  if v_account.deleted_at is not null then return 'ACCOUNT_CLOSED'; end if;

  if v_account.type <> 'EXTERNAL_ACCOUNT' then
    update ledgers set held_in_cents = held_in_cents + p_amount_in_cents
      where organization_id = p_organization_id and id = p_account_id
        and credits_in_cents - debits_in_cents - held_in_cents - p_amount_in_cents
            >= case when p_keep_floor then coalesce(v_account.floor_in_cents, 0) else 0 end;
    if found then return null; end if;
    select credits_in_cents - debits_in_cents - held_in_cents into v_available
      from ledgers where organization_id = p_organization_id and id = p_account_id;
    return case when v_available >= p_amount_in_cents then 'BELOW_FLOOR' else 'INSUFFICIENT_FUNDS' end;
  end if;

  -- Outside: the last balance less what we have pulled since. The row lock makes rival pulls count each other.
  select coalesce(available_balance_in_cents, balance_in_cents), refreshed_at into v_available, v_refreshed_at
    from provider_balances where organization_id = p_organization_id and account_id = p_account_id for update;
  if v_available is null or v_refreshed_at is null then return 'BALANCE_UNAVAILABLE'; end if;
  select coalesce(sum(amount_in_cents), 0) into v_pulled from transfers
    where organization_id = p_organization_id and source_account_id = p_account_id and execution_mode = 'LIVE'
      and accepted_at >= v_refreshed_at and status in ('PROCESSING', 'COMPLETE');
  return case when v_available - v_pulled < p_amount_in_cents then 'INSUFFICIENT_FUNDS' end;
end $$;

-- Supersedes 0004: a program is refused, whether a person would have been asked or not.
--   CREATED | REPLAY (with what was answered then) | IN_PROGRESS | KEY_REVOKED | GATES_CLOSED
create or replace function create_transfers(p_items jsonb)
returns table (outcome text, replay_status integer, replay_body jsonb, replay_fingerprint text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_item jsonb;
  v_transfer jsonb;
  v_idempotency jsonb;
  v_previous idempotency_results;
  v_organization_id uuid;
  v_key_id uuid;
  v_now timestamptz;
  v_error_code text;
  v_is_managed boolean;
begin
  -- All ledgers of the batch in order first, so that two batches cannot wait for each other.
  perform 1 from ledgers l
    where (l.organization_id, l.id) in (
      select (i ->> 'organizationId')::uuid, (i -> 'transfer' ->> 'sourceAccountId')::uuid
      from jsonb_array_elements(p_items) i where i -> 'transfer' ->> 'status' = 'PROCESSING')
      and jsonb_array_length(p_items) > 1
    order by l.organization_id, l.id for update;

  for v_item in select i from jsonb_array_elements(p_items) i loop
    v_transfer := v_item -> 'transfer';
    v_idempotency := v_item -> 'idempotency';
    v_organization_id := (v_item ->> 'organizationId')::uuid;
    v_key_id := (v_item ->> 'apiKeyId')::uuid; -- null: a member asks
    v_now := (v_item ->> 'now')::timestamptz;
    outcome := 'CREATED'; replay_status := null; replay_body := null; replay_fingerprint := null;

    if v_idempotency is not null and jsonb_typeof(v_idempotency) = 'object' then
      -- A rival with the same key is answered at once, it does not queue behind the original.
      if not pg_try_advisory_xact_lock(hashtextextended(concat_ws('|', v_key_id, v_idempotency ->> 'operation',
          v_idempotency ->> 'path', v_idempotency ->> 'key'), 0)) then
        outcome := 'IN_PROGRESS';
        return next;
        continue;
      end if;
      select * into v_previous from idempotency_results r
        where r.organization_id = v_organization_id and r.caller_id = v_key_id
          and r.operation = v_idempotency ->> 'operation' and r.path = v_idempotency ->> 'path'
          and r.idempotency_key = v_idempotency ->> 'key';
      if found and v_previous.expires_at > v_now then
        outcome := 'REPLAY'; replay_status := v_previous.status; replay_body := v_previous.body;
        replay_fingerprint := encode(v_previous.fingerprint, 'hex');
        return next;
        continue;
      end if;
    end if;

    -- Conflicts with the FOR UPDATE of a revocation only: what a revocation did not see, it did not let through.
    perform 1 from api_keys k where k.organization_id = v_organization_id and k.id = v_key_id
      and k.revoked_at is null for key share;
    if not found and v_key_id is not null then
      outcome := 'KEY_REVOKED';
      return next;
      continue;
    end if;

    -- After the replay: what was answered before the closing is answered again.
    if v_key_id is not null and v_transfer ->> 'executionMode' = 'LIVE' and not gates_are_open(v_organization_id) then
      outcome := 'GATES_CLOSED';
      return next;
      continue;
    end if;

    if v_key_id is null and v_transfer ->> 'status' <> 'APPROVAL_PENDING' then
      raise exception 'what a member asks for waits for a confirmed approval';
    end if;

    v_error_code := null;
    v_is_managed := false;
    if v_transfer ->> 'status' = 'PROCESSING' then
      v_error_code := reserve(v_organization_id, (v_transfer ->> 'sourceAccountId')::uuid,
        (v_transfer ->> 'amountInCents')::bigint, true);
      v_is_managed := v_transfer ->> 'direction' <> 'MONEY_IN';
    end if;

    insert into transfers (
        organization_id, id, status, execution_mode, direction, origin, amount_in_cents, description,
        source_account_id, destination_account_id, reason_for_approval, proposed_by_kind, proposed_by_id,
        proposed_by_name, created_at, updated_at, accepted_at, completed_at, expected_completion_date,
        hold_in_cents, next_step, due_at, fails_with)
      values (
        v_organization_id, (v_transfer ->> 'id')::uuid, v_transfer ->> 'status', v_transfer ->> 'executionMode',
        v_transfer ->> 'direction', v_transfer ->> 'origin', (v_transfer ->> 'amountInCents')::bigint, v_transfer ->> 'description',
        (v_transfer ->> 'sourceAccountId')::uuid, (v_transfer ->> 'destinationAccountId')::uuid,
        v_transfer ->> 'reasonForApproval', v_item -> 'proposedBy' ->> 'kind',
        (v_item -> 'proposedBy' ->> 'id')::uuid, v_item -> 'proposedBy' ->> 'name', v_now, v_now,
        case when v_transfer ->> 'status' = 'PROCESSING' then v_now end,
        case when v_transfer ->> 'status' = 'COMPLETE' then v_now end,
        (v_transfer ->> 'expectedCompletionDate')::date,
        case when v_is_managed and v_error_code is null then (v_transfer ->> 'amountInCents')::bigint else 0 end,
        case when v_transfer ->> 'status' = 'PROCESSING'
          then first_step(v_transfer ->> 'direction', v_error_code) end,
        case when v_transfer ->> 'status' = 'PROCESSING' then v_now end, v_error_code);

    if v_transfer ->> 'status' = 'APPROVAL_PENDING' then
      insert into proposals (organization_id, id, kind, state, api_key_id, request, created_at, expires_at, remind_at)
        values (v_organization_id, (v_transfer ->> 'id')::uuid, 'TRANSFER', 'WAITING', v_key_id,
          nullif(v_item -> 'request', 'null'), v_now, (v_item ->> 'expiresAt')::timestamptz, (v_item ->> 'remindAt')::timestamptz);
      insert into notices (organization_id, id, kind, proposal_id, api_key_id, created_at, due_at)
        values (v_organization_id, (v_item ->> 'noticeId')::uuid, 'APPROVAL_ASKED', (v_transfer ->> 'id')::uuid,
          v_key_id, v_now, v_now);
    end if;

    if v_idempotency is not null and jsonb_typeof(v_idempotency) = 'object' then
      insert into idempotency_results values (v_organization_id, v_key_id, v_idempotency ->> 'operation',
          v_idempotency ->> 'path', v_idempotency ->> 'key', decode(v_idempotency ->> 'fingerprint', 'hex'),
          (v_idempotency ->> 'status')::integer, v_idempotency -> 'body',
          (v_idempotency ->> 'expiresAt')::timestamptz)
        on conflict (organization_id, caller_id, operation, path, idempotency_key) do update set
          fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
          expires_at = excluded.expires_at; -- the row of an earlier window, past its 24 hours
    end if;

    if v_key_id is not null then
      perform write_audit_entries(jsonb_build_array(v_item -> 'audit'));
    end if;
    return next;
  end loop;
end $$;

-- Supersedes 0004: no decision moves money while the gates are closed. For runs `reserve` says so.
create or replace function accept_approved_transfer(p_organization_id uuid, p_id uuid, p_expected_completion_date date,
  p_now timestamptz) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_transfer transfers;
  v_error_code text;
begin
  if not gates_are_open(p_organization_id) then
    raise exception 'all gates of organization % are closed', p_organization_id;
  end if;
  -- Only what has in truth been approved: whoever calls this cannot make money move without the decision.
  select t.* into strict v_transfer from transfers t join proposals p using (organization_id, id)
    where t.organization_id = p_organization_id and t.id = p_id
      and t.status = 'APPROVAL_PENDING' and p.state = 'APPROVED'
    for update of t;
  v_error_code := reserve(p_organization_id, v_transfer.source_account_id, v_transfer.amount_in_cents, false);
  update transfers set status = 'PROCESSING', accepted_at = p_now, updated_at = p_now, due_at = p_now,
      -- Over ACH the bank says, once it has the order.
      expected_completion_date = case when direction = 'INTERNAL' then p_expected_completion_date end,
      hold_in_cents = case when v_error_code is null and direction <> 'MONEY_IN' then amount_in_cents else 0 end,
      next_step = first_step(direction, v_error_code), fails_with = v_error_code
    where organization_id = p_organization_id and id = p_id;
  return v_error_code;
end $$;

-- Supersedes 0004: what was accepted waits, with its hold, until the gates open.
create or replace function book_due_transfers(p_now timestamptz, p_entry_ids uuid[])
returns table (organization_id uuid, id uuid, status text, last_error text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_due transfers[];
  v_transfer transfers;
  v_business_now timestamptz;
  v_destination_closed boolean;
  v_ordinal integer := 0;
begin
  select array_agg(d order by d.organization_id, d.due_at) into v_due from (
    select t.* from transfers t join organizations o on o.id = t.organization_id
      where t.next_step in ('BOOK', 'FAIL')
        and t.due_at <= p_now + o.clock_offset_ms * interval '1 millisecond'
        and (t.next_step = 'FAIL' or gates_are_open(t.organization_id))
      order by t.due_at limit cardinality(p_entry_ids)
      for update of t skip locked) d;
  if v_due is null then return; end if;

  perform 1 from ledgers l
    where (l.organization_id, l.id) in (
      select u.organization_id, u.source_account_id from unnest(v_due) u
      union select u.organization_id, u.destination_account_id from unnest(v_due) u)
    order by l.organization_id, l.id for update;

  foreach v_transfer in array v_due loop
    v_ordinal := v_ordinal + 1;
    select p_now + o.clock_offset_ms * interval '1 millisecond' into v_business_now
      from organizations o where o.id = v_transfer.organization_id;
    organization_id := v_transfer.organization_id; id := v_transfer.id; last_error := null;
    begin
      select a.deleted_at is not null into v_destination_closed from accounts a
        where a.organization_id = v_transfer.organization_id and a.id = v_transfer.destination_account_id;
      if v_transfer.next_step = 'FAIL' then
        perform end_unmoved(v_transfer, 'FAILED', v_transfer.fails_with, v_business_now);
        status := 'FAILED';
      elsif v_destination_closed then
        perform end_unmoved(v_transfer, 'FAILED', 'ACCOUNT_CLOSED', v_business_now);
        status := 'FAILED';
      else
        perform book(v_transfer, p_entry_ids[v_ordinal], v_business_now);
        status := 'COMPLETE';
      end if;
    exception when integrity_constraint_violation or data_exception then
      update transfers t set attempts = t.attempts + 1, last_error = sqlerrm,
          due_at = v_business_now + least(power(2, least(t.attempts, 10)), 600) * interval '1 second'
        where t.organization_id = v_transfer.organization_id and t.id = v_transfer.id;
      status := 'PROCESSING'; last_error := sqlerrm;
    end;
    return next;
  end loop;
end $$;

-- Supersedes 0015: what has not been handed to the bank waits, with its hold, until the gates open.
create or replace function lease_bank_transfers(p_now timestamptz, p_lease_ms integer, p_limit integer)
returns table (
  organization_id uuid, id uuid, direction text, amount_in_cents bigint, description text, attempts integer,
  is_first_attempt boolean, clock_offset_ms bigint, outside_name text, outside_routing_number_last4 text,
  outside_account_number_last4 text
)
language sql security definer set search_path = public, pg_temp as $$
  with due as materialized (
    select t.organization_id, t.id, t.next_step = 'SUBMIT' as is_first_attempt, o.clock_offset_ms,
        -- What the bank may know of already is carried through: only the bank can say what became of it.
        t.next_step = 'SUBMIT' and exists (
          select from accounts a where a.organization_id = t.organization_id
            and a.id in (t.source_account_id, t.destination_account_id) and a.deleted_at is not null) as is_stopped
      from transfers t join organizations o on o.id = t.organization_id
      where t.next_step in ('SUBMIT', 'ASK')
        and t.due_at <= p_now + o.clock_offset_ms * interval '1 millisecond'
        and (t.leased_until is null or t.leased_until < p_now)
        -- What the bank may know of already is asked for all the same: it can no longer be called back.
        and (t.next_step = 'ASK' or gates_are_open(t.organization_id))
      order by t.due_at limit p_limit
      for update of t skip locked),
  stopped as (
    update transfers t set next_step = 'FAIL', fails_with = 'ACCOUNT_CLOSED'
      from due where t.organization_id = due.organization_id and t.id = due.id and due.is_stopped),
  leased as (
    update transfers t set next_step = 'ASK', attempts = t.attempts + 1,
        leased_until = p_now + p_lease_ms * interval '1 millisecond'
      from due where t.organization_id = due.organization_id and t.id = due.id and not due.is_stopped
      returning t.*, due.is_first_attempt, due.clock_offset_ms)
  select l.organization_id, l.id, l.direction, l.amount_in_cents, l.description, l.attempts, l.is_first_attempt,
      l.clock_offset_ms, a.name, a.routing_number_last4, a.account_number_last4
    from leased l
    join accounts a on a.organization_id = l.organization_id
      and a.id = case when l.direction = 'MONEY_OUT' then l.destination_account_id else l.source_account_id end
$$;

-- Supersedes 0025: no rule begins, whoever or whatever would have set it off. Answers GATES_CLOSED besides.
create or replace function start_rule_run(p_run jsonb) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_run ->> 'organizationId')::uuid;
  v_id uuid := (p_run ->> 'id')::uuid;
  v_now timestamptz := (p_run ->> 'now')::timestamptz;
  v_waits boolean := (p_run ->> 'approvalRequired')::boolean;
  v_key_id uuid := (p_run ->> 'apiKeyId')::uuid; -- null: no key asks
  v_rule rules;
begin
  if not gates_are_open(v_organization_id) then return 'GATES_CLOSED'; end if;
  -- Conflicts with the FOR UPDATE of a revocation only: what a revocation did not see, it did not let through.
  perform 1 from api_keys k where k.organization_id = v_organization_id and k.id = v_key_id
    and k.revoked_at is null for key share;
  if not found and v_key_id is not null then return 'KEY_REVOKED'; end if;

  -- Shared among runs, and in the way of an activation, a pause and a deactivation: each run is before them or after.
  select * into v_rule from rules where organization_id = v_organization_id and id = (p_run ->> 'ruleId')::uuid
    for key share;
  if v_rule.active_version is null then return 'NOT_ACTIVE'; end if;
  if v_rule.paused_at is not null then return 'PAUSED'; end if;

  insert into rule_executions (organization_id, id, rule_id, rule_version, status, execution_mode, trigger_details,
      reason_for_approval, created_at, cause_kind, cause_id, chain_depth, started_by_kind, started_by_id,
      started_by_name, base, approval_required, due_at)
    values (v_organization_id, v_id, v_rule.id, v_rule.active_version,
      case when v_waits then 'APPROVAL_PENDING' else 'IN_PROGRESS' end, 'LIVE', p_run -> 'triggerDetails',
      p_run ->> 'reasonForApproval', v_now, p_run ->> 'causeKind', p_run ->> 'causeId',
      coalesce((p_run ->> 'chainDepth')::smallint, 0), p_run -> 'startedBy' ->> 'kind',
      (p_run -> 'startedBy' ->> 'id')::uuid, p_run -> 'startedBy' ->> 'name', p_run -> 'base', v_waits,
      case when not v_waits then v_now end)
    on conflict on constraint fired_once do nothing;
  if not found then return 'FIRED_BEFORE'; end if;

  if v_waits then
    insert into proposals (organization_id, id, kind, state, api_key_id, request, created_at, expires_at, remind_at)
      values (v_organization_id, v_id, 'RULE_RUN', 'WAITING', v_key_id, nullif(p_run -> 'request', 'null'), v_now,
        (p_run ->> 'expiresAt')::timestamptz, (p_run ->> 'remindAt')::timestamptz);
    insert into notices (organization_id, id, kind, proposal_id, api_key_id, created_at, due_at)
      -- Many from one rule's hook are told together, as those of one key are: nobody floods the deciders.
      values (v_organization_id, (p_run ->> 'noticeId')::uuid, 'APPROVAL_ASKED', v_id,
        coalesce(v_key_id, case when p_run -> 'startedBy' ->> 'kind' = 'HOOK' then v_rule.id end), v_now, v_now);
  end if;
  return 'STARTED';
end $$;

-- Supersedes 0026: money that arrives while the gates are closed sets nothing off; the run stands there as not made.
create or replace function fire_rules(p_arrivals arrival[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into rule_executions (organization_id, id, rule_id, rule_version, status, execution_mode, trigger_details,
      created_at, cause_kind, cause_id, chain_depth, started_by_kind, started_by_id, base, due_at, ended_at,
      error_message)
    select a.organization_id, new_id(a.now), r.id, r.active_version,
        case when ended_because is null then 'IN_PROGRESS' else 'FAILED' end, 'LIVE',
        jsonb_build_object('type', 'ON_FUNDS_TRANSFERRED', 'amountInCents', a.amount_in_cents), a.now, a.cause_kind,
        a.cause_id::text, a.chain_depth, 'ARRIVAL', a.cause_id,
        jsonb_build_object('mode', 'LIVE', 'incomingAmountInCents', a.amount_in_cents),
        case when ended_because is null then a.now end, case when ended_because is not null then a.now end,
        ended_because
      from unnest(p_arrivals) with ordinality as a
      join rules r on r.organization_id = a.organization_id and r.active_trigger_type = 'ON_FUNDS_TRANSFERRED'
        and r.active_trigger_account_id = a.account_id and r.paused_at is null and r.deleted_at is null
        and a.amount_in_cents >= coalesce(r.active_minimum_in_cents, 0)
      -- Of the rule's organization: asked only where a rule waits for this money.
      cross join lateral (select case
        when a.chain_depth >= maximum_chain_depth()
          then 'Ten rules had set each other off before this one, and chains of rules end there. Nothing moved.'
        when not gates_are_open(r.organization_id)
          then 'All gates were closed when this money arrived. Nothing moved, and it is not made up.' end as ended_because) fate
      order by a.ordinality, r.id
    on conflict on constraint fired_once do nothing;
end $$;

-- Supersedes 0026: a run that has begun and has no plan yet ends with the closing. The question holds until the commit, so
-- a plan that is carried out in this transaction was asked for.
create or replace function claim_rule_runs(p_now timestamptz, p_limit integer)
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
      case when not gates_are_open(e.organization_id) then 'GATES_CLOSED'
        when r.active_version is null then 'DEACTIVATED'
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

-- Supersedes 0033.
create or replace function is_end_told(e rule_executions) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select case
      when e.planned_at is null then
        exists (select from rules r where r.organization_id = e.organization_id and r.id = e.rule_id
          and r.active_version is null)
        -- Whoever closed the gates knows, and everybody else was told of the closing.
        or gates_were_closed(e.organization_id, coalesce(e.ended_at, e.created_at))
        -- Its key was revoked, or ended, in this transaction.
        or exists (select from api_keys k where k.organization_id = e.organization_id and k.id = e.started_by_id
          and e.started_by_kind = 'API_KEY' and k.revoked_at = e.ended_at)
        -- Other causes are no ids of transfers.
        or case when e.cause_kind = 'TRANSFER' then exists (select from transfers t
          where t.organization_id = e.organization_id and t.id = e.cause_id::uuid and t.status = 'RETURNED')
          else false end
      else
        not exists (select from transfers t where t.organization_id = e.organization_id and t.rule_execution_id = e.id
          and t.status = 'FAILED' and not is_of_bank(t.error_code))
        and exists (select from transfers t where t.organization_id = e.organization_id and t.rule_execution_id = e.id
          and t.status in ('FAILED', 'CANCELLED'))
    end
$$;
