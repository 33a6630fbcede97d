-- Cancels a transfer that is neither booked nor submitted to the bank nor leased for that; returns whether it did.
-- Locks the transfer FOR UPDATE, then its source ledger, then its run (settle_execution).
create or replace function cancel_transfer(p_organization_id uuid, p_id uuid, p_cancelled_by uuid, p_now timestamptz)
returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_transfer transfers;
begin
  select * into v_transfer from transfers where organization_id = p_organization_id and id = p_id for update;
  if not found or v_transfer.next_step is null or v_transfer.next_step not in ('BOOK', 'SUBMIT') then
    return false;
  end if;
  perform end_unmoved(v_transfer, 'CANCELLED', null, p_now);
  update transfers set cancelled_by = p_cancelled_by where organization_id = p_organization_id and id = p_id;
  return true;
end $$;

grant execute on function cancel_transfer to :"app_role";
