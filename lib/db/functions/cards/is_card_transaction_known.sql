-- Whether the transaction was recorded before under this network reference. Raises if it was recorded with another
-- card, subtype or amount: treating that as a repeat would lose real money.
-- Locks nothing; the caller holds the card, so no concurrent call can record it.
create or replace function is_card_transaction_known(t card_transactions) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_known card_transactions;
begin
  select * into v_known from card_transactions
    where organization_id = t.organization_id and network_reference = t.network_reference;
  if not found then return false; end if;
  if (v_known.card_id, v_known.subtype, v_known.amount_in_cents) <> (t.card_id, t.subtype, t.amount_in_cents) then
    raise exception 'card transaction % was recorded before with other details', t.network_reference;
  end if;
  return true;
end $$;
