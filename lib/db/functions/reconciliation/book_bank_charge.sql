-- For the previous version, which may still be serving; removed a release later.
create or replace function book_bank_charge(p_organization_id uuid, p_transfer_id uuid, p_entry_id uuid,
  p_reference text, p_account_id uuid, p_amount_in_cents bigint, p_counterparty_name text, p_user_id uuid,
  p_user_name text, p_now timestamptz)
returns text
language sql security definer set search_path = public, pg_temp as $$
  select record_bank_charge(jsonb_build_object(
    'organizationId', p_organization_id, 'transferId', p_transfer_id, 'entryId', p_entry_id,
    'reference', p_reference, 'accountId', p_account_id, 'amountInCents', p_amount_in_cents,
    'counterpartyName', p_counterparty_name, 'userId', p_user_id, 'userName', p_user_name, 'now', p_now))
$$;

grant execute on function book_bank_charge to :"app_role";
