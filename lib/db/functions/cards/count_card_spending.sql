-- Adds to what a card has spent in a month; a negative amount takes away. The caller holds the card, which is why the
-- update and the insert cannot race. Locks the card's month.
create or replace function count_card_spending(p_organization_id uuid, p_card_id uuid, p_month date, p_amount_in_cents bigint)
returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update card_months set spent_in_cents = spent_in_cents + p_amount_in_cents
    where organization_id = p_organization_id and card_id = p_card_id and month = p_month;
  if not found then insert into card_months values (p_organization_id, p_card_id, p_month, p_amount_in_cents); end if;
end $$;
