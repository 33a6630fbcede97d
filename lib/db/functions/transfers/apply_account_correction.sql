-- Applies a bank's correction of an order's outside account, once per reference: its four digits, and what orders name
-- from then on. The members who decide are notified. Returns false if it was applied before.
-- A payee that changed since the order keeps the account that a member confirmed, and nobody is notified: the correction
-- is of the former account.
-- A changed number is known by its last four digits only (account_key_of).
-- A function, because the application's role may not write account numbers itself.
-- Locks the payee, then the account, then its registration and the payee's details.
create or replace function apply_account_correction(p_correction jsonb) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  p_organization_id uuid := (p_correction ->> 'organizationId')::uuid;
  p_reference text := p_correction ->> 'reference';
  p_transfer_id uuid := (p_correction ->> 'transferId')::uuid;
  p_code text := p_correction ->> 'code';
  p_bank_reference text := p_correction ->> 'bankReference';
  p_routing_number_last4 text := p_correction ->> 'routingNumberLast4';
  p_account_number_last4 text := p_correction ->> 'accountNumberLast4';
  p_occurred_at timestamptz := (p_correction ->> 'occurredAt')::timestamptz;
  p_now timestamptz := (p_correction ->> 'now')::timestamptz;
  v_payee payees;
  v_payee_version integer;
begin
  select t.payee_version into v_payee_version from transfers t
    where t.organization_id = p_organization_id and t.id = p_transfer_id;
  select p.* into v_payee from payees p
    join transfers t on t.organization_id = p.organization_id and t.destination_account_id = p.id
    where t.organization_id = p_organization_id and t.id = p_transfer_id
    for no key update of p;
  insert into account_corrections (organization_id, reference, transfer_id, account_id, code, bank_reference,
      routing_number_last4, account_number_last4, previous_routing_number_last4, previous_account_number_last4,
      occurred_at, received_at)
    select t.organization_id, p_reference, t.id, a.id, p_code, p_bank_reference, p_routing_number_last4,
        p_account_number_last4, a.routing_number_last4, a.account_number_last4, p_occurred_at, p_now
      from transfers t
      join accounts a on a.organization_id = t.organization_id and a.type = 'EXTERNAL_ACCOUNT'
       and a.id in (t.source_account_id, t.destination_account_id)
      where t.organization_id = p_organization_id and t.id = p_transfer_id
    on conflict (organization_id, reference) do nothing;
  if not found then
    perform 1 from account_corrections where organization_id = p_organization_id and reference = p_reference;
    if found then return false; end if;
    raise exception 'bank corrected an account of unknown transfer %', p_transfer_id;
  end if;
  if v_payee.version is not distinct from v_payee_version then
    update accounts a set routing_number_last4 = p_routing_number_last4, account_number_last4 = p_account_number_last4,
        updated_at = greatest(a.updated_at, p_now)
      from account_corrections c
      where c.organization_id = p_organization_id and c.reference = p_reference
        and a.organization_id = c.organization_id and a.id = c.account_id;
    update registered_accounts r set bank_reference = coalesce(p_bank_reference, r.bank_reference),
        routing_number_last4 = p_routing_number_last4, account_number_last4 = p_account_number_last4,
        account_key = case when (r.routing_number_last4, r.account_number_last4)
          = (p_routing_number_last4, p_account_number_last4) then r.account_key end
      from account_corrections c
      where c.organization_id = p_organization_id and c.reference = p_reference
        and r.organization_id = c.organization_id and r.account_id = c.account_id and r.bank_reference is not null;
    -- Not a new version: the payee is the same, and its orders on the way may leave.
    update payees p set bank_reference = coalesce(p_bank_reference, p.bank_reference), updated_at = p_now,
        account_key = case when (c.previous_routing_number_last4, c.previous_account_number_last4)
          = (p_routing_number_last4, p_account_number_last4) then p.account_key end
      from account_corrections c
      where c.organization_id = p_organization_id and c.reference = p_reference
        and p.organization_id = p_organization_id and p.id = v_payee.id;
    -- A later change of its name copies these.
    update payee_details set bank_reference = coalesce(p_bank_reference, bank_reference),
        account_key = case when (routing_number_last4, account_number_last4)
          = (p_routing_number_last4, p_account_number_last4) then account_key end,
        routing_number_last4 = p_routing_number_last4, account_number_last4 = p_account_number_last4
      where organization_id = p_organization_id and id = (
        select d.id from payee_details d
          where d.organization_id = p_organization_id and d.payee_id = v_payee.id and d.state = 'CONFIRMED'
          order by d.decided_at desc, d.id desc limit 1);
    insert into notices (organization_id, id, kind, subject_id, api_key_id, created_at, due_at)
      values (p_organization_id, new_id(p_now), 'ACCOUNT_CORRECTED', p_transfer_id, p_organization_id, p_now, p_now);
  end if;
  return true;
end $$;

grant execute on function apply_account_correction to :"app_role";
