-- Decides whether the network may make a purchase. Approved: the amount is held on the pod and counted in the month.
-- Otherwise reason: CARD_UNKNOWN | CARD_CLOSED | CARD_FROZEN | MONTHLY_LIMIT | RELEASED | REFERENCE_REUSED | one of
-- `reserve`. A repeat of p_network_reference gets the first answer; with another card or amount it is declined and not
-- recorded.
-- Locks the card, then the pod's ledger, then the card's month.
create or replace function decide_card_purchase(p_purchase jsonb) returns table (is_approved boolean, reason text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  p_organization_id uuid := (p_purchase ->> 'organizationId')::uuid;
  p_id uuid := (p_purchase ->> 'id')::uuid;
  p_card_id uuid := (p_purchase ->> 'cardId')::uuid;
  p_network_reference text := p_purchase ->> 'networkReference';
  p_amount_in_cents bigint := (p_purchase ->> 'amountInCents')::bigint;
  p_merchant text := p_purchase ->> 'merchant';
  p_category text := p_purchase ->> 'category';
  p_expires_at timestamptz := (p_purchase ->> 'expiresAt')::timestamptz;
  p_now timestamptz := (p_purchase ->> 'now')::timestamptz;
  v_card cards;
  v_known card_authorizations;
  v_month date := calendar_month(p_organization_id, p_now);
  v_spent bigint;
  v_reason text;
begin
  v_card := lock_card(p_organization_id, p_card_id);
  if v_card.id is null then return query select false, 'CARD_UNKNOWN'; return; end if;

  select * into v_known from card_authorizations
    where organization_id = p_organization_id and network_reference = p_network_reference;
  if found then
    return query select r is null, r from (select case
      when v_known.card_id <> p_card_id or v_known.amount_in_cents <> p_amount_in_cents then 'REFERENCE_REUSED'
      when v_known.status = 'RELEASED' then 'RELEASED'
      else v_known.decline_reason end) as answer(r);
    return;
  end if;

  select coalesce(sum(m.spent_in_cents), 0)::bigint into v_spent from card_months m
    where m.organization_id = p_organization_id and m.card_id = p_card_id and m.month = v_month;
  v_reason := case
    when v_card.status = 'CLOSED' then 'CARD_CLOSED'
    when v_card.status = 'FROZEN' then 'CARD_FROZEN'
    when v_spent + p_amount_in_cents > v_card.monthly_limit_in_cents then 'MONTHLY_LIMIT' end;
  if v_reason is null then
    v_reason := reserve(p_organization_id, v_card.account_id, p_amount_in_cents, true);
  end if;

  insert into card_authorizations (organization_id, id, card_id, account_id, amount_in_cents, merchant, category,
      status, decline_reason, hold_in_cents, month, network_reference, authorized_at, expires_at, ended_at)
    values (p_organization_id, p_id, p_card_id, v_card.account_id, p_amount_in_cents, p_merchant, p_category,
      case when v_reason is null then 'AUTHORIZED' else 'DECLINED' end, v_reason,
      case when v_reason is null then p_amount_in_cents else 0 end, v_month, p_network_reference, p_now, p_expires_at,
      case when v_reason is not null then p_now end);
  if v_reason is null then
    perform count_card_spending(p_organization_id, p_card_id, v_month, p_amount_in_cents);
  end if;
  return query select v_reason is null, v_reason;
end $$;

grant execute on function decide_card_purchase to :"app_role";
