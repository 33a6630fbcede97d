-- Books money that the bank has taken already, such as a fee, from a managed account, once per reference of the bank.
-- Returns BOOKED, KNOWN (booked before), NO_ACCOUNT (closed, or not managed) or INSUFFICIENT_FUNDS. The bank is not
-- asked and no hold is taken: the money is gone. A person decides it, so it may go below the floor, never below zero.
-- Locks the bank's reference (advisory), then both ledgers in id order, and both again in book.
create or replace function record_bank_charge(p_charge jsonb) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  p_organization_id uuid := (p_charge ->> 'organizationId')::uuid;
  p_transfer_id uuid := (p_charge ->> 'transferId')::uuid;
  p_entry_id uuid := (p_charge ->> 'entryId')::uuid;
  p_reference text := p_charge ->> 'reference';
  p_account_id uuid := (p_charge ->> 'accountId')::uuid;
  p_amount_in_cents bigint := (p_charge ->> 'amountInCents')::bigint;
  p_counterparty_name text := p_charge ->> 'counterpartyName';
  p_user_id uuid := (p_charge ->> 'userId')::uuid;
  p_user_name text := p_charge ->> 'userName';
  p_now timestamptz := (p_charge ->> 'now')::timestamptz;
  v_transfer transfers;
  v_clearing uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended(p_organization_id || '|deposit|' || p_reference, 0));
  perform 1 from bank_notices where organization_id = p_organization_id and reference = p_reference;
  if found then return 'KNOWN'; end if;
  select clearing_ledger_id into strict v_clearing from organizations where id = p_organization_id;
  perform lock_ledgers(p_organization_id, array[p_account_id, v_clearing]);
  -- After the lock: closing an account holds its ledger.
  perform 1 from accounts where organization_id = p_organization_id and id = p_account_id
    and type in ('POD', 'INCOME_SOURCE') and deleted_at is null;
  if not found then return 'NO_ACCOUNT'; end if;
  perform 1 from ledgers where organization_id = p_organization_id and id = p_account_id
    and credits_in_cents - debits_in_cents - held_in_cents >= p_amount_in_cents;
  if not found then return 'INSUFFICIENT_FUNDS'; end if;

  insert into transfers (organization_id, id, status, execution_mode, direction, origin, amount_in_cents,
      source_account_id, counterparty_name, proposed_by_kind, proposed_by_id, proposed_by_name, created_at, updated_at,
      accepted_at)
    values (p_organization_id, p_transfer_id, 'PROCESSING', 'LIVE', 'MONEY_OUT', 'USER', p_amount_in_cents,
      p_account_id, p_counterparty_name, 'MEMBER', p_user_id, p_user_name, p_now, p_now, p_now)
    returning * into v_transfer;
  insert into bank_notices values (p_organization_id, p_reference, p_transfer_id, 'SETTLED', null, p_now, p_now);
  perform book(v_transfer, p_entry_id, p_now);
  perform record_settlement(v_transfer, 'BOOK', 0, null, null, false);
  return 'BOOKED';
end $$;

grant execute on function record_bank_charge to :"app_role";
