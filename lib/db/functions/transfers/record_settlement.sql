-- Keeps what the bank said of money that settled, and holds money that it may still take back on its destination until
-- it is available. The caller holds the transfer and has booked it.
-- Locks the destination's ledger if it holds anything.
create or replace function record_settlement(t transfers, p_rail text, p_fee_in_cents bigint, p_final_at timestamptz,
  p_available_at timestamptz, p_is_held boolean) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into bank_settlements (organization_id, transfer_id, rail, fee_in_cents, final_at, available_at, hold_in_cents)
    values (t.organization_id, t.id, p_rail, p_fee_in_cents, p_final_at, p_available_at,
      case when p_is_held then t.amount_in_cents else 0 end);
  if not p_is_held then return; end if;
  -- A shortfall that the credit covered a moment ago is open again while the money is held.
  update ledgers set held_in_cents = held_in_cents + t.amount_in_cents,
      return_shortfall_in_cents = greatest(return_shortfall_in_cents,
        -(credits_in_cents - debits_in_cents - held_in_cents - t.amount_in_cents))
    where organization_id = t.organization_id and id = t.destination_account_id;
end $$;
