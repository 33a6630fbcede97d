-- What came in and went out of an organization's managed accounts from day p_from to p_to, both inclusive (null:
-- open-ended): transfers from and to outside, and cards. Every page and message that says "came in" or "went out" uses
-- it. Returns and refunds reduce what they undo; if that was before the first day, they count in the other direction.
-- No row, rather than a part, if there are more than p_maximum_rows daily sums (null: unlimited). Locks nothing.
create or replace function border_flows(p_organization_id uuid, p_from date, p_to date, p_maximum_rows integer)
returns table (in_in_cents bigint, in_from_own_in_cents bigint, out_in_cents bigint, out_to_own_in_cents bigint)
language sql stable as $$
  with crossed as materialized (
    select f.debit_ledger_id, f.credit_ledger_id, f.party, f.amount_in_cents,
        f.debit_ledger_id = o.clearing_ledger_id as is_in
      from organizations o
      join daily_flows f on f.organization_id = o.id and o.clearing_ledger_id in (f.debit_ledger_id, f.credit_ledger_id)
     where o.id = p_organization_id
       and f.day between coalesce(p_from, '-infinity'::date) and coalesce(p_to, 'infinity'::date)
     limit p_maximum_rows + 1),
  netted as (
    select is_in = (sum(amount_in_cents) > 0) as is_in, abs(sum(amount_in_cents)) as amount_in_cents,
        party like 'account:%' as is_own
      from crossed group by debit_ledger_id, credit_ledger_id, party, crossed.is_in)
  select coalesce(sum(amount_in_cents) filter (where is_in), 0)::bigint,
      coalesce(sum(amount_in_cents) filter (where is_in and is_own), 0)::bigint,
      coalesce(sum(amount_in_cents) filter (where not is_in), 0)::bigint,
      coalesce(sum(amount_in_cents) filter (where not is_in and is_own), 0)::bigint
    from netted having p_maximum_rows is null or (select count(*) from crossed) <= p_maximum_rows
$$;

grant execute on function border_flows to :"app_role";
