-- Kept for the previous version, which may still be serving; see lease_bank_orders.
-- Leases transfers that are due at the bank, at most p_limit, each for p_lease_ms: those to submit (is_first_attempt),
-- and those to ask the bank about because it may know them already. While the gates are closed nothing new is
-- submitted. A transfer that was not submitted is set to fail instead if one of its accounts was closed, or if its payee
-- changed since it was accepted: nobody has approved paying the new account. A payment waits while a pod's own account at
-- the bank holds more than its share: that money must first be back where payments leave from (note_own_bank_account). Of
-- real money, the day on which a payment leaves is kept (outgoing_used). p_now: real time.
-- Locks the transfers FOR UPDATE SKIP LOCKED; tries the gates' shared lock.
create or replace function lease_bank_transfers(p_now timestamptz, p_lease_ms integer, p_limit integer)
returns table (
  organization_id uuid, id uuid, direction text, amount_in_cents bigint, description text, attempts integer,
  is_first_attempt boolean, clock_offset_ms bigint, outside_name text, outside_routing_number_last4 text,
  outside_account_number_last4 text, outside_bank_reference text
)
language sql security definer set search_path = public, pg_temp as $$
  with due as materialized (
    select t.organization_id, t.id, t.next_step = 'SUBMIT' as is_first_attempt, o.clock_offset_ms,
        -- What the bank may know already is carried through: only the bank can say what became of it.
        case when t.next_step <> 'SUBMIT' then null
          when exists (
            select from accounts a where a.organization_id = t.organization_id
              and a.id in (t.source_account_id, t.destination_account_id) and a.deleted_at is not null)
            then 'ACCOUNT_CLOSED'
          when exists (
            select from payees p where p.organization_id = t.organization_id and p.id = t.destination_account_id
              and p.version is distinct from t.payee_version)
            then 'PAYEE_CHANGED' end as stopped_by
      from transfers t join organizations o on o.id = t.organization_id
      where t.next_step in ('SUBMIT', 'ASK')
        and t.due_at <= p_now + o.clock_offset_ms * interval '1 millisecond'
        and t.due_at <= (select latest_business_time(p_now))
        and (t.leased_until is null or t.leased_until < p_now)
        -- Asked for even while the gates are closed: the bank may have the order, and it cannot be recalled.
        and (t.next_step = 'ASK' or gates_are_open(t.organization_id))
        and (t.next_step = 'ASK' or t.direction = 'MONEY_IN' or not exists (
          select from own_bank_accounts own
            where own.organization_id = t.organization_id and own_bank_account_excess(own) > 0))
      order by t.due_at limit p_limit
      for update of t skip locked),
  stopped as (
    update transfers t set next_step = 'FAIL', fails_with = due.stopped_by
      from due where t.organization_id = due.organization_id and t.id = due.id and due.stopped_by is not null),
  leased as (
    update transfers t set next_step = 'ASK', attempts = t.attempts + 1,
        leased_until = p_now + p_lease_ms * interval '1 millisecond'
      from due where t.organization_id = due.organization_id and t.id = due.id and due.stopped_by is null
      returning t.*, due.is_first_attempt, due.clock_offset_ms),
  left_today as (
    insert into outgoing_orders (organization_id, transfer_id, left_at)
      select l.organization_id, l.id, p_now + l.clock_offset_ms * interval '1 millisecond' from leased l
        where l.is_first_attempt and l.direction = 'MONEY_OUT' and exists (select from bank_in_use b where b.is_production)
      on conflict do nothing)
  select l.organization_id, l.id, l.direction, l.amount_in_cents, l.description, l.attempts, l.is_first_attempt,
      l.clock_offset_ms, a.name, a.routing_number_last4, a.account_number_last4,
      coalesce(p.bank_reference, r.bank_reference)
    from leased l
    join accounts a on a.organization_id = l.organization_id
      and a.id = case when l.direction = 'MONEY_OUT' then l.destination_account_id else l.source_account_id end
    left join payees p on p.organization_id = a.organization_id and p.id = a.id
    left join registered_accounts r on r.organization_id = a.organization_id and r.account_id = a.id
$$;

grant execute on function lease_bank_transfers to :"app_role";
