-- Whether a session still lasts, and which second factors its member has. An ended session decides nothing; ending one waits
-- for the caller's transaction. Two statements, so that a factor that was added while this waited is seen.
-- Locks the session FOR SHARE.
create or replace function share_session(p_session_id uuid, p_user_id uuid)
returns table (is_open boolean, has_passkey boolean, has_authenticator boolean)
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform 1 from sessions s where s.id = p_session_id and s.user_id = p_user_id and s.revoked_at is null for share;
  is_open := found;
  has_passkey := exists (select from passkeys p where p.user_id = p_user_id);
  has_authenticator := exists (
    select from authenticators a where a.user_id = p_user_id and a.confirmed_at is not null);
  return next;
end $$;

grant execute on function share_session to :"app_role";
