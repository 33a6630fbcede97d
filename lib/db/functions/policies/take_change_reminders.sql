-- Changes that wait for signatures and whose time is nearly over, at most p_limit, each once; with its business time. Those that
-- were decided otherwise are left out.
-- p_now: real time; each organization's business clock adds its offset.
-- Locks due ones FOR UPDATE SKIP LOCKED.
create or replace function take_change_reminders(p_now timestamptz, p_limit integer)
returns table (organization_id uuid, id uuid, business_now timestamptz)
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    with due as (
      select c.organization_id, c.id, p_now + o.clock_offset_ms * interval '1 millisecond' as business_now
        from asked_changes c join organizations o on o.id = c.organization_id
       where c.state = 'WAITING' and c.remind_at <= p_now + o.clock_offset_ms * interval '1 millisecond'
         and c.remind_at <= (select latest_business_time(p_now))
       order by c.remind_at limit p_limit
       for update of c skip locked)
    , taken as (
    update asked_changes c set remind_at = null from due
     where c.organization_id = due.organization_id and c.id = due.id
    returning c, due.business_now)
    select (t.c).organization_id, (t.c).id, t.business_now from taken t where change_still_waits(t.c);
end $$;

grant execute on function take_change_reminders to :"app_role";
