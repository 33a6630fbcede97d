-- Books what the network settles, even above what was authorized or what the pod holds: the money is gone. It uses up the
-- authorization's hold first. Returns false if the settlement was recorded before.
-- p_is_final: nothing more follows, so the rest of the hold is released.
-- Locks the card, the authorization, then both ledgers in id order, then the card's month.
create or replace function settle_card_purchase(p_settlement jsonb) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  p_organization_id uuid := (p_settlement ->> 'organizationId')::uuid;
  p_transaction_id uuid := (p_settlement ->> 'transactionId')::uuid;
  p_entry_id uuid := (p_settlement ->> 'entryId')::uuid;
  p_card_id uuid := (p_settlement ->> 'cardId')::uuid;
  p_authorization_reference text := p_settlement ->> 'authorizationReference';
  p_network_reference text := p_settlement ->> 'networkReference';
  p_amount_in_cents bigint := (p_settlement ->> 'amountInCents')::bigint;
  p_description text := p_settlement ->> 'description';
  p_category text := p_settlement ->> 'category';
  p_is_final boolean := (p_settlement ->> 'isFinal')::boolean;
  p_settled_at timestamptz := (p_settlement ->> 'settledAt')::timestamptz;
  p_now timestamptz := (p_settlement ->> 'now')::timestamptz;
  v_card cards;
  v_authorization card_authorizations;
  v_transaction card_transactions;
  v_used bigint;
begin
  v_card := lock_card(p_organization_id, p_card_id);
  if v_card.id is null then raise exception 'there is no card %', p_card_id; end if;
  -- By field, so that a new column of the table changes nothing here.
  v_transaction.organization_id := p_organization_id;
  v_transaction.id := p_transaction_id;
  v_transaction.card_id := p_card_id;
  v_transaction.account_id := v_card.account_id;
  v_transaction.subtype := 'PURCHASE';
  v_transaction.amount_in_cents := p_amount_in_cents;
  v_transaction.description := p_description;
  v_transaction.category := p_category;
  v_transaction.network_reference := p_network_reference;
  v_transaction.created_at := p_now;
  v_transaction.completed_at := p_settled_at;
  if is_card_transaction_known(v_transaction) then return false; end if;

  -- The authorization must be this card's: the hold of another card may not be used.
  select * into v_authorization from card_authorizations
    where organization_id = p_organization_id and network_reference = p_authorization_reference
      and card_id = p_card_id for update;
  -- An unknown authorization is recorded, so that its purchase, should it still arrive, holds nothing.
  if v_authorization.id is null and p_authorization_reference is not null then
    insert into card_authorizations (organization_id, id, card_id, account_id, amount_in_cents, merchant, category,
        status, month, network_reference, authorized_at, ended_at)
      values (p_organization_id, p_transaction_id, p_card_id, v_card.account_id, p_amount_in_cents, p_description,
        p_category, 'SETTLED', calendar_month(p_organization_id, p_settled_at), p_authorization_reference,
        p_settled_at, p_now)
      on conflict (organization_id, network_reference) do nothing
      returning * into v_authorization;
  end if;
  v_used := least(coalesce(v_authorization.hold_in_cents, 0), p_amount_in_cents);
  v_transaction.authorization_id := v_authorization.id;
  perform book_card_transaction(v_transaction, p_entry_id, v_used);
  perform count_card_spending(p_organization_id, p_card_id,
    coalesce(v_authorization.month, calendar_month(p_organization_id, p_settled_at)), p_amount_in_cents - v_used);

  if v_authorization.id is null then return true; end if;
  update card_authorizations set hold_in_cents = hold_in_cents - v_used,
      settled_in_cents = settled_in_cents + p_amount_in_cents,
      -- Even a declined or released authorization counts as settled now.
      status = case when status = 'AUTHORIZED' then status else 'SETTLED' end
    where organization_id = p_organization_id and id = v_authorization.id
    returning * into v_authorization;
  if p_is_final and v_authorization.status = 'AUTHORIZED' then
    perform end_card_authorization(v_authorization, p_now);
  end if;
  return true;
end $$;

grant execute on function settle_card_purchase to :"app_role";
