-- Ends an open authorization that the network cancels or whose time is over; returns whether one was ended. An unknown
-- authorization is recorded as RELEASED, so that its purchase, should it still arrive, holds nothing.
-- Locks the card, the authorization, then the pod's ledger and the card's month.
create or replace function release_card_hold(p_release jsonb) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  p_organization_id uuid := (p_release ->> 'organizationId')::uuid;
  p_id uuid := (p_release ->> 'id')::uuid;
  p_card_id uuid := (p_release ->> 'cardId')::uuid;
  p_network_reference text := p_release ->> 'networkReference';
  p_amount_in_cents bigint := (p_release ->> 'amountInCents')::bigint;
  p_merchant text := p_release ->> 'merchant';
  p_category text := p_release ->> 'category';
  p_now timestamptz := (p_release ->> 'now')::timestamptz;
  v_card cards;
  v_known card_authorizations;
begin
  v_card := lock_card(p_organization_id, p_card_id);
  if v_card.id is null then raise exception 'there is no card %', p_card_id; end if;
  select * into v_known from card_authorizations
    where organization_id = p_organization_id and network_reference = p_network_reference for update;
  if not found then
    insert into card_authorizations (organization_id, id, card_id, account_id, amount_in_cents, merchant, category,
        status, month, network_reference, authorized_at, ended_at)
      values (p_organization_id, p_id, p_card_id, v_card.account_id, p_amount_in_cents, p_merchant, p_category,
        'RELEASED', calendar_month(p_organization_id, p_now), p_network_reference, p_now, p_now);
    return false;
  end if;
  -- The reference belongs to another card, whose authorization must not end here.
  if v_known.card_id <> p_card_id or v_known.status <> 'AUTHORIZED' then return false; end if;
  perform end_card_authorization(v_known, p_now);
  return true;
end $$;

grant execute on function release_card_hold to :"app_role";
