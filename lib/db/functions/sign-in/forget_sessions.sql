-- Deletes at most p_limit sessions that expired before p_before. The newest of a person in each organization stays: pages
-- show when they were last seen, and the next sign-in returns to the organization of the last. So does one with a
-- challenge or a device, which are deleted on their own. p_before: real time.
-- Locks the sessions FOR UPDATE SKIP LOCKED, in the order in which they expired; no one waits for an expired one.
create or replace function forget_sessions(p_before timestamptz, p_limit integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_count integer;
begin
  delete from sessions s where s.id in (
    select e.id from sessions e
      where e.expires_at < p_before
        and exists (select from sessions n where n.user_id = e.user_id and n.organization_id = e.organization_id
          and (n.last_seen_at, n.id) > (e.last_seen_at, e.id))
        and not exists (select from challenges c where c.session_id = e.id)
        and not exists (select from push_devices d where d.session_id = e.id)
      order by e.expires_at limit p_limit for update of e skip locked);
  get diagnostics v_count = row_count;
  return v_count;
end $$;

grant execute on function forget_sessions to :"app_role";
