-- Records money that comes back to a card's pod; returns false if it was recorded before. A PAYOUT is money that
-- arrives and fires rules; a REFUND returns what was spent and fires none, like a transfer that the bank returns.
-- Locks the card, then both ledgers in id order.
create or replace function book_card_credit(p_credit jsonb) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  p_organization_id uuid := (p_credit ->> 'organizationId')::uuid;
  p_transaction_id uuid := (p_credit ->> 'transactionId')::uuid;
  p_entry_id uuid := (p_credit ->> 'entryId')::uuid;
  p_card_id uuid := (p_credit ->> 'cardId')::uuid;
  p_subtype text := p_credit ->> 'subtype';
  p_network_reference text := p_credit ->> 'networkReference';
  p_amount_in_cents bigint := (p_credit ->> 'amountInCents')::bigint;
  p_description text := p_credit ->> 'description';
  p_category text := p_credit ->> 'category';
  p_settled_at timestamptz := (p_credit ->> 'settledAt')::timestamptz;
  p_now timestamptz := (p_credit ->> 'now')::timestamptz;
  v_card cards;
  v_transaction card_transactions;
begin
  if p_subtype not in ('REFUND', 'PAYOUT') then raise exception 'no credit: %', p_subtype; end if;
  v_card := lock_card(p_organization_id, p_card_id);
  if v_card.id is null then raise exception 'there is no card %', p_card_id; end if;
  v_transaction.organization_id := p_organization_id;
  v_transaction.id := p_transaction_id;
  v_transaction.card_id := p_card_id;
  v_transaction.account_id := v_card.account_id;
  v_transaction.subtype := p_subtype;
  v_transaction.amount_in_cents := p_amount_in_cents;
  v_transaction.description := p_description;
  v_transaction.category := p_category;
  v_transaction.network_reference := p_network_reference;
  v_transaction.created_at := p_now;
  v_transaction.completed_at := p_settled_at;
  if is_card_transaction_known(v_transaction) then return false; end if;
  perform book_card_transaction(v_transaction, p_entry_id, 0);
  if p_subtype = 'PAYOUT' then
    perform fire_rules(array[row(p_organization_id, v_card.account_id, 'CARD_TRANSACTION', p_transaction_id,
      p_amount_in_cents, 0, p_now)::arrival]);
  end if;
  return true;
end $$;

grant execute on function book_card_credit to :"app_role";
