-- Transfers and their states (decisions page, "Transfer"), the proposals that wait for a human, and the functions by
-- which money is held, booked, released and returned. The state is the queue: a transfer carries its next step and
-- when that is due.
--
-- Locks are taken in this order everywhere: api key, membership, proposal, transfer, ledgers in id order.

create table transfers (
  organization_id          uuid not null references organizations (id),
  id                       uuid not null,
  status                   text not null check (status in
    ('APPROVAL_PENDING', 'APPROVAL_DENIED', 'PROCESSING', 'COMPLETE', 'FAILED', 'CANCELLED', 'RETURNED')),
  execution_mode           text not null check (execution_mode in ('LIVE', 'SIMULATION')),
  direction                text not null check (direction in ('MONEY_IN', 'MONEY_OUT', 'INTERNAL')),
  origin                   text not null check (origin in
    ('API', 'RULE', 'USER', 'DIRECT_DEPOSIT', 'CHECK_DEPOSIT', 'EXTERNAL_PULL')),
  amount_in_cents          bigint not null check (amount_in_cents between 1 and 9007199254740991),
  description              text check (description ~ '^[A-Za-z0-9 ]{1,10}$'),
  source_account_id        uuid,
  destination_account_id   uuid,
  -- The party that is no account of this organization, where there is one.
  counterparty_name        text check (length(counterparty_name) <= 200),
  rule_id                  uuid,
  rule_execution_id        uuid,
  reason_for_approval      text check (length(reason_for_approval) <= 1000),
  proposed_by_kind         text not null check (proposed_by_kind in ('API_KEY', 'MEMBER', 'RULE', 'BANK')),
  proposed_by_id           uuid,
  proposed_by_name         text not null,
  -- Known at acceptance (not enough money), told when it fails a moment later.
  fails_with               text,
  error_code               text,
  error_message            text,
  created_at               timestamptz not null,
  updated_at               timestamptz not null,
  accepted_at              timestamptz,
  completed_at             timestamptz,
  expected_completion_date date,
  -- Kept back on the source's ledger until booked or released.
  hold_in_cents            bigint not null default 0 check (hold_in_cents in (0, amount_in_cents)),
  -- BOOK and FAIL are done by the database alone; SUBMIT may still be cancelled; ASK has been leased for the bank once,
  -- so from then on the bank is asked first; AWAIT waits for the bank's notice.
  next_step                text check (next_step in ('BOOK', 'FAIL', 'SUBMIT', 'ASK', 'AWAIT')),
  due_at                   timestamptz,
  attempts                 integer not null default 0,
  -- Real time, unlike due_at: a lease is about processes, not about business days.
  leased_until             timestamptz,
  last_error               text,
  bank_reference           text,
  cancelled_by             uuid references users (id),
  primary key (organization_id, id),
  foreign key (organization_id, source_account_id) references accounts (organization_id, id),
  foreign key (organization_id, destination_account_id) references accounts (organization_id, id),
  check (source_account_id is not null or destination_account_id is not null),
  check (source_account_id is distinct from destination_account_id),
  check ((next_step is null) or (status = 'PROCESSING')),
  check (hold_in_cents = 0 or status = 'PROCESSING'),
  check (execution_mode = 'LIVE' or status = 'COMPLETE'),
  check (cancelled_by is null or status = 'CANCELLED')
) with (fillfactor = 80);
create index transfers_by_source on transfers (organization_id, source_account_id, execution_mode, id desc);
create index transfers_by_destination on transfers (organization_id, destination_account_id, execution_mode, id desc);
create index transfers_to_book on transfers (due_at) where next_step in ('BOOK', 'FAIL');
create index transfers_for_bank on transfers (due_at) where next_step in ('SUBMIT', 'ASK');

