-- Leases accounts that are due to get their numbers from the bank, at most p_limit, each until p_lease_ms from now, so
-- that no two workers ask for one account. p_now: real time.
-- Locks accounts FOR NO KEY UPDATE SKIP LOCKED.
create or replace function lease_accounts_to_open(p_now timestamptz, p_lease_ms integer, p_limit integer)
returns table (organization_id uuid, id uuid, name text, attempts integer, clock_offset_ms bigint)
language sql security definer set search_path = public, pg_temp as $$
  with due as materialized (
    select a.organization_id, a.id, o.clock_offset_ms
      from accounts a join organizations o on o.id = a.organization_id
      where a.number_due_at <= p_now + o.clock_offset_ms * interval '1 millisecond'
        and a.number_due_at <= (select latest_business_time(p_now))
        and (a.number_leased_until is null or a.number_leased_until < p_now)
        and a.deleted_at is null
      order by a.number_due_at limit p_limit
      for no key update of a skip locked)
  update accounts a set number_attempts = a.number_attempts + 1,
      number_leased_until = p_now + p_lease_ms * interval '1 millisecond'
    from due where a.organization_id = due.organization_id and a.id = due.id
    returning a.organization_id, a.id, a.name, a.number_attempts, due.clock_offset_ms
$$;

grant execute on function lease_accounts_to_open to :"app_role";
