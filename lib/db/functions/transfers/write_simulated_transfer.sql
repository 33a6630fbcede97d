-- Writes a simulated transfer with the error that foresee_transfer found. Answers as create_transfers, and locks what
-- that locks.
create or replace function write_simulated_transfer(p_item jsonb)
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
  if outcome = 'CREATED' then perform write_transfer_labels(jsonb_build_array(p_item)); end if;
  return next;
end $$;

grant execute on function write_simulated_transfer to :"app_role";
