-- The financial profile: what counts as income, spending and own movement, and what recurs (docs/financial-profile.md).
-- Only reading; nothing here moves money. What needs a regular expression is stored with the row, so that a year of
-- transactions is added up without reading a text.

-- A bank's description without numbers and marks: two charges of one merchant differ in little else. Null: nothing left.
create function plain_name(p_description text) returns text
language sql immutable as $$
  select nullif(btrim(regexp_replace(p_description, '[0-9[:punct:][:space:]]+', ' ', 'g')), '')
$$;

-- The kind of fee that a transaction is, or null. Only where no other category says what was bought: a bar may be
-- called "Late Fee". Money in is a fee paid back only where it says so: "interest paid" is income.
create function fee_kind_of(p_direction text, p_category text, p_description text) returns text
language sql immutable as $$
  select case
    when p_category is not null and p_category not in ('DEBT_AND_FEES', 'OTHER') then null
    when p_direction = 'MONEY_IN' and p_description !~* '\m(refund(ed)?|revers(al|ed)|waived?|rebate)\M' then null
    when p_description ~* '\m(interest charged?|finance charge|purchase interest|cash advance interest)\M' then 'INTEREST'
    when p_description !~* '\m(fees?|surcharge|charge)\M' then null
    when p_description ~* '\m(overdraft|nsf|insufficient funds|non-sufficient)\M' then 'OVERDRAFT'
    when p_description ~* '\matm\M' then 'ATM'
    when p_description ~* '\m(foreign|international|cross-border)\M' then 'FOREIGN_TRANSACTION'
    when p_description ~* '\mlate\M' then 'LATE_PAYMENT'
    when p_description ~* '\mwire\M' then 'WIRE'
    when p_description ~* '\m(maintenance|service|monthly account|account|returned item|stop payment|bank)\M'
      or p_category = 'DEBT_AND_FEES' then 'BANK'
  end
$$;

alter table external_transactions
  -- What one payer's or merchant's transactions have in common.
  add column stream_key text generated always as (lower(coalesce(nullif(btrim(merchant_name), ''), plain_name(description)))) stored,
  add column fee_kind text generated always as (fee_kind_of(direction, category, description)) stored,
  -- Whether the bank's words are those of a movement between accounts; preferred where several amounts are equal.
  add column is_called_movement boolean generated always as
    (description ~* '\m(transfer|xfer|trnsfr|payment|pymt|pmt|autopay|epay)\M') stored;
alter table card_transactions
  add column stream_key text generated always as (lower(plain_name(description))) stored;

-- The few transfers that cross the border of the managed accounts; moves between pods, the busy ones, stay out of it.
create index transfers_across_border on transfers (organization_id, completed_at)
  where direction <> 'INTERNAL' and execution_mode = 'LIVE' and status in ('COMPLETE', 'RETURNED');
create index card_transactions_by_completion on card_transactions (organization_id, completed_at);

-- One side of what may be a movement between own accounts. An expected one is what a transfer of ours must have left on
-- the account outside: it is met by a transaction of that very account in the opposite direction. All others meet on
-- two different accounts.
create type movement_leg as (
  id uuid, account_id uuid, at timestamptz, direction text, amount_in_cents bigint, is_expected boolean,
  is_called_movement boolean
);

