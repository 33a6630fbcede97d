-- For the previous version, which may still be serving; removed a release later.
create or replace function spend_assertion(p_challenge text, p_purpose text, p_user_id uuid, p_session_id uuid,
  p_bound_to text, p_credential_id text, p_passkey_user_id uuid, p_counter bigint, p_now timestamptz)
returns text
language sql security definer set search_path = public, pg_temp as $$
  select use_assertion(jsonb_build_object(
    'challenge', p_challenge, 'purpose', p_purpose, 'userId', p_user_id, 'sessionId', p_session_id,
    'boundTo', p_bound_to, 'credentialId', p_credential_id, 'passkeyUserId', p_passkey_user_id,
    'counter', p_counter, 'now', p_now))
$$;

grant execute on function spend_assertion to :"app_role";
