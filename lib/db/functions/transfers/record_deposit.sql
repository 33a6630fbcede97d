-- Books money that the bank reports as arrived on a managed account from outside; returns false if the bank's reference
-- is known already. p_origin: DIRECT_DEPOSIT | CHECK_DEPOSIT.
-- Locks the bank's reference (advisory), since the notice's row cannot exist before its transfer does; then both
-- ledgers in id order.
create or replace function record_deposit(p_organization_id uuid, p_transfer_id uuid, p_entry_id uuid, p_reference text,
  p_account_id uuid, p_amount_in_cents bigint, p_origin text, p_payer_name text, p_now timestamptz,
  p_rail text default 'ACH') returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_transfer transfers;
begin
  if p_origin not in ('DIRECT_DEPOSIT', 'CHECK_DEPOSIT') then raise exception 'no deposit: %', p_origin; end if;
  perform pg_advisory_xact_lock(hashtextextended(p_organization_id || '|deposit|' || p_reference, 0));
  perform 1 from bank_notices where organization_id = p_organization_id and reference = p_reference;
  if found then return false; end if;

  insert into transfers (organization_id, id, status, execution_mode, direction, origin, amount_in_cents,
      destination_account_id, counterparty_name, proposed_by_kind, proposed_by_name, created_at, updated_at,
      accepted_at)
    values (p_organization_id, p_transfer_id, 'PROCESSING', 'LIVE', 'MONEY_IN', p_origin, p_amount_in_cents,
      p_account_id, p_payer_name, 'BANK', 'Bank', p_now, p_now, p_now)
    returning * into v_transfer;
  insert into bank_notices values (p_organization_id, p_reference, p_transfer_id, 'SETTLED', null, p_now, p_now);
  perform book(v_transfer, p_entry_id, p_now);
  perform record_settlement(v_transfer, p_rail, 0, null, null, false);
  return true;
end $$;

grant execute on function record_deposit to :"app_role";
