-- Dry runs of transfers that say what the live ones would end with.

-- What becomes of a live transfer if it is asked for now: it is made, by the function that makes live ones, and taken back
-- whole. A copy of its checks would sooner or later answer otherwise than it.
--   outcome, replay_body: of `create_transfers`; nothing of it is kept
--   error_code, error_message: why it would fail once accepted, by the key itself or by a person's approval; null: it would not
-- p_item: a live item of `create_transfers` without an idempotency key.
create function foresee_transfer(p_item jsonb)
returns table (outcome text, replay_body jsonb, error_code text, error_message text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_transfer jsonb := p_item -> 'transfer';
  v_organization_id uuid := (p_item ->> 'organizationId')::uuid;
begin
  begin
    select c.outcome, c.replay_body into strict outcome, replay_body from create_transfers(jsonb_build_array(p_item)) c;
    if outcome = 'CREATED' and v_transfer ->> 'status' = 'PROCESSING' then
      select t.fails_with into strict error_code from transfers t
        where t.organization_id = v_organization_id and t.id = (v_transfer ->> 'id')::uuid;
    elsif outcome = 'CREATED' then
      -- As `accept_approved_transfer` would: a person may go below a floor.
      error_code := reserve(v_organization_id, (v_transfer ->> 'sourceAccountId')::uuid,
        (v_transfer ->> 'amountInCents')::bigint, false);
    end if;
    raise exception 'taken back' using errcode = 'SL001';
  exception when sqlstate 'SL001' then
    null; -- Variables keep what they hold; rows, holds, locks, notices and audit entries are gone.
  end;
  error_message := case when error_code is not null then failure_message(error_code) end;
  return next;
end $$;

-- Writes a simulated transfer with what it found. Answers as `create_transfers`.
create function write_simulated_transfer(p_item jsonb)
returns table (outcome text, replay_status integer, replay_body jsonb, replay_fingerprint text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_transfer jsonb := p_item -> 'transfer';
begin
  if v_transfer ->> 'executionMode' <> 'SIMULATION' then raise exception 'not a simulated transfer'; end if;
  select c.* into strict outcome, replay_status, replay_body, replay_fingerprint
    from create_transfers(jsonb_build_array(p_item)) c;
  if outcome = 'CREATED' and v_transfer ->> 'errorCode' is not null then
    update transfers t set error_code = v_transfer ->> 'errorCode', error_message = v_transfer ->> 'errorMessage'
      where t.organization_id = (p_item ->> 'organizationId')::uuid and t.id = (v_transfer ->> 'id')::uuid;
  end if;
  return next;
end $$;

grant execute on function foresee_transfer, write_simulated_transfer to :"app_role";
