-- The latest business time of any organization at real time p_now. What is due follows from each organization's own
-- clock, which no index can bound: without this bound, each look for due work reads all that is due later. Written as a
-- subselect it is computed once.
create or replace function latest_business_time(p_now timestamptz) returns timestamptz
language sql stable set search_path = public, pg_temp as $$
  select p_now + coalesce(max(o.clock_offset_ms), 0) * interval '1 millisecond'
    from organizations o where o.clock_offset_ms > 0
$$;

grant execute on function latest_business_time to :"app_role";