-- One row per thing that a human is asked to decide; the id is that of the transfer (or, with rules, of the execution).
create table proposals (
  organization_id  uuid not null references organizations (id),
  id               uuid not null,
  kind             text not null check (kind in ('TRANSFER')),
  state            text not null check (state in ('WAITING', 'APPROVED', 'DENIED', 'EXPIRED', 'REVOKED')),
  -- Null where a member proposes.
  api_key_id       uuid,
  -- The request as it was sent: method, path, the two headers that callers choose, body. Never the bearer token.
  -- Null where there was none (a member in the dashboard).
  request          jsonb,
  created_at       timestamptz not null,
  expires_at       timestamptz not null,
  remind_at        timestamptz,
  decided_at       timestamptz,
  decided_by       uuid references users (id),
  decision_method  text check (decision_method in ('PASSKEY', 'PASSWORD', 'RECENT_SIGN_IN', 'RECOVERY_CODE')),
  decision_passkey_name text,
  decision_note    text check (length(decision_note) <= 280),
  decision_digest  text,
  primary key (organization_id, id),
  foreign key (organization_id, api_key_id) references api_keys (organization_id, id),
  check ((state = 'WAITING') = (decided_at is null)),
  check ((decided_by is not null) = (state in ('APPROVED', 'DENIED')))
);
create index proposals_waiting on proposals (organization_id, expires_at) where state = 'WAITING';
create index proposals_decided on proposals (organization_id, decided_at desc) where state <> 'WAITING';
create index proposals_by_key on proposals (organization_id, api_key_id, id desc);
create index proposals_to_expire on proposals (expires_at) where state = 'WAITING';
create index proposals_to_remind on proposals (remind_at) where state = 'WAITING' and remind_at is not null;

-- A bank's notice counts once, by its reference.
create table bank_notices (
  organization_id uuid not null,
  reference       text not null,
  transfer_id     uuid not null,
  kind            text not null check (kind in ('SETTLED', 'RETURNED')),
  code            text,
  occurred_at     timestamptz not null,
  received_at     timestamptz not null,
  primary key (organization_id, reference),
  foreign key (organization_id, transfer_id) references transfers (organization_id, id)
);

-- The step by which an accepted transfer goes on: pod to pod by us alone, everything else through the bank.
create function first_step(p_direction text, p_error_code text) returns text
language sql immutable as $$
  select case when p_error_code is not null then 'FAIL' when p_direction = 'INTERNAL' then 'BOOK' else 'SUBMIT' end
$$;

-- Takes the amount out of what is available on the source, or says why it cannot (null: taken, or nothing to take).
-- p_keep_floor: no human approves this one, so it may not go below the floor.
create function reserve(
  p_organization_id uuid, p_account_id uuid, p_amount_in_cents bigint, p_keep_floor boolean
) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_account accounts;
  v_available bigint;
  v_pulled bigint;
  v_refreshed_at timestamptz;
begin
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

-- What a caller is told of a transfer that fails for a reason of ours.
create function failure_message(p_error_code text) returns text
language sql immutable as $$
  select case p_error_code
    when 'INSUFFICIENT_FUNDS' then 'The source account did not have enough available money. Nothing moved.'
    when 'BELOW_FLOOR' then 'The transfer would have taken the source account below its floor, which only a person may approve. Nothing moved.'
    when 'ACCOUNT_CLOSED' then 'One of the accounts was closed. Nothing moved.'
    when 'BALANCE_UNAVAILABLE' then 'The balance of the source account is not known at the moment. Nothing moved.'
    else 'The bank refused or returned the transfer (' || p_error_code || '). Nothing moved.'
  end
$$;

-- Writes transfers that are asked for, each with its proposal or its hold, its idempotent result and its audit entry.
-- The asker is a key, or a member, whose transfers are always proposals.
-- p_items: a JSON array, see create-transfer.ts. Answers one row per item, in order:
--   CREATED | REPLAY (with what was answered then) | IN_PROGRESS | KEY_REVOKED
create function create_transfers(p_items jsonb)
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

-- The ledgers that a transfer debits and credits; money that crosses the organization's border meets the clearing ledger.
create function debit_ledger(t transfers, p_clearing_ledger_id uuid) returns uuid language sql immutable as $$
  select case when t.direction = 'MONEY_IN' then p_clearing_ledger_id else t.source_account_id end
$$;
create function credit_ledger(t transfers, p_clearing_ledger_id uuid) returns uuid language sql immutable as $$
  select case when t.direction = 'MONEY_OUT' then p_clearing_ledger_id else t.destination_account_id end
$$;

