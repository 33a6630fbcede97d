-- Accepts a live transfer under the first of its key's mandates in force that it is inside of, in order of id. Answers as
-- create_transfers, with { mandateId } in replay_body of a CREATED one, or
-- OUTSIDE_MANDATE (replay_body: { mandateId, constraint, limit, reached } of the first that names its route) | NO_MANDATE
-- (none names it): then nothing was written.
-- p_item: an accepted (PROCESSING) item of create_transfers.
-- Locks the key FOR KEY SHARE, its use, these mandates FOR UPDATE in order of id, the ledgers of both accounts FOR UPDATE in
-- order of id, then as create_transfers_one_by_one, whose triggers lock the payee: a payee locked here, before what may leave,
-- would deadlock with other payments to it.
create or replace function use_mandate(p_item jsonb)
returns table (outcome text, replay_status integer, replay_body jsonb, replay_fingerprint text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_transfer jsonb := p_item -> 'transfer';
  v_organization_id uuid := (p_item ->> 'organizationId')::uuid;
  v_key_id uuid := (p_item ->> 'apiKeyId')::uuid;
  v_now timestamptz := (p_item ->> 'now')::timestamptz;
  v_destination_id uuid := (p_item -> 'transfer' ->> 'destinationAccountId')::uuid;
  v_mandate mandates;
  v_after bigint;
  v_problem jsonb;
  v_first jsonb;
  v_item jsonb;
begin
  if v_transfer ->> 'executionMode' <> 'LIVE' or v_transfer ->> 'status' <> 'PROCESSING' then
    raise exception 'only a live transfer that is accepted uses a mandate';
  end if;
  -- An assistant's transfers always wait; a revoked key is refused below, in its own words.
  perform from api_keys k where k.organization_id = v_organization_id and k.id = v_key_id and k.client_id is null
    for key share;
  if not found then
    outcome := 'NO_MANDATE';
    return next;
    return;
  end if;
  perform lock_key_uses(array[v_organization_id], array[v_key_id], array[v_now]);
  perform from mandates m where m.organization_id = v_organization_id and m.api_key_id = v_key_id
    and m.state = 'IN_FORCE' order by m.id for update;
  perform lock_ledgers(v_organization_id,
    array[(v_transfer ->> 'sourceAccountId')::uuid, v_destination_id]);
  -- Statements of their own after these locks, so that they see what the previous holders committed.
  select l.credits_in_cents - l.debits_in_cents - l.held_in_cents - (v_transfer ->> 'amountInCents')::bigint into v_after
    from ledgers l
   where l.organization_id = v_organization_id and l.id = (v_transfer ->> 'sourceAccountId')::uuid;
  outcome := 'NO_MANDATE';
  for v_mandate in select m.* from mandates m where m.organization_id = v_organization_id and m.api_key_id = v_key_id
    and m.state = 'IN_FORCE' order by m.id
  loop
    v_problem := mandate_problem(v_mandate, v_transfer, v_after, v_now);
    if v_problem is null then
      begin
        v_item := jsonb_set(p_item, '{transfer,mandateId}', to_jsonb(v_mandate.id));
        if jsonb_typeof(p_item -> 'idempotency') = 'object' then
          v_item := jsonb_set(v_item, '{idempotency,body,data,mandateId}', to_jsonb(v_mandate.id));
        end if;
        select c.* into strict outcome, replay_status, replay_body, replay_fingerprint
          from create_transfers_one_by_one(jsonb_build_array(v_item)) c;
        if outcome = 'CREATED' then
          -- Its payee is locked now: one that changed since the look above must not be paid.
          if exists (select from transfers t where t.organization_id = v_organization_id
              and t.id = (v_transfer ->> 'id')::uuid and t.payee_version is not null
              and t.payee_version is distinct from (v_mandate.payee_versions ->> v_destination_id::text)::integer) then
            raise exception 'the payee changed' using errcode = 'SL002';
          end if;
          perform write_transfer_labels(jsonb_build_array(v_item));
          replay_body := jsonb_build_object('mandateId', v_mandate.id);
        end if;
        return next;
        return;
      exception when sqlstate 'SL002' then
        outcome := 'NO_MANDATE';
        v_problem := '{"constraint": "DESTINATION_CHANGED"}';
      end;
    end if;
    if v_problem ->> 'constraint' <> 'ROUTE' then
      v_first := coalesce(v_first, v_problem || jsonb_build_object('mandateId', v_mandate.id));
    end if;
  end loop;
  if v_first is not null then
    outcome := 'OUTSIDE_MANDATE';
    replay_body := v_first;
  end if;
  return next;
end $$;

grant execute on function use_mandate to :"app_role";
