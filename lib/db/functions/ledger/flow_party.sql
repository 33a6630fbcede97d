-- The party outside on the other side of a transfer: 'account:<id>' of an outside account, else 'name:<counterparty>'.
-- Locks nothing.
create or replace function flow_party(p_organization_id uuid, p_transfer_id uuid) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(
      'account:' || case when t.direction = 'MONEY_IN' then t.source_account_id else t.destination_account_id end,
      'name:' || coalesce(btrim(t.counterparty_name), ''))
    from transfers t where t.organization_id = p_organization_id and t.id = p_transfer_id
$$;
