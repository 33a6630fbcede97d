-- For the previous version, which may still be serving; removed a release later.
create or replace function correct_outside_account(p_organization_id uuid, p_reference text, p_transfer_id uuid,
  p_code text, p_bank_reference text, p_routing_number_last4 text, p_account_number_last4 text,
  p_occurred_at timestamptz, p_now timestamptz)
returns boolean
language sql security definer set search_path = public, pg_temp as $$
  select apply_account_correction(jsonb_build_object(
    'organizationId', p_organization_id, 'reference', p_reference, 'transferId', p_transfer_id, 'code', p_code,
    'bankReference', p_bank_reference, 'routingNumberLast4', p_routing_number_last4,
    'accountNumberLast4', p_account_number_last4, 'occurredAt', p_occurred_at, 'now', p_now))
$$;

grant execute on function correct_outside_account to :"app_role";
