-- Accounts that are opened and closed while money moves.

-- An income source gets its numbers from the bank: asked for by due work, never inside a request.
alter table accounts
  -- Business time at which the bank is asked next; null when there is nothing to ask.
  add column number_due_at       timestamptz,
  add column number_attempts     integer not null default 0,
  -- Real time.
  add column number_leased_until timestamptz,
  add check (number_due_at is null or type = 'INCOME_SOURCE');
create index accounts_to_open on accounts (number_due_at) where number_due_at is not null;

-- What is on its way, with the two indexes of 0004 that hold the steps before: read by an account's page and before it
-- is closed. Moves between pods never come here, so the busiest path writes no further index.
create index transfers_awaited on transfers (organization_id) where next_step = 'AWAIT';

-- An account's entries are read down the index of its ledger. With statistics, the planner takes it for granted that any
-- ledger has as many entries as the busiest, and walks the organization's whole index to find those of a quiet one.
alter table entries
  alter column organization_id set statistics 0,
  alter column debit_ledger_id set statistics 0,
  alter column credit_ledger_id set statistics 0;

-- Claims accounts for which the bank is to be asked. p_now is real time.
create function lease_accounts_to_open(p_now timestamptz, p_lease_ms integer, p_limit integer)
returns table (organization_id uuid, id uuid, name text, attempts integer, clock_offset_ms bigint)
language sql security definer set search_path = public, pg_temp as $$
  with due as materialized (
    select a.organization_id, a.id, o.clock_offset_ms
      from accounts a join organizations o on o.id = a.organization_id
      where a.number_due_at <= p_now + o.clock_offset_ms * interval '1 millisecond'
        and (a.number_leased_until is null or a.number_leased_until < p_now)
        and a.deleted_at is null
      order by a.number_due_at limit p_limit
      for no key update of a skip locked)
  update accounts a set number_attempts = a.number_attempts + 1,
      number_leased_until = p_now + p_lease_ms * interval '1 millisecond'
    from due where a.organization_id = due.organization_id and a.id = due.id
    returning a.organization_id, a.id, a.name, a.number_attempts, due.clock_offset_ms
$$;

-- What the bank said: its numbers, or (null) nothing, and then it is asked again at p_retry_at.
-- Numbers are written once; the application's role may not write them itself.
create function record_opened_account(p_organization_id uuid, p_id uuid, p_institution_name text,
  p_routing_number_last4 text, p_account_number_last4 text, p_retry_at timestamptz, p_now timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  update accounts set number_leased_until = null,
      number_due_at = case when p_account_number_last4 is null then p_retry_at end,
      institution_name = coalesce(p_institution_name, institution_name),
      routing_number_last4 = coalesce(p_routing_number_last4, routing_number_last4),
      account_number_last4 = coalesce(p_account_number_last4, account_number_last4),
      updated_at = case when p_account_number_last4 is null then updated_at else greatest(updated_at, p_now) end
    where organization_id = p_organization_id and id = p_id and number_due_at is not null
$$;

-- The same id with another moment in its first 48 bits, so that it sorts by that moment.
create function id_at(p_id uuid, p_at timestamptz) returns uuid
language sql immutable as $$
  select (lpad(to_hex(floor(extract(epoch from p_at) * 1000)::bigint), 12, '0')
    || substr(replace(p_id::text, '-', ''), 13))::uuid
$$;

-- Supersedes 0004: an entry's id is of the business time at which it is booked. The worker that books for many
-- organizations in one call makes ids of real time, so in an organization whose clock was moved they sorted before
-- older entries, and an account's page read in another order than its money moved.
create or replace function book(t transfers, p_entry_id uuid, p_now timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_clearing uuid;
begin
  select clearing_ledger_id into v_clearing from organizations where id = t.organization_id;
  insert into entries (organization_id, id, transfer_id, kind, debit_ledger_id, credit_ledger_id, amount_in_cents,
      releases_hold_in_cents, booked_at)
    values (t.organization_id, id_at(p_entry_id, p_now), t.id, 'TRANSFER', debit_ledger(t, v_clearing),
      credit_ledger(t, v_clearing), t.amount_in_cents, t.hold_in_cents, p_now);
  update transfers set status = 'COMPLETE', hold_in_cents = 0, next_step = null, due_at = null, leased_until = null,
      completed_at = p_now, updated_at = p_now
    where organization_id = t.organization_id and id = t.id;
end $$;

-- Supersedes 0004: an order with an account that was closed since is not handed to the bank. A transfer that was asked
-- for in the moment of closing is written after it (close-account.ts), and would have pulled money into a closed
-- account. It fails instead, as one between pods always did.
create or replace function lease_bank_transfers(p_now timestamptz, p_lease_ms integer, p_limit integer)
returns table (
  organization_id uuid, id uuid, direction text, amount_in_cents bigint, description text, attempts integer,
  is_first_attempt boolean, clock_offset_ms bigint, outside_name text, outside_routing_number_last4 text,
  outside_account_number_last4 text
)
language sql security definer set search_path = public, pg_temp as $$
  with due as materialized (
    select t.organization_id, t.id, t.next_step = 'SUBMIT' as is_first_attempt, o.clock_offset_ms,
        -- What the bank may know of already is carried through: only the bank can say what became of it.
        t.next_step = 'SUBMIT' and exists (
          select from accounts a where a.organization_id = t.organization_id
            and a.id in (t.source_account_id, t.destination_account_id) and a.deleted_at is not null) as is_stopped
      from transfers t join organizations o on o.id = t.organization_id
      where t.next_step in ('SUBMIT', 'ASK')
        and t.due_at <= p_now + o.clock_offset_ms * interval '1 millisecond'
        and (t.leased_until is null or t.leased_until < p_now)
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

grant execute on function lease_accounts_to_open, record_opened_account, lease_bank_transfers to :"app_role";
