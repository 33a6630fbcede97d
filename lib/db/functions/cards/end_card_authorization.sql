-- Ends an authorization and releases what it still holds: SETTLED if any of it was settled, else RELEASED.
-- The caller holds the card and the authorization. Locks the pod's ledger, then the card's month.
create or replace function end_card_authorization(a card_authorizations, p_now timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if a.hold_in_cents > 0 then
    update ledgers set held_in_cents = held_in_cents - a.hold_in_cents,
        -- A released hold first covers the shortfall that a return or a card left.
        return_shortfall_in_cents = greatest(0, least(
          return_shortfall_in_cents, -(credits_in_cents - debits_in_cents - held_in_cents + a.hold_in_cents)))
      where organization_id = a.organization_id and id = a.account_id;
    perform count_card_spending(a.organization_id, a.card_id, a.month, -a.hold_in_cents);
  end if;
  update card_authorizations set hold_in_cents = 0, ended_at = p_now,
      status = case when settled_in_cents > 0 then 'SETTLED' else 'RELEASED' end
    where organization_id = a.organization_id and id = a.id;
end $$;
