-- Makes the sandbox bank return an order now: a planned settlement is dropped, a return planned for later comes at
-- once, a return that has been announced stays. Returns whether this call caused the return.
-- A function, so that the application's role needs no right to delete bank notices.
-- Locks the order FOR UPDATE.
create or replace function sandbox_bank_return_order(p_organization_id uuid, p_transfer_id uuid, p_notice_reference uuid,
  p_code text, p_now timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- A refused order was never in progress. The lock makes a second return wait for the first.
  perform 1 from sandbox_bank_orders
    where organization_id = p_organization_id and transfer_id = p_transfer_id and refusal_code is null for update;
  if not found then return false; end if;
  delete from sandbox_bank_notices
    where organization_id = p_organization_id and transfer_id = p_transfer_id and acknowledged_at is null
      and (due_at > p_now or kind = 'SETTLED');
  insert into sandbox_bank_notices (organization_id, notice_reference, transfer_id, kind, code, due_at)
    values (p_organization_id, p_notice_reference, p_transfer_id, 'RETURNED', p_code, p_now)
    on conflict (organization_id, transfer_id, kind) do nothing;
  return found;
end $$;

grant execute on function sandbox_bank_return_order to :"app_role";
