-- Leases pods' own accounts at the bank that are not open yet, differ from the books, have a move whose outcome is unknown,
-- or were not asked about for p_ask_again_ms; at most p_limit, each until p_lease_ms from now. While the gates are closed
-- nothing new is moved. p_now: real time.
-- Locks the accounts' rows FOR UPDATE SKIP LOCKED; tries the gates' shared lock.
create or replace function lease_own_bank_accounts(p_now timestamptz, p_lease_ms integer, p_ask_again_ms integer, p_limit integer)
returns table (organization_id uuid, account_id uuid, name text, is_open boolean, move_id uuid, move_in_cents bigint,
  leased_until timestamptz)
language sql security definer set search_path = public, pg_temp as $$
  with due as materialized (
    select o.organization_id, o.account_id from own_bank_accounts o
      where o.due_at <= p_now and (o.leased_until is null or o.leased_until < p_now)
        and (o.move_id is not null
          or gates_are_open(o.organization_id) and (not o.is_open or o.at_bank_in_cents <> own_bank_account_target(o)
            or o.asked_bank_at < p_now - p_ask_again_ms * interval '1 millisecond'))
      order by o.due_at limit p_limit
      for update of o skip locked)
  update own_bank_accounts o set leased_until = p_now + p_lease_ms * interval '1 millisecond'
    from due join accounts a on a.organization_id = due.organization_id and a.id = due.account_id
    where o.organization_id = due.organization_id and o.account_id = due.account_id
    returning o.organization_id, o.account_id, a.name, o.is_open, o.move_id, o.move_in_cents, o.leased_until
$$;

grant execute on function lease_own_bank_accounts to :"app_role";
