-- The bank's next window: when an order that was accepted then is handed over. The sandbox bank has one 60 seconds after
-- each acceptance; until then the order can be cancelled.
create function next_bank_window(p_accepted_at timestamptz) returns timestamptz
language sql immutable as $$ select p_accepted_at + interval '60 seconds' $$;

-- One place for every way in which an order is accepted: by a key, by a decision, by a rule's run, by an approved run.
create function await_bank_window() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  new.due_at := next_bank_window(new.due_at);
  return new;
end $$;
create trigger transfers_await_window_new before insert on transfers for each row
  when (new.next_step = 'SUBMIT') execute function await_bank_window();
create trigger transfers_await_window before update of next_step on transfers for each row
  when (new.next_step = 'SUBMIT' and old.next_step is distinct from 'SUBMIT') execute function await_bank_window();

-- Supersedes 0026: a transfer over ACH ended when the bank says that it did, not when Sluice learned of it. What is
-- booked and emitted keeps the moment of its booking.
create or replace function apply_bank_notice(p_organization_id uuid, p_reference text, p_transfer_id uuid, p_kind text,
  p_code text, p_occurred_at timestamptz, p_entry_id uuid, p_now timestamptz) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_transfer transfers;
  v_clearing uuid;
begin
  select * into strict v_transfer from transfers
    where organization_id = p_organization_id and id = p_transfer_id for update;
  insert into bank_notices values (p_organization_id, p_reference, p_transfer_id, p_kind, p_code, p_occurred_at, p_now)
    on conflict (organization_id, reference) do nothing;
  if not found then return null; end if;

  if p_kind = 'SETTLED' then
    -- A settlement that arrives after its return undid it (COMPLETE never was) has no effect left.
    if v_transfer.status = 'PROCESSING' then
      perform book(v_transfer, p_entry_id, p_now);
    elsif v_transfer.status not in ('COMPLETE', 'RETURNED', 'FAILED') then
      raise exception 'bank settled transfer % which is %', p_transfer_id, v_transfer.status;
    end if;
  elsif v_transfer.status = 'PROCESSING' then
    perform end_unmoved(v_transfer, 'FAILED', p_code, p_now);
  elsif v_transfer.status = 'COMPLETE' then
    if v_transfer.direction = 'MONEY_IN' then perform pause_rules_after_return(v_transfer, p_now); end if;
    select clearing_ledger_id into v_clearing from organizations where id = p_organization_id;
    insert into entries (organization_id, id, transfer_id, kind, debit_ledger_id, credit_ledger_id, amount_in_cents,
        booked_at)
      values (p_organization_id, p_entry_id, p_transfer_id, 'RETURN', credit_ledger(v_transfer, v_clearing),
        debit_ledger(v_transfer, v_clearing), v_transfer.amount_in_cents, p_now);
    update transfers set status = 'RETURNED', error_code = p_code, updated_at = p_now,
        error_message = 'The bank returned the transfer after it had settled (' || p_code || '). The money was booked back.'
      where organization_id = p_organization_id and id = p_transfer_id;
  elsif v_transfer.status not in ('RETURNED', 'FAILED') then
    raise exception 'bank returned transfer % which is %', p_transfer_id, v_transfer.status;
  end if;
  if v_transfer.status = 'PROCESSING' then
    update transfers set completed_at = p_occurred_at
      where organization_id = p_organization_id and id = p_transfer_id;
  end if;
  select status into v_transfer.status from transfers
    where organization_id = p_organization_id and id = p_transfer_id;
  return v_transfer.status;
end $$;
