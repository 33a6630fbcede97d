-- Links the movements on these accounts since p_since to our own transfers, and returns the new links: same account,
-- amount and direction, at most five days apart, nearest in time first. Each transfer is linked once, and once more for
-- its return.
-- Considers earlier misses again: a transfer may be returned after the institution has shown the movement.
-- Locks the movements that it links; the caller holds their connection FOR UPDATE, so no two calls link the same one.
create or replace function match_own_transfers(p_organization_id uuid, p_account_ids uuid[], p_since timestamptz)
returns table (external_transaction_id uuid, transfer_id uuid)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_pair record;
  -- Older UUIDv7 ids sort before this one, so older transfers are not read. A return may come up to 60 banking days
  -- after the settlement.
  v_first_id uuid := (lpad(to_hex((extract(epoch from p_since - interval '100 days') * 1000)::bigint), 12, '0')
    || '70008000000000000000')::uuid;
begin
  for v_pair in
    with candidates as materialized (
      select t.id, side.account_id, t.amount_in_cents, side.direction, side.moved_at
        from unnest(p_account_ids) as account(id)
        cross join lateral (
          select * from transfers s
            where s.organization_id = p_organization_id and s.source_account_id = account.id
              and s.execution_mode = 'LIVE' and s.id >= v_first_id and s.status in ('PROCESSING', 'COMPLETE', 'RETURNED')
          union all
          select * from transfers d
            where d.organization_id = p_organization_id and d.destination_account_id = account.id
              and d.execution_mode = 'LIVE' and d.id >= v_first_id and d.status in ('PROCESSING', 'COMPLETE', 'RETURNED')
        ) as t
        cross join lateral (values
          (account.id, case when t.source_account_id = account.id then 'MONEY_OUT' else 'MONEY_IN' end, true,
           coalesce(t.completed_at, t.expected_completion_date::timestamptz, t.accepted_at)),
          (account.id, case when t.source_account_id = account.id then 'MONEY_IN' else 'MONEY_OUT' end,
           t.status = 'RETURNED', t.updated_at)
        ) as side(account_id, direction, is_seen, moved_at)
        where side.is_seen)
    select x.id as external_id, c.id as candidate_id, x.direction
      from external_transactions x
      join candidates c on c.account_id = x.account_id and c.amount_in_cents = x.amount_in_cents
        and c.direction = x.direction
        and x.transaction_date between c.moved_at - interval '5 days' and c.moved_at + interval '5 days'
      where x.organization_id = p_organization_id and x.account_id = any (p_account_ids)
        and x.transaction_date >= p_since and x.transfer_id is null and x.vanished_at is null
      order by abs(extract(epoch from x.transaction_date - c.moved_at)), x.id, c.id
  loop
    update external_transactions x set transfer_id = v_pair.candidate_id
      where x.organization_id = p_organization_id and x.id = v_pair.external_id and x.transfer_id is null
        and not exists (
          select from external_transactions taken
            where taken.organization_id = p_organization_id and taken.transfer_id = v_pair.candidate_id
              and taken.direction = v_pair.direction);
    if found then
      external_transaction_id := v_pair.external_id;
      transfer_id := v_pair.candidate_id;
      return next;
    end if;
  end loop;
end $$;

grant execute on function match_own_transfers to :"app_role";
