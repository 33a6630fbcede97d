-- Applies what the bank reports about a transfer, once per bank reference. Returns the resulting status, or null if the
-- notice was applied before. A settlement completes the transfer as of the bank's time, and holds a pull that is not
-- available yet; a return fails it, or, after a
-- settlement, books the money back and pauses the rules that wait for money on its account if any have passed it on.
-- Raises an exception where the bank reports what cannot be: the notice comes again, and the log says so.
-- Locks the transfer FOR UPDATE, then the paused rules, then both ledgers in id order, then the transfer's run.
create or replace function record_bank_notice(p_notice jsonb) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  p_organization_id uuid := (p_notice ->> 'organizationId')::uuid;
  p_reference text := p_notice ->> 'reference';
  p_transfer_id uuid := (p_notice ->> 'transferId')::uuid;
  p_kind text := p_notice ->> 'kind';
  p_code text := p_notice ->> 'code';
  p_occurred_at timestamptz := (p_notice ->> 'occurredAt')::timestamptz;
  p_entry_id uuid := (p_notice ->> 'entryId')::uuid;
  p_now timestamptz := (p_notice ->> 'now')::timestamptz;
  p_rail text := p_notice ->> 'rail';
  p_fee_in_cents bigint := (p_notice ->> 'feeInCents')::bigint;
  p_final_at timestamptz := (p_notice ->> 'finalAt')::timestamptz;
  p_available_at timestamptz := (p_notice ->> 'availableAt')::timestamptz;
  v_transfer transfers;
  v_clearing uuid;
  v_is_held boolean;
  v_released_in_cents bigint;
begin
  select * into strict v_transfer from transfers
    where organization_id = p_organization_id and id = p_transfer_id for update;
  insert into bank_notices values (p_organization_id, p_reference, p_transfer_id, p_kind, p_code, p_occurred_at, p_now)
    on conflict (organization_id, reference) do nothing;
  if not found then return null; end if;

  if p_kind = 'SETTLED' then
    if v_transfer.status = 'PROCESSING' then
      v_is_held := v_transfer.direction = 'MONEY_IN' and coalesce(p_available_at > p_now, false);
      perform book(v_transfer, p_entry_id, p_now, not v_is_held);
      perform record_settlement(v_transfer, p_rail, p_fee_in_cents, p_final_at, p_available_at, v_is_held);
    elsif v_transfer.status = 'FAILED' and exists (select from bank_notices n
        where n.organization_id = p_organization_id and n.transfer_id = p_transfer_id and n.kind = 'RETURNED') then
      -- It arrives after its own return: the transfer never was COMPLETE, and nothing is left to book.
      null;
    elsif v_transfer.status not in ('COMPLETE', 'RETURNED') then
      -- The bank moved money of an order that it refused, or that we canceled: never swallowed, a person must look.
      raise exception 'bank settled transfer % which is %', p_transfer_id, v_transfer.status;
    end if;
  elsif v_transfer.status = 'PROCESSING' then
    perform end_unmoved(v_transfer, 'FAILED', p_code, p_now);
  elsif v_transfer.status = 'COMPLETE' then
    if v_transfer.direction = 'MONEY_IN' then perform pause_rules_after_return(v_transfer, p_now); end if;
    select clearing_ledger_id into v_clearing from organizations where id = p_organization_id;
    select hold_in_cents into v_released_in_cents from bank_settlements
      where organization_id = p_organization_id and transfer_id = p_transfer_id;
    update bank_settlements set hold_in_cents = 0
      where organization_id = p_organization_id and transfer_id = p_transfer_id and hold_in_cents > 0;
    perform lock_ledgers(p_organization_id,
      array[debit_ledger(v_transfer, v_clearing), credit_ledger(v_transfer, v_clearing)]);
    perform post_entries(array[row(p_organization_id, p_entry_id, p_transfer_id, null, 'RETURN',
      credit_ledger(v_transfer, v_clearing), debit_ledger(v_transfer, v_clearing), v_transfer.amount_in_cents,
      coalesce(v_released_in_cents, 0), p_now)::posting]);
    update transfers set status = 'RETURNED', error_code = p_code, updated_at = p_now,
        error_message = 'The bank returned the transfer after it had settled (' || p_code || '). The money was booked back.'
      where organization_id = p_organization_id and id = p_transfer_id;
  elsif v_transfer.status not in ('RETURNED', 'FAILED') then
    raise exception 'bank returned transfer % which is %', p_transfer_id, v_transfer.status;
  end if;
  -- The entry and the event keep the time of booking.
  if v_transfer.status = 'PROCESSING' then
    update transfers set completed_at = p_occurred_at
      where organization_id = p_organization_id and id = p_transfer_id;
  end if;
  select status into v_transfer.status from transfers
    where organization_id = p_organization_id and id = p_transfer_id;
  return v_transfer.status;
end $$;

grant execute on function record_bank_notice to :"app_role";
