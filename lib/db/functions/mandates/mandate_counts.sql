-- What a mandate has used: of its transfers those that are on their way, complete or were returned. Days, weeks from
-- Monday and months are of the mandate's zone, thirty days roll. Without an end: another process may be ahead of p_now
-- (business time). Local dates are compared, not instants: where clocks fall back over midnight, a day has two beginnings.
-- p_period: of its recurrence, or null. Locks nothing.
create or replace function mandate_counts(p_organization_id uuid, p_id uuid, p_time_zone text, p_period text, p_now timestamptz)
returns table (day_in_cents bigint, week_in_cents bigint, month_in_cents bigint, thirty_days_in_cents bigint,
  total_in_cents bigint, uses integer, uses_in_period integer, last_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  with today as (
    select d as day, date_trunc('week', d::timestamp)::date as week, date_trunc('month', d::timestamp)::date as month
      from (select (p_now at time zone p_time_zone)::date as d) now)
  select coalesce(sum(u.in_cents) filter (where u.day >= t.day), 0)::bigint,
      coalesce(sum(u.in_cents) filter (where u.day >= t.week), 0)::bigint,
      coalesce(sum(u.in_cents) filter (where u.day >= t.month), 0)::bigint,
      coalesce(sum(u.in_cents) filter (where u.at > p_now - interval '720 hours'), 0)::bigint,
      coalesce(sum(u.in_cents), 0)::bigint, count(u.at)::integer,
      (count(*) filter (where u.day >= case p_period when 'DAY' then t.day when 'WEEK' then t.week
        when 'MONTH' then t.month end))::integer,
      max(u.at)
    from today t left join (
      select accepted_at as at, (accepted_at at time zone p_time_zone)::date as day, amount_in_cents as in_cents
        from transfers
       where organization_id = p_organization_id and mandate_id = p_id
         and status in ('PROCESSING', 'COMPLETE', 'RETURNED')) u on true
   group by t.day, t.week, t.month
$$;

grant execute on function mandate_counts to :"app_role";
