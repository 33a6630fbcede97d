-- Claims an idempotency key for the rest of the transaction.
-- outcome: null: the key is free, also when its stored result has expired; IN_PROGRESS: another transaction holds it;
-- REPLAY: the request was answered before, with that response in replay_*.
-- Tries the key's advisory lock and never waits, so that a duplicate is answered at once instead of queueing behind the
-- original.
create or replace function take_idempotency_key(p_organization_id uuid, p_caller_id uuid, p_call jsonb, p_now timestamptz,
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
