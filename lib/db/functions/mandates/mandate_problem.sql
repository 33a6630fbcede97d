-- The first part of a mandate that a transfer breaks, with its limit and what it would have reached, in cents, uses or
-- days: { constraint, limit, reached }; null: it is inside. In the order of lib/contract/mandates/mandate.ts, and as
-- lib/engine/mandates/find-broken-part.ts. p_after_in_cents: what the source would hold. The caller holds the mandate.
create or replace function mandate_problem(p_mandate mandates, p_transfer jsonb, p_after_in_cents bigint, p_now timestamptz)
returns jsonb
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  t jsonb := p_mandate.terms;
  v_amount bigint := (p_transfer ->> 'amountInCents')::bigint;
  v_today date := (p_now at time zone p_mandate.time_zone)::date;
  v_used record;
  v_days integer;
  v_found jsonb;
begin
  if not (t -> 'sourceAccountIds' ? (p_transfer ->> 'sourceAccountId')
      and t -> 'destinationAccountIds' ? (p_transfer ->> 'destinationAccountId')) then
    return jsonb_build_object('constraint', 'ROUTE');
  end if;
  if v_today < (t ->> 'from')::date then return jsonb_build_object('constraint', 'NOT_YET'); end if;
  if v_today > (t ->> 'until')::date then return jsonb_build_object('constraint', 'OVER'); end if;
  if mandate_needs_signatures(p_mandate) then return jsonb_build_object('constraint', 'SIGNATURES'); end if;
  if changed_destination(p_mandate, array[(p_transfer ->> 'destinationAccountId')::uuid]) is not null then
    return jsonb_build_object('constraint', 'DESTINATION_CHANGED');
  end if;

  select * into strict v_used from mandate_counts(p_mandate.organization_id, p_mandate.id, p_mandate.time_zone,
    t -> 'recurrence' ->> 'period', p_now);
  v_days := v_today - (v_used.last_at at time zone p_mandate.time_zone)::date;
  select jsonb_build_object('constraint', part.name, 'limit', part.bound, 'reached', part.reached) into v_found
    from (values
        (1, 'BELOW_MINIMUM', (t ->> 'minimumInCents')::bigint, v_amount, true),
        (2, 'ABOVE_MAXIMUM', (t ->> 'maximumInCents')::bigint, v_amount, false),
        (3, 'USES', coalesce((t ->> 'maximumUses')::bigint, 1000), v_used.uses + 1, false),
        (4, 'RECURRENCE', (t -> 'recurrence' ->> 'atMost')::bigint, v_used.uses_in_period + 1, false),
        (5, 'DAYS_APART', (t -> 'recurrence' ->> 'daysApart')::bigint, v_days, true),
        (6, 'DAY', (t ->> 'dayInCents')::bigint, v_used.day_in_cents + v_amount, false),
        (7, 'WEEK', (t ->> 'weekInCents')::bigint, v_used.week_in_cents + v_amount, false),
        (8, 'MONTH', (t ->> 'monthInCents')::bigint, v_used.month_in_cents + v_amount, false),
        (9, 'THIRTY_DAYS', (t ->> 'thirtyDaysInCents')::bigint, v_used.thirty_days_in_cents + v_amount, false),
        (10, 'TOTAL', (t ->> 'totalInCents')::bigint, v_used.total_in_cents + v_amount, false),
        (11, 'BALANCE', (t ->> 'keepsInCents')::bigint, p_after_in_cents, true)
      ) part (place, name, bound, reached, is_least)
   where case when part.is_least then part.reached < part.bound else part.reached > part.bound end
   order by part.place limit 1;
  return v_found;
end $$;
