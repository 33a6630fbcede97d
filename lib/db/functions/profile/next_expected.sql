-- The next expected date of a stream, and how many days late it may be before the stream counts as ended. Locks
-- nothing.
create or replace function next_expected(p_frequency text, p_last date, p_last_but_one date, p_usual_day integer)
returns table (next_date date, tolerance_days integer)
language sql immutable as $$
  select case p_frequency
      when 'WEEKLY' then p_last + 7
      when 'EVERY_OTHER_WEEK' then p_last + 14
      -- The two days of the month alternate; after a gap, the other day's month has passed.
      when 'TWICE_A_MONTH' then case when (p_last_but_one + interval '1 month')::date > p_last
        then (p_last_but_one + interval '1 month')::date else p_last + 15 end
      when 'MONTHLY' then nearest_day_of_month((p_last + interval '1 month')::date, p_usual_day)
      when 'QUARTERLY' then nearest_day_of_month((p_last + interval '3 months')::date, p_usual_day)
      when 'YEARLY' then nearest_day_of_month((p_last + interval '1 year')::date, p_usual_day)
    end,
    case p_frequency when 'WEEKLY' then 3 when 'EVERY_OTHER_WEEK' then 5 when 'TWICE_A_MONTH' then 5
      when 'MONTHLY' then 10 when 'QUARTERLY' then 20 when 'YEARLY' then 30 end
$$;

grant execute on function next_expected to :"app_role";
