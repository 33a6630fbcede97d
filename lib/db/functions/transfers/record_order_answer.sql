-- Records the bank's answer about a leased transfer; returns false if it no longer waits for one, because a notice or
-- another worker's answer came first. ACCEPTED: waits for the bank's notice; REFUSED: fails; UNKNOWN: asked again at
-- p_retry_at.
-- Locks the transfer FOR UPDATE; for REFUSED also its source ledger, then its run.
create or replace function record_order_answer(p_order_answer jsonb) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  p_organization_id uuid := (p_order_answer ->> 'organizationId')::uuid;
  p_id uuid := (p_order_answer ->> 'id')::uuid;
  p_answer text := p_order_answer ->> 'answer';
  p_reference text := p_order_answer ->> 'reference';
  p_code text := p_order_answer ->> 'code';
  p_expected_completion_date date := (p_order_answer ->> 'expectedCompletionDate')::date;
  p_retry_at timestamptz := (p_order_answer ->> 'retryAt')::timestamptz;
  p_now timestamptz := (p_order_answer ->> 'now')::timestamptz;
  v_transfer transfers;
begin
  select * into v_transfer from transfers where organization_id = p_organization_id and id = p_id for update;
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

grant execute on function record_order_answer to :"app_role";
