-- The items of create_transfers that need a look at each, in their order: what one takes or is refused for, the next one
-- finds. Answers as create_transfers, which has locked keys, waiting proposals, uses of caps and ledgers of a group beforehand.
-- Per item: tries the idempotency key, then locks the key FOR KEY SHARE, of a proposal the waiting ones of its key, its
-- use, and the source's ledger, the outgoing cap (lock_outgoing) or outside balance (reserve).
create or replace function create_transfers_one_by_one(p_items jsonb)
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
  v_cap bigint;
  v_use record;
begin
  for v_item in select i from jsonb_array_elements(p_items) i loop
    v_transfer := v_item -> 'transfer';
    v_idempotency := v_item -> 'idempotency';
    v_organization_id := (v_item ->> 'organizationId')::uuid;
    v_key_id := (v_item ->> 'apiKeyId')::uuid; -- null: requested by a member
    v_now := (v_item ->> 'now')::timestamptz;
    outcome := 'CREATED'; replay_status := null; replay_body := null; replay_fingerprint := null;

    if v_idempotency is not null and jsonb_typeof(v_idempotency) = 'object' then
      -- A duplicate is answered at once; it does not queue behind the original.
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

    -- Conflicts only with a revocation's FOR UPDATE: the transfer is either revoked with the key or never written.
    select k.daily_cap_in_cents into v_cap from api_keys k where k.organization_id = v_organization_id and k.id = v_key_id
      and k.revoked_at is null for key share;
    if not found and v_key_id is not null then
      outcome := 'KEY_REVOKED';
      return next;
      continue;
    end if;

    -- After the replay, so that a stored response is returned even while the gates are closed.
    if v_key_id is not null and v_transfer ->> 'executionMode' = 'LIVE' and not gates_are_open(v_organization_id) then
      outcome := 'GATES_CLOSED';
      return next;
      continue;
    end if;

    if v_key_id is null and v_transfer ->> 'status' <> 'APPROVAL_PENDING' then
      raise exception 'what a member asks for waits for a confirmed approval';
    end if;

    if v_key_id is not null and v_transfer ->> 'status' = 'APPROVAL_PENDING'
        and has_too_many_waiting(v_organization_id, v_key_id) then
      outcome := 'TOO_MANY_WAITING';
      return next;
      continue;
    end if;

    if v_transfer ->> 'status' <> 'PROCESSING' then v_cap := null; end if;
    if v_cap is not null then
      -- Before the source's ledger, and locked until the commit, so that concurrent requests see each other's use.
      select * into v_use from lock_key_uses(array[v_organization_id], array[v_key_id], array[v_now]);
      v_cap := v_use.cap_in_cents;
      if v_use.used_in_cents + (v_transfer ->> 'amountInCents')::bigint > v_cap then
        outcome := 'ABOVE_CAP';
        replay_body := jsonb_build_object('capInCents', v_cap, 'usedInCents', v_use.used_in_cents);
        return next;
        continue;
      end if;
    end if;

    v_error_code := null;
    v_is_managed := false;
    if v_transfer ->> 'status' = 'PROCESSING' then
      v_error_code := outgoing_problem(v_organization_id, v_transfer ->> 'direction',
        (v_transfer ->> 'sourceAccountId')::uuid, (v_transfer ->> 'amountInCents')::bigint, v_now);
      if v_error_code is null then
        v_error_code := reserve(v_organization_id, (v_transfer ->> 'sourceAccountId')::uuid,
          (v_transfer ->> 'amountInCents')::bigint, true);
      end if;
      v_is_managed := v_transfer ->> 'direction' <> 'MONEY_IN';
      if v_cap is not null and v_error_code is null then
        perform charge_key(v_organization_id, v_key_id, (v_transfer ->> 'amountInCents')::bigint, v_now);
      end if;
    end if;

    insert into transfers (
        organization_id, id, status, execution_mode, direction, origin, amount_in_cents, description,
        source_account_id, destination_account_id, reason_for_approval, proposed_by_kind, proposed_by_id,
        proposed_by_name, created_at, updated_at, accepted_at, completed_at, expected_completion_date,
        hold_in_cents, next_step, due_at, fails_with, mandate_id)
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
        case when v_transfer ->> 'status' = 'PROCESSING' then v_now end, v_error_code, (v_transfer ->> 'mandateId')::uuid);

    if v_transfer ->> 'status' = 'APPROVAL_PENDING' then
      perform write_proposals(jsonb_build_array(v_item));
      if jsonb_typeof(v_item -> 'aboveCap') = 'object' then
        perform note_key_alert(v_organization_id, v_key_id, 'CAP_REACHED', v_item -> 'aboveCap', v_now);
      end if;
    end if;

    if v_idempotency is not null and jsonb_typeof(v_idempotency) = 'object' then
      insert into idempotency_results values (v_organization_id, v_key_id, v_idempotency ->> 'operation',
          v_idempotency ->> 'path', v_idempotency ->> 'key', decode(v_idempotency ->> 'fingerprint', 'hex'),
          (v_idempotency ->> 'status')::integer, v_idempotency -> 'body',
          (v_idempotency ->> 'expiresAt')::timestamptz)
        on conflict (organization_id, caller_id, operation, path, idempotency_key) do update set
          fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
          expires_at = excluded.expires_at; -- replaces a result that has expired
    end if;

    if v_key_id is not null then
      perform write_audit_entries(jsonb_build_array(v_item -> 'audit'));
    end if;
    return next;
  end loop;
end $$;
