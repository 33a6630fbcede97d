-- Books an accepted transfer: writes its entry, releases its hold, completes it, and starts the rules that wait for
-- money on its destination, unless that money is not available yet. The caller holds the transfer.
-- Locks both ledgers in id order (lock_ledgers), then the transfer's run (settle_execution).
create or replace function book(t transfers, p_entry_id uuid, p_now timestamptz,
  p_is_available boolean default true) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_clearing uuid;
begin
  select clearing_ledger_id into v_clearing from organizations where id = t.organization_id;
  perform lock_ledgers(t.organization_id, array[debit_ledger(t, v_clearing), credit_ledger(t, v_clearing)]);
  perform post_entries(array[row(t.organization_id, id_at(p_entry_id, p_now), t.id, null, 'TRANSFER',
    debit_ledger(t, v_clearing), credit_ledger(t, v_clearing), t.amount_in_cents, t.hold_in_cents, p_now)::posting]);
  update transfers set status = 'COMPLETE', hold_in_cents = 0, next_step = null, due_at = null, leased_until = null,
      completed_at = p_now, updated_at = p_now
    where organization_id = t.organization_id and id = t.id;
  -- Money out is not an arrival: the connected account shows only the other side of our own transfer.
  if t.direction <> 'MONEY_OUT' and p_is_available then
    perform fire_rules(array[row(t.organization_id, t.destination_account_id, 'TRANSFER', t.id, t.amount_in_cents,
      t.chain_depth, p_now)::arrival]);
  end if;
end $$;
