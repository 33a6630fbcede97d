-- For the previous version, which may still be serving; removed a release later.
create or replace function authorize_card_purchase(p_organization_id uuid, p_id uuid, p_card_id uuid, p_network_reference text,
  p_amount_in_cents bigint, p_merchant text, p_category text, p_expires_at timestamptz, p_now timestamptz)
returns table (is_approved boolean, reason text)
language sql security definer set search_path = public, pg_temp as $$
  select * from decide_card_purchase(jsonb_build_object(
    'organizationId', p_organization_id, 'id', p_id, 'cardId', p_card_id,
    'networkReference', p_network_reference, 'amountInCents', p_amount_in_cents, 'merchant', p_merchant,
    'category', p_category, 'expiresAt', p_expires_at, 'now', p_now))
$$;

grant execute on function authorize_card_purchase to :"app_role";
