-- Notes that a bank has ended the hold of a settled pull earlier than it had said; release_available_funds then releases the
-- money. Repeating it changes nothing. Raises for a pull that has not settled here: the notice comes again.
-- Locks the settlement.
create or replace function release_early(p_organization_id uuid, p_transfer_id uuid, p_at timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update bank_settlements set available_at = least(available_at, p_at)
    where organization_id = p_organization_id and transfer_id = p_transfer_id and hold_in_cents > 0;
  if found then return; end if;
  perform 1 from bank_settlements where organization_id = p_organization_id and transfer_id = p_transfer_id;
  if not found then raise exception 'bank released the money of transfer %, which has not settled', p_transfer_id; end if;
end $$;

grant execute on function release_early to :"app_role";
