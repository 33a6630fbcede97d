-- One deposit, as record_deposits books it, for processes of the previous version. Returns false if the bank's reference
-- is known already. Locks what that locks.
create or replace function record_deposit(p_organization_id uuid, p_transfer_id uuid, p_entry_id uuid, p_reference text,
  p_account_id uuid, p_amount_in_cents bigint, p_origin text, p_payer_name text, p_now timestamptz,
  p_rail text default 'ACH') returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform 1 from record_deposits(p_organization_id, jsonb_build_array(jsonb_build_object('transferId', p_transfer_id,
    'entryId', p_entry_id, 'reference', p_reference, 'accountId', p_account_id, 'amountInCents', p_amount_in_cents,
    'origin', p_origin, 'payerName', p_payer_name, 'arrivedAt', p_now, 'rail', p_rail)));
  return found;
end $$;

grant execute on function record_deposit to :"app_role";
