-- For the previous version, which may still be serving; removed a release later.
create or replace function issue_card(p_organization_id uuid, p_id uuid, p_card_type text, p_name text, p_number_last4 text,
  p_account_id uuid, p_holder_id uuid, p_monthly_limit_in_cents bigint, p_issued_by uuid, p_now timestamptz)
returns text
language sql security definer set search_path = public, pg_temp as $$
  select add_card(jsonb_build_object(
    'organizationId', p_organization_id, 'id', p_id, 'cardType', p_card_type, 'name', p_name,
    'numberLast4', p_number_last4, 'accountId', p_account_id, 'holderId', p_holder_id,
    'monthlyLimitInCents', p_monthly_limit_in_cents, 'issuedBy', p_issued_by, 'now', p_now))
$$;

grant execute on function issue_card to :"app_role";
