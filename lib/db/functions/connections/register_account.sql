-- For the previous version, which may still be serving; removed a release later.
create or replace function register_account(p_organization_id uuid, p_account_id uuid, p_registration_id uuid,
  p_user_id uuid, p_bank_reference text, p_routing_number_last4 text, p_account_number_last4 text, p_now timestamptz,
  p_account_key bytea default null)
returns text
language sql security definer set search_path = public, pg_temp as $$
  select finish_account_registration(jsonb_build_object(
    'organizationId', p_organization_id, 'accountId', p_account_id, 'registrationId', p_registration_id,
    'userId', p_user_id, 'bankReference', p_bank_reference, 'routingNumberLast4', p_routing_number_last4,
    'accountNumberLast4', p_account_number_last4, 'now', p_now, 'accountKey', p_account_key))
$$;

grant execute on function register_account to :"app_role";
