-- Notes that a connected account is about to be registered at the bank, with its holder and the last digits of its
-- numbers, and returns the id under which the bank is asked. Another attempt with the same details gets the same id, so
-- that the bank knows the account once; other details get p_registration_id. Null if the account is registered already.
-- Raises unless the member is an owner or co-owner.
-- Locks the account FOR SHARE, then its registration.
create or replace function start_account_registration(p_registration jsonb) returns uuid
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  p_organization_id uuid := (p_registration ->> 'organizationId')::uuid;
  p_account_id uuid := (p_registration ->> 'accountId')::uuid;
  p_registration_id uuid := (p_registration ->> 'registrationId')::uuid;
  p_user_id uuid := (p_registration ->> 'userId')::uuid;
  p_holder_name text := p_registration ->> 'holderName';
  p_holder_kind text := p_registration ->> 'holderKind';
  p_account_kind text := p_registration ->> 'accountKind';
  p_routing_number_last4 text := p_registration ->> 'routingNumberLast4';
  p_account_number_last4 text := p_registration ->> 'accountNumberLast4';
  p_now timestamptz := (p_registration ->> 'now')::timestamptz;
  v_registration_id uuid;
begin
  if not exists (select from memberships m where m.organization_id = p_organization_id and m.user_id = p_user_id
      and m.role in ('OWNER', 'CO_OWNER')) then
    raise exception 'only an owner or co-owner registers an account';
  end if;
  perform 1 from accounts a where a.organization_id = p_organization_id and a.id = p_account_id
    and a.type = 'EXTERNAL_ACCOUNT' and a.connection_id is not null and a.external_account_type = 'DEPOSITORY'
    and a.deleted_at is null for share;
  if not found then raise exception 'only an open connected deposit account is registered'; end if;
  insert into registered_accounts as r (organization_id, account_id, registration_id, holder_name, holder_kind,
      account_kind, routing_number_last4, account_number_last4, begun_by, begun_at)
    values (p_organization_id, p_account_id, p_registration_id, p_holder_name, p_holder_kind, p_account_kind,
      p_routing_number_last4, p_account_number_last4, p_user_id, p_now)
    on conflict (organization_id, account_id) do update set
      registration_id = case when (r.holder_name, r.holder_kind, r.account_kind, r.routing_number_last4,
          r.account_number_last4) = (excluded.holder_name, excluded.holder_kind, excluded.account_kind,
          excluded.routing_number_last4, excluded.account_number_last4)
        then r.registration_id else excluded.registration_id end,
      holder_name = excluded.holder_name, holder_kind = excluded.holder_kind, account_kind = excluded.account_kind,
      routing_number_last4 = excluded.routing_number_last4, account_number_last4 = excluded.account_number_last4,
      begun_by = excluded.begun_by, begun_at = excluded.begun_at
      where r.bank_reference is null
    returning r.registration_id into v_registration_id;
  return v_registration_id;
end $$;

grant execute on function start_account_registration to :"app_role";
