-- For the previous version, which may still be serving; removed a release later.
create or replace function record_opened_account(p_organization_id uuid, p_id uuid, p_institution_name text,
  p_routing_number_last4 text, p_account_number_last4 text, p_retry_at timestamptz, p_now timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  select record_account_numbers(jsonb_build_object(
    'organizationId', p_organization_id, 'id', p_id, 'institutionName', p_institution_name,
    'routingNumberLast4', p_routing_number_last4, 'accountNumberLast4', p_account_number_last4,
    'retryAt', p_retry_at, 'now', p_now))
$$;

grant execute on function record_opened_account to :"app_role";
