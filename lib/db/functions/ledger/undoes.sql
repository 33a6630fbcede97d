-- Whether an entry takes back what an earlier one moved: a returned transfer or a card refund. Locks nothing.
create or replace function undoes(p_kind text, p_organization_id uuid, p_card_transaction_id uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select p_kind = 'RETURN' or p_kind = 'CARD' and exists (
    select from card_transactions c
     where c.organization_id = p_organization_id and c.id = p_card_transaction_id and c.subtype = 'REFUND')
$$;
