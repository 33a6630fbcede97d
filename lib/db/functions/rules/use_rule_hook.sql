-- Counts a request to a hook and returns its number within the current minute, for the rate limit. p_now: real time.
-- Locks the hook's counter, then at most once a minute the hook's row.
create or replace function use_rule_hook(p_organization_id uuid, p_rule_id uuid, p_now timestamptz) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_requests integer;
  v_business_now timestamptz;
begin
  -- Rules and keys share the table of counters: their ids are UUIDs and cannot collide.
  insert into rate_windows as w values (p_rule_id, date_trunc('minute', p_now), 1)
    on conflict (api_key_id) do update set
      requests = case when w.minute >= excluded.minute then w.requests + 1 else 1 end,
      -- A process with a slow clock must not reopen a minute that has ended.
      minute = greatest(w.minute, excluded.minute)
    returning w.requests into v_requests;
  select p_now + o.clock_offset_ms * interval '1 millisecond' into strict v_business_now
    from organizations o where o.id = p_organization_id;
  -- Once a minute is precise enough for people, and saves a write per request.
  update rule_hooks h set last_used_at = v_business_now
    where h.organization_id = p_organization_id and h.rule_id = p_rule_id
      and (h.last_used_at is null or h.last_used_at < v_business_now - interval '1 minute');
  return v_requests;
end $$;

grant execute on function use_rule_hook to :"app_role";
