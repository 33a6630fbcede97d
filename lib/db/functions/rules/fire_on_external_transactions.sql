-- Fires rules for money that a provider reports as settled on a connected account. Transactions linked to our own
-- transfers fire nothing: that transfer was the arrival, or money that left. The caller holds the connection. Locks
-- what fire_rules locks.
create or replace function fire_on_external_transactions(p_organization_id uuid, p_ids uuid[], p_now timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  select fire_rules(array_agg(row(x.organization_id, x.account_id, 'EXTERNAL_TRANSACTION', x.id, x.amount_in_cents, 0,
      p_now)::arrival order by x.id))
    from external_transactions x
   where x.organization_id = p_organization_id and x.id = any (p_ids) and x.status = 'COMPLETE'
     and x.direction = 'MONEY_IN' and x.transfer_id is null and x.vanished_at is null and x.amount_in_cents > 0
$$;

grant execute on function fire_on_external_transactions to :"app_role";
