-- The rhythm of a series of dates, or null if irregular. p_gaps: number of gaps between the dates; p_weekly to
-- p_yearly: how many gaps fit each rhythm; p_fortnight_days: average of the gaps near two weeks. At least three in four
-- gaps must fit, of at least two; a single gap is enough for YEARLY. Locks nothing.
create or replace function frequency_of(p_gaps bigint, p_weekly bigint, p_fortnightly bigint, p_fortnight_days numeric,
  p_half_monthly bigint, p_monthly bigint, p_quarterly bigint, p_yearly bigint) returns text
language sql immutable as $$
  select case
    when p_gaps >= 2 and p_weekly * 4 >= p_gaps * 3 then 'WEEKLY'
    -- The 1st and the 15th are 15.2 days apart on average, every other Friday is 14.
    when p_gaps >= 2 and p_fortnightly * 4 >= p_gaps * 3 and p_fortnight_days < 14.6 then 'EVERY_OTHER_WEEK'
    when p_gaps >= 2 and p_half_monthly * 4 >= p_gaps * 3 then 'TWICE_A_MONTH'
    when p_gaps >= 2 and p_monthly * 4 >= p_gaps * 3 then 'MONTHLY'
    when p_gaps >= 2 and p_quarterly * 4 >= p_gaps * 3 then 'QUARTERLY'
    when p_gaps >= 1 and p_yearly * 4 >= p_gaps * 3 then 'YEARLY'
  end
$$;

grant execute on function frequency_of to :"app_role";
