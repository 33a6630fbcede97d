-- What Sluice has paid of a debt's statement and of its next minimum payment, so that a rule that pays either of them
-- every day pays it once (decisions page, "LAST_STATEMENT_BALANCE").

-- The due date whose period runs, and as of when the provider first told it. A provider may tell a due date late, take it
-- back for a day, or correct it by a few days: none of that begins a new period, in which the minimum would be paid again.
alter table provider_balances
  add column payment_period_due_date date,
  -- Null: it was known already when periods began to be kept.
  add column payment_period_since timestamptz;

create function keep_payment_period() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_known date;
begin
  if tg_op = 'UPDATE' then
    v_known := coalesce(old.payment_period_due_date, old.next_payment_due_date);
    new.payment_period_since := old.payment_period_since;
  end if;
  if new.next_payment_due_date > v_known + 6 then
    new.payment_period_due_date := new.next_payment_due_date;
    new.payment_period_since := new.refreshed_at;
  else
    new.payment_period_due_date := coalesce(v_known, new.next_payment_due_date);
  end if;
  return new;
end $$;
create trigger provider_balances_payment_period before insert or update on provider_balances
  for each row execute function keep_payment_period();

-- Of debts alone; what is on its way counts as paid, what failed or came back does not.
--
-- Of the statement: what settled from its date on, by the bank's calendar, that day included. Whether the statement knows
-- a payment of its own date nobody says; counting it may leave a rest to the next statement, not counting it pays twice.
--
-- Of the minimum: what was accepted since the provider told its due date, and what settled since the statement that
-- asks for it. By acceptance, because a payment for this due date may settle after it and must not stand for the next.
create function read_debt_payments(p_organization_ids uuid[], p_account_ids uuid[])
returns table (
  organization_id uuid, id uuid, "lastStatementDate" date, "nextPaymentDueDate" date, "ofStatementInCents" bigint,
  "ofMinimumInCents" bigint
)
language sql stable security definer set search_path = public, pg_temp as $$
  with debts as materialized (
    select a.organization_id, a.id, p.last_statement_date, p.next_payment_due_date, p.refreshed_at,
        -- Where a date is not told, the month before what is known of it.
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
  -- Each step is named as in the partial index that holds it, so that nothing that has ended is read.
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
