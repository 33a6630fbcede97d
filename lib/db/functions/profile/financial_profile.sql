-- The financial profile as sums; the caller derives shares and monthly averages. The window is p_from to p_to, both
-- inclusive; recurring streams are searched from p_history_from on. Months and days are in the organization's time
-- zone. Locks nothing.
create or replace function financial_profile(p_organization_id uuid, p_from timestamptz, p_to timestamptz,
  p_history_from timestamptz) returns jsonb
-- A year of transactions is sorted in memory. JIT compilation takes longer than the query. The planner does not know
-- the sizes of intermediate sets: nested loops over two of them took a hundred times as long as hash joins.
language sql stable set work_mem = '64MB' set jit = off set enable_nestloop = off as $$
  with zone as materialized (
    select time_zone, (p_from at time zone time_zone)::date as first_day, (p_to at time zone time_zone)::date as last_day
      from organizations where id = p_organization_id),
  flows as materialized (
    select f.*, (f.at at time zone (select time_zone from zone))::date as day, f.at >= p_from as is_in_window,
        -- Columns, because the planner expects a computed condition to match rarely and would sort instead of hash.
        f.kind <> 'SAVING' and f.amount_in_cents > 0 and f.stream_key is not null and f.fee_kind is null as is_charge,
        f.kind = 'SPENDING' and f.amount_in_cents > 0 and f.stream_key is not null and f.fee_kind is null as is_purchase
      from financial_flows(p_organization_id, p_history_from, p_to) f),

  -- A stream is all income from one payer or all spending at one merchant, without refunds and fees.
  -- Charges less than three days apart on average cannot be weekly; most rows are dropped here.
  sparse as (
    select kind, stream_key from flows where is_charge
     group by kind, stream_key having count(*) > 1 and max(day) - min(day) >= (count(*) - 1) * 3),
  -- The same by amount: of several subscriptions with one merchant, each has its own rhythm.
  sparse_amounts as (
    select stream_key, amount_in_cents from flows where is_purchase
     group by stream_key, amount_in_cents having count(*) > 1 and max(day) - min(day) >= (count(*) - 1) * 3),
  occurrences as (
    select kind, stream_key, only_amount, day, sum(amount_in_cents)::bigint as amount, max(category) as category,
        (array_agg(id))[1] as id
      from (
        select flows.*, null::bigint as only_amount from flows join sparse using (kind, stream_key) where is_charge
        union all
        select flows.*, amount_in_cents from flows join sparse_amounts using (stream_key, amount_in_cents)
         where is_purchase) as candidates
     group by kind, stream_key, only_amount, day),
  spaced as (
    select *, day - lag(day) over stream as gap, amount - lag(amount) over stream as step,
        lag(amount) over stream as amount_before
      from occurrences
    window stream as (partition by kind, stream_key, only_amount order by day)),
  streams as (
    select kind, stream_key, only_amount, round(avg(amount))::bigint as average, sum(amount)::bigint as total,
        max(day) as last_day, (array_agg(day order by day desc))[2] as last_but_one,
        (array_agg(step order by day desc))[1] as price_change, (array_agg(category order by day desc))[1] as category,
        (array_agg(id order by day desc))[1] as id,
        mode() within group (order by extract(day from day)::integer) as usual_day,
        -- At least three in four changes of the amount are at most a quarter of it.
        count(*) filter (where abs(step) * 4 <= amount_before) * 4 >= count(gap) * 3 as is_steady,
        frequency_of(count(gap), count(*) filter (where gap between 6 and 8),
          count(*) filter (where gap between 13 and 15), avg(gap) filter (where gap between 13 and 15),
          count(*) filter (where gap between 12 and 19), count(*) filter (where gap between 26 and 35),
          count(*) filter (where gap between 84 and 98), count(*) filter (where gap between 351 and 379)) as frequency
      from spaced group by kind, stream_key, only_amount having count(*) > 1),
  judged as (
    select s.*, s.frequency is not null and (s.frequency <> 'YEARLY' or s.is_steady)
        and (s.kind = 'INCOME' or s.is_steady or s.category = 'HOUSING_AND_UTILITIES') as is_regular
      from streams s),
  -- A merchant whose charges are regular as a whole counts as one bill.
  regular as materialized (
    select *, only_amount is not null and
        bool_or(only_amount is null and is_regular) over (partition by kind, stream_key) as is_part
      from judged),
  recurring as materialized (
    select r.*, n.next_date, zone.last_day <= n.next_date + n.tolerance_days as is_active
      from regular r cross join zone
      cross join lateral next_expected(r.frequency, r.last_day, r.last_but_one, r.usual_day) n
     where r.is_regular and not r.is_part),
  -- Other payers with at least three payments.
  irregular as (
    select stream_key, round(avg(amount_in_cents))::bigint as average, sum(amount_in_cents)::bigint as total,
        max(day) as last_day, (array_agg(id order by day desc))[1] as id
      from flows where is_charge and kind = 'INCOME' and stream_key not in (select stream_key from recurring where kind = 'INCOME')
     group by stream_key having count(*) >= 3),
  shown as (
    select kind, id, category, frequency, average, total, last_day, is_active, price_change,
        case when is_active then next_date end as next_date
      from recurring
    union all
    select 'INCOME', i.id, null, 'IRREGULAR', i.average, i.total, i.last_day, i.last_day > zone.last_day - 90, 0, null
      from irregular i cross join zone),
  listed as (
    select shown.* from shown cross join zone where is_active or shown.last_day >= zone.first_day),

  sums as materialized (
    select date_trunc('month', day::timestamp) as month, kind, category, fee_kind, sum(amount_in_cents) as amount,
        count(*) as flows, count(*) filter (where amount_in_cents > 0) as purchases,
        count(*) filter (where amount_in_cents > 0 and not has_category) as uncategorized
      from flows where is_in_window group by 1, kind, category, fee_kind),
  months as (
    select to_char(month, 'YYYY-MM') as month, coalesce(sum(amount) filter (where kind = 'INCOME'), 0) as came_in,
        coalesce(sum(amount) filter (where kind = 'SPENDING'), 0) as went_out
      from zone cross join lateral generate_series(date_trunc('month', first_day::timestamp), last_day::timestamp,
        interval '1 month') as month
      left join sums using (month)
     group by month),
  categories as (
    select category, sum(amount) as amount, sum(purchases) as purchases
      from sums where kind = 'SPENDING' group by category),
  category_months as (
    select to_char(month, 'YYYY-MM') as month, category, sum(amount) as amount
      from sums where kind = 'SPENDING' group by 1, category),
  fees as (
    select fee_kind, sum(amount) as amount, sum(purchases) as charges
      from sums where kind = 'SPENDING' and fee_kind is not null group by fee_kind),
  -- Spending without a category of its own is often the largest part: rent by transfer, payroll, taxes.
  payees as (
    select stream_key, sum(amount_in_cents)::bigint as amount, (array_agg(id))[1] as id
      from flows where is_in_window and kind = 'SPENDING' and category = 'OTHER' and stream_key is not null
     group by stream_key having sum(amount_in_cents) > 0 order by amount desc, stream_key limit 5),
  -- Recurring bills, net of refunds, are not discretionary.
  billed as (
    select category, sum(amount_in_cents) as amount from flows f
     where is_in_window and kind = 'SPENDING' and (
         stream_key in (select r.stream_key from recurring r where r.kind = 'SPENDING' and r.only_amount is null)
         or (stream_key, abs(amount_in_cents)) in (
           select r.stream_key, r.only_amount from recurring r where r.kind = 'SPENDING' and r.only_amount is not null))
     group by category),
  totals as (
    select coalesce(sum(amount) filter (where kind = 'INCOME'), 0) as income,
        coalesce(sum(amount) filter (where kind = 'SPENDING'), 0) as spending, coalesce(sum(amount) filter (where kind = 'SAVING'), 0) as saved,
        coalesce(sum(flows) filter (where kind <> 'SAVING'), 0) as flows,
        coalesce(sum(purchases) filter (where kind = 'SPENDING'), 0) as purchases,
        coalesce(sum(uncategorized) filter (where kind = 'SPENDING'), 0) as uncategorized
      from sums),
  discretionary as (
    select coalesce(sum(categories.amount - coalesce(billed.amount, 0)), 0) as amount
      from categories left join billed using (category)
     where category in ('FOOD_AND_DRINK', 'SHOPPING', 'ENTERTAINMENT_AND_TRAVEL'))
  -- Keys in snake case are read by the previous version, which may still be serving.
  select jsonb_build_object(
      'totals', (select to_jsonb(totals) from totals),
      'discretionary', (select amount from discretionary),
      'months', (select jsonb_agg(to_jsonb(months) || jsonb_build_object('cameIn', came_in, 'wentOut', went_out) order by month)
        from months),
      'categories', (select coalesce(jsonb_agg(to_jsonb(categories)), '[]') from categories),
      'category_months', (select coalesce(jsonb_agg(to_jsonb(category_months)), '[]') from category_months),
      'categoryMonths', (select coalesce(jsonb_agg(to_jsonb(category_months)), '[]') from category_months),
      'fees', (select coalesce(jsonb_agg(to_jsonb(fees) || jsonb_build_object('feeKind', fee_kind)
          order by amount desc, fee_kind), '[]') from fees),
      'payees', (select coalesce(jsonb_agg(jsonb_build_object('name', flow_name(p_organization_id, id), 'amount', amount)
          order by amount desc, stream_key), '[]') from payees),
      'streams', (select coalesce(jsonb_agg(to_jsonb(named) || jsonb_build_object('lastDay', last_day,
            'nextDate', next_date, 'isActive', is_active, 'priceChange', price_change)
          order by total desc, name, last_day), '[]') from (
          select l.*, flow_name(p_organization_id, l.id) as name
            from (select *, row_number() over (partition by kind order by total desc, last_day) as place from listed) l
           where place <= 100) as named))
$$;

grant execute on function financial_profile to :"app_role";