-- The legs among which own movements are looked for: no spending category, no fee, not linked to a transfer already;
-- and only where an opposite leg of the same amount lies within five days. In an order that depends on their content
-- alone (ids come last, and then everything else is equal).
create function movement_legs(p_organization_id uuid, p_from timestamptz, p_to timestamptz) returns setof movement_leg
language sql stable as $$
  with crossing as materialized (
    select * from transfers t
     where t.organization_id = p_organization_id and t.direction <> 'INTERNAL' and t.execution_mode = 'LIVE'
       and t.status in ('COMPLETE', 'RETURNED') and t.completed_at between p_from and p_to),
  linked as materialized (
    select e.transfer_id, e.direction from external_transactions e
     where e.organization_id = p_organization_id and e.vanished_at is null and e.transfer_id is not null
       and e.transaction_date between p_from - interval '10 days' and p_to + interval '10 days'),
  -- Each transfer with an account outside, as it must appear there; when returned, also as it must appear undone.
  appearances as (
    select t.id, coalesce(t.source_account_id, t.destination_account_id) as any_account_id,
        case when t.direction = 'MONEY_IN' then t.source_account_id else t.destination_account_id end as account_id,
        case when t.direction = 'MONEY_IN' then 'MONEY_OUT' else 'MONEY_IN' end as direction,
        t.completed_at as at, t.amount_in_cents
      from crossing t where t.source_account_id is not null and t.destination_account_id is not null
    union all
    select t.id, coalesce(t.source_account_id, t.destination_account_id),
        case when t.direction = 'MONEY_IN' then t.source_account_id else t.destination_account_id end,
        t.direction, t.updated_at, t.amount_in_cents
      from crossing t
     where t.status = 'RETURNED' and t.source_account_id is not null and t.destination_account_id is not null),
  legs as (
    select e.id, e.account_id, e.transaction_date as at, e.direction, e.amount_in_cents, false as is_expected,
        e.is_called_movement, coalesce(e.category, '') as content, coalesce(e.stream_key, '') as name
      from external_transactions e
     where e.organization_id = p_organization_id and e.vanished_at is null and e.status = 'COMPLETE'
       and e.transfer_id is null and e.fee_kind is null
       and (e.category is null or e.category in ('OTHER', 'DEBT_AND_FEES'))
       and e.transaction_date between p_from and p_to
    union all
    -- A deposit from outside may come from an own account outside.
    select t.id, t.destination_account_id, t.completed_at, 'MONEY_IN', t.amount_in_cents, false, false, '',
        lower(coalesce(t.counterparty_name, ''))
      from crossing t
     where t.source_account_id is null and t.status = 'COMPLETE'
       and not exists (select from linked l where l.transfer_id = t.id)
    union all
    select a.id, a.account_id, a.at, case when a.direction = 'MONEY_IN' then 'MONEY_OUT' else 'MONEY_IN' end,
        a.amount_in_cents, true, true, '', ''
      from appearances a
     where not exists (select from linked l where l.transfer_id = a.id and l.direction = a.direction)),
  two_sided as (
    select amount_in_cents from legs group by amount_in_cents
    having bool_or(direction = 'MONEY_IN') and bool_or(direction = 'MONEY_OUT')),
  neighbours as (
    select l.*,
        max(at) filter (where direction = 'MONEY_IN') over earlier as last_in,
        max(at) filter (where direction = 'MONEY_OUT') over earlier as last_out,
        min(at) filter (where direction = 'MONEY_IN') over later as next_in,
        min(at) filter (where direction = 'MONEY_OUT') over later as next_out
      from legs l join two_sided using (amount_in_cents)
    window earlier as (partition by amount_in_cents order by at),
      later as (partition by amount_in_cents order by at range between current row and unbounded following))
  select id, account_id, at, direction, amount_in_cents, is_expected, is_called_movement
    from neighbours
   where case direction
       when 'MONEY_IN' then last_out >= at - interval '5 days' or next_out <= at + interval '5 days'
       else last_in >= at - interval '5 days' or next_in <= at + interval '5 days' end
   order by amount_in_cents, at, direction, account_id, content, name, id
$$;

-- Pairs the legs, each at most once: first what our own transfers left outside, then what the bank calls a movement on
-- both sides, then any two of equal amount; each time the one nearest in time. Answers the ids of both legs.
-- is_of_transfer: the other side is a transfer of ours, which savings counts by itself.
create function own_movements(p_organization_id uuid, p_from timestamptz, p_to timestamptz)
returns table (id uuid, is_of_transfer boolean)
language plpgsql stable as $$
declare
  -- More open legs of one amount within five days than anybody has; keeps the work linear whatever the data.
  c_most_open constant integer := 64;
  v_legs movement_leg[] := array(
    select l from movement_legs(p_organization_id, p_from - interval '5 days', p_to + interval '5 days') l);
  v_is_met boolean[] := array_fill(false, array[cardinality(v_legs)]);
  v_open integer[];
  v_leg movement_leg;
  v_other movement_leg;
  v_met integer;
