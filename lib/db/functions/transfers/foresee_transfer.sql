-- What would become of a live transfer requested now. Makes it with create_transfers and rolls it back, so it cannot
-- answer differently. outcome, replay_body: as create_transfers; error_code, error_message: why it would fail once
-- accepted or approved, null if it would not. p_item: a live item of create_transfers without an idempotency key; with
-- isUnderMandate, of use_mandate.
-- Takes the locks of create_transfers until the rollback of its own savepoint.
create or replace function foresee_transfer(p_item jsonb)
returns table (outcome text, replay_body jsonb, error_code text, error_message text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_transfer jsonb := p_item -> 'transfer';
  v_organization_id uuid := (p_item ->> 'organizationId')::uuid;
begin
  begin
    if p_item -> 'isUnderMandate' = 'true' then
      select c.outcome, c.replay_body into strict outcome, replay_body from use_mandate(p_item) c;
    else
      select c.outcome, c.replay_body into strict outcome, replay_body from create_transfers(jsonb_build_array(p_item)) c;
    end if;
    if outcome = 'CREATED' and v_transfer ->> 'status' = 'PROCESSING' then
      select t.fails_with into strict error_code from transfers t
        where t.organization_id = v_organization_id and t.id = (v_transfer ->> 'id')::uuid;
    elsif outcome = 'CREATED' then
      -- As `accept_approved_transfer` would: a person may go below a floor.
      error_code := coalesce(
        outgoing_problem(v_organization_id, v_transfer ->> 'direction', (v_transfer ->> 'sourceAccountId')::uuid,
          (v_transfer ->> 'amountInCents')::bigint, (p_item ->> 'now')::timestamptz),
        reserve(v_organization_id, (v_transfer ->> 'sourceAccountId')::uuid,
          (v_transfer ->> 'amountInCents')::bigint, false));
    end if;
    raise exception 'taken back' using errcode = 'SL001';
  exception when sqlstate 'SL001' then
    null; -- Variables keep what they hold; rows, holds, locks, notices and audit entries are gone.
  end;
  error_message := case when error_code is not null then failure_message(error_code) end;
  return next;
end $$;

grant execute on function foresee_transfer to :"app_role";