-- Ends an accepted transfer without moving anything: its hold goes back to what is available.
create function end_unmoved(t transfers, p_status text, p_error_code text, p_now timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if t.hold_in_cents > 0 then
    update ledgers set held_in_cents = held_in_cents - t.hold_in_cents
      where organization_id = t.organization_id and id = t.source_account_id;
  end if;
  update transfers set status = p_status, hold_in_cents = 0, next_step = null, due_at = null, leased_until = null,
      error_code = p_error_code,
      error_message = case when p_error_code is not null then failure_message(p_error_code) end,
      completed_at = p_now, updated_at = p_now
    where organization_id = t.organization_id and id = t.id;
end $$;

-- Writes the entry of an accepted transfer and completes it.
create function book(t transfers, p_entry_id uuid, p_now timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_clearing uuid;
begin
  select clearing_ledger_id into v_clearing from organizations where id = t.organization_id;
  insert into entries (organization_id, id, transfer_id, kind, debit_ledger_id, credit_ledger_id, amount_in_cents,
      releases_hold_in_cents, booked_at)
    values (t.organization_id, p_entry_id, t.id, 'TRANSFER', debit_ledger(t, v_clearing),
      credit_ledger(t, v_clearing), t.amount_in_cents, t.hold_in_cents, p_now);
  update transfers set status = 'COMPLETE', hold_in_cents = 0, next_step = null, due_at = null, leased_until = null,
      completed_at = p_now, updated_at = p_now
    where organization_id = t.organization_id and id = t.id;
end $$;

-- Books or fails what is due, all of it inside this one call. p_now is real time; each organization has its own
-- business time. A transfer that cannot be booked (a fault of ours) waits for a later attempt and stops no other.
create function book_due_transfers(p_now timestamptz, p_entry_ids uuid[])
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

-- Keeps balances still from a check to what the check allows.
create function lock_ledgers(p_organization_id uuid, p_ids uuid[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  select from ledgers where organization_id = p_organization_id and id = any (p_ids) order by id for update
$$;

-- The approved transfer of a decided proposal, in the deciding transaction. A human decides, so the floor does not bind.
-- Answers null, or why it will fail.
create function accept_approved_transfer(p_organization_id uuid, p_id uuid, p_expected_completion_date date,
  p_now timestamptz) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_transfer transfers;
  v_error_code text;
begin
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

-- The transfers of proposals that were denied, expired or revoked; never ran, never will.
create function deny_transfers(p_organization_id uuid, p_ids uuid[], p_now timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  update transfers t set status = 'APPROVAL_DENIED', completed_at = p_now, updated_at = p_now
    from proposals p
    where t.organization_id = p_organization_id and t.id = any (p_ids) and t.status = 'APPROVAL_PENDING'
      and p.organization_id = t.organization_id and p.id = t.id and p.state in ('DENIED', 'EXPIRED', 'REVOKED')
$$;

-- Closes proposals that nobody decided in time. p_now is real time; each organization has its own business time.
create function expire_proposals(p_now timestamptz, p_limit integer)
returns table (organization_id uuid, id uuid)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_proposal record;
begin
  for v_proposal in
    select p.organization_id, p.id, p_now + o.clock_offset_ms * interval '1 millisecond' as business_now
      from proposals p join organizations o on o.id = p.organization_id
      where p.state = 'WAITING' and p.expires_at <= p_now + o.clock_offset_ms * interval '1 millisecond'
      order by p.expires_at limit p_limit
      for update of p skip locked
  loop
    update proposals p set state = 'EXPIRED', decided_at = v_proposal.business_now, remind_at = null
      where p.organization_id = v_proposal.organization_id and p.id = v_proposal.id;
    perform deny_transfers(v_proposal.organization_id, array[v_proposal.id], v_proposal.business_now);
    organization_id := v_proposal.organization_id; id := v_proposal.id;
    return next;
  end loop;
end $$;

-- Cancels what was neither booked, nor submitted to the bank, nor leased for it. Answers whether it did.
create function cancel_transfer(p_organization_id uuid, p_id uuid, p_cancelled_by uuid, p_now timestamptz)
returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_transfer transfers;
begin
  select * into v_transfer from transfers where organization_id = p_organization_id and id = p_id for update;
  if not found or v_transfer.next_step is null or v_transfer.next_step not in ('BOOK', 'SUBMIT') then
    return false;
  end if;
  perform end_unmoved(v_transfer, 'CANCELLED', null, p_now);
  update transfers set cancelled_by = p_cancelled_by where organization_id = p_organization_id and id = p_id;
  return true;
end $$;

-- Claims transfers for the bank. From this commit on the bank may know of them: the step is ASK, never SUBMIT again.
create function lease_bank_transfers(p_now timestamptz, p_lease_ms integer, p_limit integer)
returns table (
  organization_id uuid, id uuid, direction text, amount_in_cents bigint, description text, attempts integer,
  is_first_attempt boolean, clock_offset_ms bigint, outside_name text, outside_routing_number_last4 text,
  outside_account_number_last4 text
)
language sql security definer set search_path = public, pg_temp as $$
  with due as materialized (
    select t.organization_id, t.id, t.next_step = 'SUBMIT' as is_first_attempt, o.clock_offset_ms
      from transfers t join organizations o on o.id = t.organization_id
      where t.next_step in ('SUBMIT', 'ASK')
        and t.due_at <= p_now + o.clock_offset_ms * interval '1 millisecond'
        and (t.leased_until is null or t.leased_until < p_now)
      order by t.due_at limit p_limit
      for update of t skip locked),
  leased as (
    update transfers t set next_step = 'ASK', attempts = t.attempts + 1,
        leased_until = p_now + p_lease_ms * interval '1 millisecond'
      from due where t.organization_id = due.organization_id and t.id = due.id
      returning t.*, due.is_first_attempt, due.clock_offset_ms)
  select l.organization_id, l.id, l.direction, l.amount_in_cents, l.description, l.attempts, l.is_first_attempt,
      l.clock_offset_ms, a.name, a.routing_number_last4, a.account_number_last4
    from leased l
    join accounts a on a.organization_id = l.organization_id
      and a.id = case when l.direction = 'MONEY_OUT' then l.destination_account_id else l.source_account_id end
$$;

-- What the bank said of a leased transfer. ACCEPTED waits for its notice, REFUSED fails, UNKNOWN is asked again later.
create function record_bank_answer(p_organization_id uuid, p_id uuid, p_answer text, p_reference text, p_code text,
  p_expected_completion_date date, p_retry_at timestamptz, p_now timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_transfer transfers;
begin
  select * into v_transfer from transfers where organization_id = p_organization_id and id = p_id for update;
  -- The notice may have overtaken this answer, or another worker's answer this one.
  if not found or v_transfer.next_step is distinct from 'ASK' then return false; end if;
  if p_answer = 'REFUSED' then
    perform end_unmoved(v_transfer, 'FAILED', p_code, p_now);
  elsif p_answer = 'ACCEPTED' then
    update transfers set next_step = 'AWAIT', due_at = null, leased_until = null, last_error = null,
        bank_reference = p_reference, expected_completion_date = p_expected_completion_date, updated_at = p_now
      where organization_id = p_organization_id and id = p_id;
  elsif p_answer = 'UNKNOWN' then
    update transfers set due_at = p_retry_at, leased_until = null, last_error = p_code
      where organization_id = p_organization_id and id = p_id;
  else
    raise exception 'unknown answer %', p_answer;
  end if;
  return true;
end $$;

-- Applies a bank's notice, once by its reference. Answers the transfer's status after it, or null for a duplicate.
create function apply_bank_notice(p_organization_id uuid, p_reference text, p_transfer_id uuid, p_kind text,
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

-- Money that the bank says has arrived on a managed account from outside, once by the bank's reference. Answers whether
-- it was new.
create function record_deposit(p_organization_id uuid, p_transfer_id uuid, p_entry_id uuid, p_reference text,
  p_account_id uuid, p_amount_in_cents bigint, p_origin text, p_payer_name text, p_now timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_transfer transfers;
begin
  if p_origin not in ('DIRECT_DEPOSIT', 'CHECK_DEPOSIT') then raise exception 'no deposit: %', p_origin; end if;
  -- The notice's transfer is written after it, in this transaction; until then two of one reference meet here.
  perform pg_advisory_xact_lock(hashtextextended(p_organization_id || '|deposit|' || p_reference, 0));
  perform 1 from bank_notices where organization_id = p_organization_id and reference = p_reference;
  if found then return false; end if;

  insert into transfers (organization_id, id, status, execution_mode, direction, origin, amount_in_cents,
      destination_account_id, counterparty_name, proposed_by_kind, proposed_by_name, created_at, updated_at,
      accepted_at)
    values (p_organization_id, p_transfer_id, 'PROCESSING', 'LIVE', 'MONEY_IN', p_origin, p_amount_in_cents,
      p_account_id, p_payer_name, 'BANK', 'Bank', p_now, p_now, p_now)
    returning * into v_transfer;
  insert into bank_notices values (p_organization_id, p_reference, p_transfer_id, 'SETTLED', null, p_now, p_now);
  perform book(v_transfer, p_entry_id, p_now);
  return true;
end $$;

grant select on transfers, proposals, bank_notices to :"app_role";
-- Deciding writes the decision; what was proposed, and when it closes, stays as it was.
grant update (state, decided_at, decided_by, decision_method, decision_passkey_name, decision_note,
  decision_digest, remind_at)
  on proposals to :"app_role";
grant execute on function create_transfers, lock_ledgers, book_due_transfers, accept_approved_transfer, deny_transfers, expire_proposals,
  cancel_transfer, lease_bank_transfers, record_bank_answer, apply_bank_notice,
  record_deposit to :"app_role";
