-- For the previous version, which may still be serving; removed a release later.
create or replace function begin_account_registration(p_organization_id uuid, p_account_id uuid, p_registration_id uuid,
  p_user_id uuid, p_holder_name text, p_holder_kind text, p_account_kind text, p_routing_number_last4 text,
  p_account_number_last4 text, p_now timestamptz)
returns uuid
language sql security definer set search_path = public, pg_temp as $$
  select start_account_registration(jsonb_build_object(
    'organizationId', p_organization_id, 'accountId', p_account_id, 'registrationId', p_registration_id,
    'userId', p_user_id, 'holderName', p_holder_name, 'holderKind', p_holder_kind,
    'accountKind', p_account_kind, 'routingNumberLast4', p_routing_number_last4,
    'accountNumberLast4', p_account_number_last4, 'now', p_now))
$$;

grant execute on function begin_account_registration to :"app_role";
