-- For the previous version, which may still be serving; removed a release later.
create or replace function record_card_credit(p_organization_id uuid, p_transaction_id uuid, p_entry_id uuid,
  p_card_id uuid, p_subtype text, p_network_reference text, p_amount_in_cents bigint, p_description text,
  p_category text, p_settled_at timestamptz, p_now timestamptz)
returns boolean
language sql security definer set search_path = public, pg_temp as $$
  select book_card_credit(jsonb_build_object(
    'organizationId', p_organization_id, 'transactionId', p_transaction_id, 'entryId', p_entry_id,
    'cardId', p_card_id, 'subtype', p_subtype, 'networkReference', p_network_reference,
    'amountInCents', p_amount_in_cents, 'description', p_description, 'category', p_category,
    'settledAt', p_settled_at, 'now', p_now))
$$;

grant execute on function record_card_credit to :"app_role";
