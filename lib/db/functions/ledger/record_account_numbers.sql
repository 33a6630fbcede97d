-- Records the bank's answer about a new account: its numbers, or null while the bank has none; then it is asked again
-- at `retryAt`. Numbers are written once. A function, because the application's role may not write account numbers
-- itself.
-- Locks the account.
create or replace function record_account_numbers(p_answer jsonb) returns void
language sql security definer set search_path = public, pg_temp as $$
  update accounts a set number_leased_until = null,
      number_due_at = case when n."accountNumberLast4" is null then n."retryAt" end,
      institution_name = coalesce(n."institutionName", a.institution_name),
      routing_number_last4 = coalesce(n."routingNumberLast4", a.routing_number_last4),
      account_number_last4 = coalesce(n."accountNumberLast4", a.account_number_last4),
      updated_at = case when n."accountNumberLast4" is null then a.updated_at else greatest(a.updated_at, n.now) end
    from jsonb_to_record(p_answer) as n ("organizationId" uuid, id uuid, "institutionName" text,
      "routingNumberLast4" text, "accountNumberLast4" text, "retryAt" timestamptz, now timestamptz)
    where a.organization_id = n."organizationId" and a.id = n.id and a.number_due_at is not null
$$;

grant execute on function record_account_numbers to :"app_role";
