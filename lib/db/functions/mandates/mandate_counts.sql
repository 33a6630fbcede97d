-- What a mandate has used: of its transfers those that are on their way, complete or were returned. Days, weeks from
-- Monday and months are of the mandate's zone, thirty days roll. Without an end: another process may be ahead of p_now
-- (business time). p_period: of its recurrence, or null. Locks nothing.
create or replace function mandate_counts(p_organization_id uuid, p_id uuid, p_time_zone text, p_period text, p_now timestamptz)
returns table (day_in_cents bigint, week_in_cents bigint, month_in_cents bigint, thirty_days_in_cents bigint,
  total_in_cents bigint, uses integer, uses_in_period integer, last_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  with begins as (
    select date_trunc('day', p_now at time zone p_time_zone) at time zone p_time_zone as day,
        date_trunc('week', p_now at time zone p_time_zone) at time zone p_time_zone as week,
        date_trunc('month', p_now at time zone p_time_zone) at time zone p_time_zone as month)
  select coalesce(sum(t.amount_in_cents) filter (where t.accepted_at >= b.day), 0)::bigint,
      coalesce(sum(t.amount_in_cents) filter (where t.accepted_at >= b.week), 0)::bigint,
      coalesce(sum(t.amount_in_cents) filter (where t.accepted_at >= b.month), 0)::bigint,
      coalesce(sum(t.amount_in_cents) filter (where t.accepted_at > p_now - interval '720 hours'), 0)::bigint,
      coalesce(sum(t.amount_in_cents), 0)::bigint, count(t.accepted_at)::integer,
      (count(*) filter (where t.accepted_at >= case p_period
        when 'DAY' then b.day when 'WEEK' then b.week when 'MONTH' then b.month end))::integer,
      max(t.accepted_at)
    from begins b left join transfers t on t.organization_id = p_organization_id and t.mandate_id = p_id
      and t.status in ('PROCESSING', 'COMPLETE', 'RETURNED')
   group by b.day, b.week, b.month
$$;

grant execute on function mandate_counts to :"app_role";