begin
  for v_round in 1 .. 3 loop
    v_open := '{}';
    for v_index in 1 .. cardinality(v_legs) loop
      continue when v_is_met[v_index];
      v_leg := v_legs[v_index];
      v_met := null;
      -- The nearest in time comes last.
      for v_place in reverse cardinality(v_open) .. 1 loop
        v_other := v_legs[v_open[v_place]];
        exit when v_other.amount_in_cents <> v_leg.amount_in_cents or v_other.at < v_leg.at - interval '5 days';
        continue when v_other.direction = v_leg.direction or (v_other.is_expected and v_leg.is_expected)
          or (v_other.is_expected or v_leg.is_expected) <> (v_other.account_id = v_leg.account_id)
          or case v_round
               when 1 then not (v_other.is_expected or v_leg.is_expected)
               when 2 then not (v_other.is_called_movement and v_leg.is_called_movement)
               else false end;
        v_met := v_place;
        exit;
      end loop;
      if v_met is null then
        if cardinality(v_open) >= c_most_open then v_open := v_open[2:]; end if;
        v_open := v_open || v_index;
        continue;
      end if;
      v_other := v_legs[v_open[v_met]];
      v_is_met[v_index] := true;
      v_is_met[v_open[v_met]] := true;
      v_open := v_open[:v_met - 1] || v_open[v_met + 1:];
      is_of_transfer := v_other.is_expected or v_leg.is_expected;
      if not v_leg.is_expected then id := v_leg.id; return next; end if;
      if not v_other.is_expected then id := v_other.id; return next; end if;
    end loop;
  end loop;

  -- What is linked already: a deposit that came from an own account outside, and its other side there.
  return query
    select both_sides.id, false
      from external_transactions e
      join transfers t on t.organization_id = e.organization_id and t.id = e.transfer_id
      cross join lateral (values (e.id), (t.id)) as both_sides (id)
     where e.organization_id = p_organization_id and e.transfer_id is not null and e.vanished_at is null
       and t.source_account_id is null
       and e.transaction_date between p_from - interval '10 days' and p_to + interval '10 days';
end $$;

