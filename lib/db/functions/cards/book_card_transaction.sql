-- Records a card transaction and its ledger entry: a purchase moves money from the pod to the clearing ledger, anything
-- else moves it back. Returns nothing; the caller holds the card and has checked that the transaction is new.
-- Locks both ledgers in id order (lock_ledgers).
create or replace function book_card_transaction(t card_transactions, p_entry_id uuid, p_releases_hold_in_cents bigint)
returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_clearing uuid;
begin
  select clearing_ledger_id into strict v_clearing from organizations where id = t.organization_id;
  insert into card_transactions (organization_id, id, card_id, account_id, subtype, amount_in_cents, description,
      category, network_reference, created_at, completed_at, authorization_id)
    values (t.organization_id, t.id, t.card_id, t.account_id, t.subtype, t.amount_in_cents, t.description, t.category,
      t.network_reference, t.created_at, t.completed_at, t.authorization_id);
  perform lock_ledgers(t.organization_id, array[t.account_id, v_clearing]);
  perform post_entries(array[row(t.organization_id, p_entry_id, null, t.id, 'CARD',
    case when t.subtype = 'PURCHASE' then t.account_id else v_clearing end,
    case when t.subtype = 'PURCHASE' then v_clearing else t.account_id end,
    t.amount_in_cents, p_releases_hold_in_cents, t.created_at)::posting]);
end $$;
