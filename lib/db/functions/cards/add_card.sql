-- Creates a card for an open pod. Returns null, or HOLDER_UNKNOWN | NO_OPEN_POD. A repeat with the same id does
-- nothing.
-- Locks the holder's membership FOR KEY SHARE, then the pod's account FOR SHARE. The latter conflicts with closing the
-- pod, which would miss the new card.
create or replace function add_card(p_card jsonb) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  p_organization_id uuid := (p_card ->> 'organizationId')::uuid;
  p_id uuid := (p_card ->> 'id')::uuid;
  p_card_type text := p_card ->> 'cardType';
  p_name text := p_card ->> 'name';
  p_number_last4 text := p_card ->> 'numberLast4';
  p_account_id uuid := (p_card ->> 'accountId')::uuid;
  p_holder_id uuid := (p_card ->> 'holderId')::uuid;
  p_monthly_limit_in_cents bigint := (p_card ->> 'monthlyLimitInCents')::bigint;
  p_issued_by uuid := (p_card ->> 'issuedBy')::uuid;
  p_now timestamptz := (p_card ->> 'now')::timestamptz;
begin
  if p_holder_id is not null then
    perform 1 from memberships where organization_id = p_organization_id and user_id = p_holder_id for key share;
    if not found then return 'HOLDER_UNKNOWN'; end if;
  end if;
  -- A pod that has a card cannot be closed, so the holder of an open card's lock knows that its pod is open.
  perform 1 from accounts where organization_id = p_organization_id and id = p_account_id and type = 'POD'
    and deleted_at is null for share;
  if not found then return 'NO_OPEN_POD'; end if;
  insert into cards (organization_id, id, card_type, name, number_last4, account_id, holder_id, monthly_limit_in_cents,
      status, created_at, updated_at, issued_by)
    values (p_organization_id, p_id, p_card_type, p_name, p_number_last4, p_account_id, p_holder_id,
      p_monthly_limit_in_cents, 'ACTIVE', p_now, p_now, p_issued_by)
    on conflict (organization_id, id) do nothing;
  return null;
end $$;

grant execute on function add_card to :"app_role";