-- Everything that counts, once, of one organization, settled between the two moments, both inclusive. INCOME; SPENDING,
-- of which refunds are negative; SAVING, what moved into savings (pods with a target, accounts outside that invest or
-- are called savings), negative what moved out of them. A deposit from outside is income, and no saving: nobody moved it.
-- Written so that PostgreSQL takes it into the query that calls it.
create function financial_flows(p_organization_id uuid, p_from timestamptz, p_to timestamptz)
returns table (
  id uuid, at timestamptz, kind text, amount_in_cents bigint, category text, has_category boolean, fee_kind text,
  stream_key text
)
language sql stable as $$
  with own as materialized (select * from own_movements(p_organization_id, p_from, p_to)),
  saving as materialized (
    select id from accounts
     where organization_id = p_organization_id
       and (savings_target_in_cents is not null or external_account_type = 'INVESTMENT'
         or external_account_type = 'DEPOSITORY' and name ~* '\msavings?\M')),
  outside as materialized (
    select e.id, e.account_id, e.transaction_date as at, e.direction, e.amount_in_cents, e.category, e.fee_kind,
        e.stream_key, e.merchant_name is not null as has_merchant, a.external_account_type as account_type,
        -- What is linked to a transfer of ours counts with that.
        e.transfer_id is not null or e.id in (select own.id from own) as is_own
      from external_transactions e
      join accounts a on a.organization_id = e.organization_id and a.id = e.account_id
     where e.organization_id = p_organization_id and e.vanished_at is null and e.status = 'COMPLETE'
       and e.transaction_date between p_from and p_to),
  -- Money in without a category that undoes a purchase: same account, merchant and amount, within 120 days.
  credits as materialized (
    select id, account_id, stream_key, amount_in_cents, at from outside
     where direction = 'MONEY_IN' and has_merchant and not is_own and (category is null or category = 'OTHER')),
  undone as materialized (
    select credits.id, min(coalesce(purchase.category, 'OTHER')) as category
      from credits
      join outside purchase on purchase.account_id = credits.account_id
        and purchase.stream_key = credits.stream_key and purchase.amount_in_cents = credits.amount_in_cents
        and purchase.at between credits.at - interval '120 days' and credits.at
     where purchase.direction = 'MONEY_OUT' and purchase.account_type <> 'INVESTMENT' and purchase.has_merchant
       and not purchase.is_own
       -- Few are left to be joined.
       and purchase.amount_in_cents in (select credits.amount_in_cents from credits)
     group by credits.id),
  classified as (
    select o.*, undone.category as undone_category,
        case
          when o.is_own then
            case when o.account_id in (select saving.id from saving)
              and o.id in (select own.id from own where not own.is_of_transfer) then 'SAVING' end
          when o.fee_kind is not null then case o.direction when 'MONEY_OUT' then 'SPENDING' else 'REFUND' end
          when o.account_type = 'INVESTMENT' then null
          when o.direction = 'MONEY_OUT' then 'SPENDING'
          when undone.id is not null then 'REFUND'
          when o.category is not null and o.category not in ('OTHER', 'DEBT_AND_FEES') then 'REFUND'
          -- Money lent is no income; and what else comes in on a debt pays it.
          when o.account_type = 'DEPOSITORY' and o.category is distinct from 'DEBT_AND_FEES' then 'INCOME'
        end as effect
      from outside o left join undone on undone.id = o.id
    -- Judged once a row, not once for every column that is made of it.
    offset 0)
  select id, at, case effect when 'REFUND' then 'SPENDING' else effect end,
      case when effect = 'REFUND' or effect = 'SAVING' and direction = 'MONEY_OUT' then -amount_in_cents
        else amount_in_cents end,
      case when effect in ('INCOME', 'SAVING') then null when fee_kind is not null then 'DEBT_AND_FEES'
        else coalesce(undone_category, category, 'OTHER') end,
      category is not null or fee_kind is not null, fee_kind, stream_key
    from classified where effect is not null
  union all
  select id, completed_at, case subtype when 'PAYOUT' then 'INCOME' else 'SPENDING' end,
      case subtype when 'REFUND' then -amount_in_cents else amount_in_cents end,
      case when subtype <> 'PAYOUT' then coalesce(category, 'OTHER') end, category is not null, null, stream_key
    from card_transactions
   where organization_id = p_organization_id and completed_at between p_from and p_to
  union all
  -- From a party outside into a managed account, or from one to a party outside. Returned ones are not COMPLETE.
  select t.id, t.completed_at, case t.direction when 'MONEY_IN' then 'INCOME' else 'SPENDING' end, t.amount_in_cents,
      case t.direction when 'MONEY_OUT' then 'OTHER' end, false, null, lower(t.counterparty_name)
    from transfers t
   where t.organization_id = p_organization_id and t.direction <> 'INTERNAL' and t.execution_mode = 'LIVE'
     and t.status = 'COMPLETE' and t.completed_at between p_from and p_to
     and (t.source_account_id is null or t.destination_account_id is null)
     and t.id not in (select own.id from own)
  union all
  -- Between two own accounts; a deposit from an own account outside is one, too.
  select t.id, t.completed_at, 'SAVING', t.amount_in_cents, null, false, null, null
    from transfers t
   where t.organization_id = p_organization_id and t.destination_account_id = any (array(select saving.id from saving))
     and t.execution_mode = 'LIVE' and t.status = 'COMPLETE' and t.completed_at between p_from and p_to
     and (t.source_account_id is not null or t.id in (select own.id from own))
  union all
  select t.id, t.completed_at, 'SAVING', -t.amount_in_cents, null, false, null, null
    from transfers t
   where t.organization_id = p_organization_id and t.source_account_id = any (array(select saving.id from saving))
     and t.execution_mode = 'LIVE' and t.status = 'COMPLETE' and t.completed_at between p_from and p_to
     and t.destination_account_id is not null
$$;

-- The date nearest to p_date that falls on p_day of its month, or on its last where the month is shorter.
create function nearest_day_of_month(p_date date, p_day integer) returns date
language sql immutable as $$
  select least(month_start + p_day - 1, (month_start + interval '1 month')::date - 1)
    from generate_series(-1, 1) as step,
      lateral (select (date_trunc('month', p_date::timestamp) + step * interval '1 month')::date as month_start) as month
   order by abs(least(month_start + p_day - 1, (month_start + interval '1 month')::date - 1) - p_date), step
   limit 1
$$;

