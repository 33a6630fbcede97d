-- Consumes a verified response of a passkey: its challenge and its counter. Null: consumed; otherwise why it was not
-- (USED | REFUSED), and the caller rolls back. Of concurrent calls one consumes it. p_now: real time.
-- Locks the challenge, then the passkey, FOR UPDATE.
create or replace function use_assertion(p_assertion jsonb) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  p_challenge text := p_assertion ->> 'challenge';
  p_purpose text := p_assertion ->> 'purpose';
  p_user_id uuid := (p_assertion ->> 'userId')::uuid;
  p_session_id uuid := (p_assertion ->> 'sessionId')::uuid;
  p_bound_to text := p_assertion ->> 'boundTo';
  p_credential_id text := p_assertion ->> 'credentialId';
  p_passkey_user_id uuid := (p_assertion ->> 'passkeyUserId')::uuid;
  p_counter bigint := (p_assertion ->> 'counter')::bigint;
  p_now timestamptz := (p_assertion ->> 'now')::timestamptz;
begin
  update challenges set used_at = p_now
    where challenge = p_challenge and purpose = p_purpose and user_id is not distinct from p_user_id
      and session_id is not distinct from p_session_id and bound_to = p_bound_to and expires_at > p_now
      and used_at is null;
  if not found then return 'USED'; end if;
  -- Verified before this transaction, so the counter is compared again. Synced passkeys stay at zero.
  update passkeys set counter = p_counter, last_used_at = p_now
    where credential_id = p_credential_id and user_id = p_passkey_user_id
      and (counter < p_counter or (counter = 0 and p_counter = 0));
  if not found then return 'REFUSED'; end if;
  return null;
end $$;

grant execute on function use_assertion to :"app_role";
