-- What Sluice has paid of each debt's last statement and next minimum, in cents, including what is on its way; failed
-- and returned transfers do not count. Statement: what settled from its date on, that day included, by the bank's
-- calendar. Whether the statement includes a payment of its own date is unknown, and not counting it could pay twice.
-- Minimum: what was accepted since the provider reported the due date, or settled since the statement that asks for it;
-- a payment for this due date may settle after it and must not count for the next. Locks nothing.
create or replace function read_debt_payments(p_organization_ids uuid[], p_account_ids uuid[])
returns table (
  organization_id uuid, id uuid, "lastStatementDate" date, "nextPaymentDueDate" date, "ofStatementInCents" bigint,
  "ofMinimumInCents" bigint
)
language sql stable security definer set search_path = public, pg_temp as $$
  with debts as materialized (
    select a.organization_id, a.id, p.last_statement_date, p.next_payment_due_date, p.refreshed_at,
        -- Without a reported date, the month before what is known.
        coalesce(p.last_statement_date, p.next_payment_due_date - interval '1 month',
          (p.refreshed_at - interval '1 month') at time zone 'America/New_York')
          at time zone 'America/New_York' as statement_since,
        coalesce(p.payment_period_since,
          (coalesce(p.payment_period_due_date, p.next_payment_due_date) - interval '1 month')
            at time zone 'America/New_York',
          p.refreshed_at - interval '1 month') as minimum_since,
        p.last_statement_date::timestamp at time zone 'America/New_York' as statement_at
      from (select distinct * from unnest(p_organization_ids, p_account_ids)) as asked (organization_id, id)
      join accounts a on a.organization_id = asked.organization_id and a.id = asked.id
        and a.external_account_type = 'LIABILITY'
      left join provider_balances p on p.organization_id = a.organization_id and p.account_id = a.id),
  -- Each step is named as in its partial index, so that no finished transfer is read.
  open as materialized (
    select t.organization_id, t.destination_account_id, t.amount_in_cents from transfers t
      where t.next_step in ('BOOK', 'FAIL') and t.organization_id = any (p_organization_ids) and t.fails_with is null
    union all
    select t.organization_id, t.destination_account_id, t.amount_in_cents from transfers t
      where t.next_step in ('SUBMIT', 'ASK') and t.organization_id = any (p_organization_ids)
    union all
    select t.organization_id, t.destination_account_id, t.amount_in_cents from transfers t
      where t.next_step = 'AWAIT' and t.organization_id = any (p_organization_ids))
  select d.organization_id, d.id, d.last_statement_date, d.next_payment_due_date,
      coming.in_cents + coalesce(settled.of_statement, 0)::bigint,
      coming.in_cents + coalesce(settled.of_minimum, 0)::bigint
    from debts d
    cross join lateral (
      select coalesce(sum(o.amount_in_cents), 0)::bigint as in_cents from open o
       where o.organization_id = d.organization_id and o.destination_account_id = d.id) coming
    cross join lateral (
      select sum(s.amount_in_cents)
            filter (where s.completed_at >= least(d.statement_since, d.refreshed_at)) as of_statement,
          sum(s.amount_in_cents) filter (where s.completed_at >= d.refreshed_at or s.accepted_at >= d.minimum_since
            or s.completed_at >= d.statement_at) as of_minimum
        from transfers s
       where s.organization_id = d.organization_id and s.destination_account_id = d.id
         and s.direction <> 'INTERNAL' and s.execution_mode = 'LIVE' and s.status = 'COMPLETE'
         and s.completed_at >= least(d.statement_since, d.minimum_since, d.refreshed_at)) settled
$$;

grant execute on function read_debt_payments to :"app_role";
