-- Leases transfers that are due at the bank, at most p_limit, each for p_lease_ms: those to submit (is_first_attempt),
-- and those to ask the bank about because it may know them already. While the gates are closed nothing new is
-- submitted. A transfer of a closed account that was not submitted is set to fail instead. p_now: real time.
-- Locks the transfers FOR UPDATE SKIP LOCKED; tries the gates' shared lock.
create or replace function lease_bank_transfers(p_now timestamptz, p_lease_ms integer, p_limit integer)
returns table (
  organization_id uuid, id uuid, direction text, amount_in_cents bigint, description text, attempts integer,
  is_first_attempt boolean, clock_offset_ms bigint, outside_name text, outside_routing_number_last4 text,
  outside_account_number_last4 text
)
language sql security definer set search_path = public, pg_temp as $$
  with due as materialized (
    select t.organization_id, t.id, t.next_step = 'SUBMIT' as is_first_attempt, o.clock_offset_ms,
        -- What the bank may know already is carried through: only the bank can say what became of it.
        t.next_step = 'SUBMIT' and exists (
          select from accounts a where a.organization_id = t.organization_id
            and a.id in (t.source_account_id, t.destination_account_id) and a.deleted_at is not null) as is_stopped
      from transfers t join organizations o on o.id = t.organization_id
      where t.next_step in ('SUBMIT', 'ASK')
        and t.due_at <= p_now + o.clock_offset_ms * interval '1 millisecond'
        and (t.leased_until is null or t.leased_until < p_now)
        -- Asked for even while the gates are closed: the bank may have the order, and it cannot be recalled.
        and (t.next_step = 'ASK' or gates_are_open(t.organization_id))
      order by t.due_at limit p_limit
      for update of t skip locked),
  stopped as (
    update transfers t set next_step = 'FAIL', fails_with = 'ACCOUNT_CLOSED'
      from due where t.organization_id = due.organization_id and t.id = due.id and due.is_stopped),
  leased as (
    update transfers t set next_step = 'ASK', attempts = t.attempts + 1,
        leased_until = p_now + p_lease_ms * interval '1 millisecond'
      from due where t.organization_id = due.organization_id and t.id = due.id and not due.is_stopped
      returning t.*, due.is_first_attempt, due.clock_offset_ms)
  select l.organization_id, l.id, l.direction, l.amount_in_cents, l.description, l.attempts, l.is_first_attempt,
      l.clock_offset_ms, a.name, a.routing_number_last4, a.account_number_last4
    from leased l
    join accounts a on a.organization_id = l.organization_id
      and a.id = case when l.direction = 'MONEY_OUT' then l.destination_account_id else l.source_account_id end
$$;

grant execute on function lease_bank_transfers to :"app_role";
