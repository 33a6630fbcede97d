-- Ends an accepted transfer that moved nothing, as p_status, and releases its hold. The caller holds the transfer.
-- Locks the source ledger, then the transfer's run (settle_execution).
create or replace function end_unmoved(t transfers, p_status text, p_error_code text, p_now timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if t.hold_in_cents > 0 then
    update ledgers set held_in_cents = held_in_cents - t.hold_in_cents
      where organization_id = t.organization_id and id = t.source_account_id;
  end if;
  update transfers set status = p_status, hold_in_cents = 0, next_step = null, due_at = null, leased_until = null,
      error_code = p_error_code,
      error_message = case when p_error_code is not null then failure_message(p_error_code) end,
      completed_at = p_now, updated_at = p_now
    where organization_id = t.organization_id and id = t.id;
end $$;
