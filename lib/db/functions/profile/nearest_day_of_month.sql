-- The date nearest to p_date that falls on day p_day of a month, or on the month's last day if it is shorter. Locks
-- nothing.
create or replace function nearest_day_of_month(p_date date, p_day integer) returns date
language sql immutable as $$
  select least(month_start + p_day - 1, (month_start + interval '1 month')::date - 1)
    from generate_series(-1, 1) as step,
      lateral (select (date_trunc('month', p_date::timestamp) + step * interval '1 month')::date as month_start) as month
   order by abs(least(month_start + p_day - 1, (month_start + interval '1 month')::date - 1) - p_date), step
   limit 1
$$;

grant execute on function nearest_day_of_month to :"app_role";