-- The rhythm of dates, from how many of their gaps (in days) fit each: three in four must, of at least two gaps; one is
-- enough for a year. Null: irregular.
create function frequency_of(p_gaps bigint, p_weekly bigint, p_fortnightly bigint, p_fortnight_days numeric,
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

-- When a stream comes next, and how many days late it may be before it counts as ended.
create function next_expected(p_frequency text, p_last date, p_last_but_one date, p_usual_day integer)
returns table (next_date date, tolerance_days integer)
language sql immutable as $$
  select case p_frequency
      when 'WEEKLY' then p_last + 7
      when 'EVERY_OTHER_WEEK' then p_last + 14
      -- The two days of the month take turns.
      when 'TWICE_A_MONTH' then (p_last_but_one + interval '1 month')::date
      when 'MONTHLY' then nearest_day_of_month((p_last + interval '1 month')::date, p_usual_day)
      when 'QUARTERLY' then nearest_day_of_month((p_last + interval '3 months')::date, p_usual_day)
      when 'YEARLY' then nearest_day_of_month((p_last + interval '1 year')::date, p_usual_day)
    end,
    case p_frequency when 'WEEKLY' then 3 when 'EVERY_OTHER_WEEK' then 5 when 'TWICE_A_MONTH' then 5
      when 'MONTHLY' then 10 when 'QUARTERLY' then 20 when 'YEARLY' then 30 end
$$;

-- The report as sums; shares and monthly averages follow from them. p_from to p_to is the window, both inclusive;
-- recurring streams are looked for from p_history_from on. Months and days are those of the organization's time zone.
create function financial_profile(p_organization_id uuid, p_from timestamptz, p_to timestamptz,
  p_history_from timestamptz) returns jsonb
-- A year of transactions is sorted in memory; compiling the query takes longer than running it; and of sets made on the
-- way the planner knows no sizes: nested loops over two of them took a hundred times as long as hashing.
language sql stable set work_mem = '64MB' set jit = off set enable_nestloop = off as $$
  with zone as materialized (
    select time_zone, (p_from at time zone time_zone)::date as first_day, (p_to at time zone time_zone)::date as last_day
      from organizations where id = p_organization_id),
  flows as materialized (
    select f.*, (f.at at time zone (select time_zone from zone))::date as day, f.at >= p_from as is_in_window,
        -- As columns, for the planner takes a condition on a computed column for very rare, and sorts instead of hashing.
        f.kind <> 'SAVING' and f.amount_in_cents > 0 and f.stream_key is not null and f.fee_kind is null as is_charge,
        f.kind = 'SPENDING' and f.amount_in_cents > 0 and f.stream_key is not null and f.fee_kind is null as is_purchase
      from financial_flows(p_organization_id, p_history_from, p_to) f),

  -- Streams, of one payer or merchant each; refunds and fees are none.
  -- Where a merchant sells more than every three days, nothing of it can be weekly: most rows end here.
  sparse as (
    select kind, stream_key from flows where is_charge
     group by kind, stream_key having count(*) > 1 and max(day) - min(day) >= (count(*) - 1) * 3),
  -- Besides, by amount: a merchant with several subscriptions has a rhythm only in each of them.
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
        -- Three in four steps change the amount by at most a quarter.
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
  -- A merchant that is regular as a whole is one bill.
  regular as materialized (
    select *, only_amount is not null and
        bool_or(only_amount is null and is_regular) over (partition by kind, stream_key) as is_part
      from judged),
  recurring as materialized (
    select r.*, n.next_date, zone.last_day <= n.next_date + n.tolerance_days as is_active
      from regular r cross join zone
      cross join lateral next_expected(r.frequency, r.last_day, r.last_but_one, r.usual_day) n
     where r.is_regular and not r.is_part),
  -- Who else paid at least three times.
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
  fees as (
    select fee_kind, sum(amount) as amount, sum(purchases) as charges
      from sums where kind = 'SPENDING' and fee_kind is not null group by fee_kind),
  -- What a recurring bill took, less what came back of it, is not chosen anew.
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
  select jsonb_build_object(
      'totals', (select to_jsonb(totals) from totals),
      'discretionary', (select amount from discretionary),
      'months', (select jsonb_agg(to_jsonb(months) order by month) from months),
      'categories', (select coalesce(jsonb_agg(to_jsonb(categories)), '[]') from categories),
      'fees', (select coalesce(jsonb_agg(to_jsonb(fees) order by amount desc, fee_kind), '[]') from fees),
      'streams', (select coalesce(jsonb_agg(to_jsonb(named) order by total desc, name, last_day), '[]') from (
          select l.*, coalesce(
              (select coalesce(nullif(btrim(e.merchant_name), ''), plain_name(e.description)) from external_transactions e
                where e.organization_id = p_organization_id and e.id = l.id),
              (select plain_name(c.description) from card_transactions c
                where c.organization_id = p_organization_id and c.id = l.id),
              (select t.counterparty_name from transfers t
                where t.organization_id = p_organization_id and t.id = l.id)) as name
            from (select *, row_number() over (partition by kind order by total desc, last_day) as place from listed) l
           where place <= 100) as named))
$$;

grant execute on function plain_name, fee_kind_of, movement_legs, own_movements, financial_flows,
  nearest_day_of_month, frequency_of, next_expected, financial_profile to :"app_role";
