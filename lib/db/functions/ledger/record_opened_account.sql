-- Records the bank's answer about a new account: its numbers, or null while the bank has none; then it is asked again
-- at p_retry_at. Numbers are written once. A function, because the application's role may not write account numbers
-- itself.
-- Locks the account.
create or replace function record_opened_account(p_organization_id uuid, p_id uuid, p_institution_name text,
  p_routing_number_last4 text, p_account_number_last4 text, p_retry_at timestamptz, p_now timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  update accounts set number_leased_until = null,
      number_due_at = case when p_account_number_last4 is null then p_retry_at end,
      institution_name = coalesce(p_institution_name, institution_name),
      routing_number_last4 = coalesce(p_routing_number_last4, routing_number_last4),
      account_number_last4 = coalesce(p_account_number_last4, account_number_last4),
      updated_at = case when p_account_number_last4 is null then updated_at else greatest(updated_at, p_now) end
    where organization_id = p_organization_id and id = p_id and number_due_at is not null
$$;

grant execute on function record_opened_account to :"app_role";
