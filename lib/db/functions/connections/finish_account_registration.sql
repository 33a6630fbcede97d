-- Keeps the bank's reference of a connected account, so that orders may name it; cools it off from p_now (business
-- time) like a new payee. Returns whether this call did it: `REGISTERED`; `WAS_REGISTERED` by a concurrent one under the
-- same id; `REPLACED` by an attempt with other details; `GONE` with its connection. Raises unless the member is an owner
-- or co-owner. The only way to a registered account: the application's role cannot write what this writes.
-- p_account_key: null from the previous version, which may still be serving.
-- Locks the connection FOR SHARE, then the account FOR SHARE, then its registration FOR NO KEY UPDATE.
create or replace function finish_account_registration(p_registration jsonb) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  p_organization_id uuid := (p_registration ->> 'organizationId')::uuid;
  p_account_id uuid := (p_registration ->> 'accountId')::uuid;
  p_registration_id uuid := (p_registration ->> 'registrationId')::uuid;
  p_user_id uuid := (p_registration ->> 'userId')::uuid;
  p_bank_reference text := p_registration ->> 'bankReference';
  p_routing_number_last4 text := p_registration ->> 'routingNumberLast4';
  p_account_number_last4 text := p_registration ->> 'accountNumberLast4';
  p_now timestamptz := (p_registration ->> 'now')::timestamptz;
  p_account_key bytea := (p_registration ->> 'accountKey')::bytea;
  v_registered registered_accounts;
  v_account_key bytea := account_key_of(p_account_key, p_routing_number_last4, p_account_number_last4);
begin
  if not exists (select from memberships m where m.organization_id = p_organization_id and m.user_id = p_user_id
      and m.role in ('OWNER', 'CO_OWNER')) then
    raise exception 'only an owner or co-owner registers an account';
  end if;
  -- Disconnecting closes the registered accounts of the connection, so a registration that ends later finds none open.
  perform 1 from connections c where c.organization_id = p_organization_id and c.status <> 'DISCONNECTED'
    and c.id = (select a.connection_id from accounts a
      where a.organization_id = p_organization_id and a.id = p_account_id) for share;
  if not found then return 'GONE'; end if;
  perform 1 from accounts a where a.organization_id = p_organization_id and a.id = p_account_id
    and a.deleted_at is null for share;
  if not found then return 'GONE'; end if;
  select r.* into v_registered from registered_accounts r
    where r.organization_id = p_organization_id and r.account_id = p_account_id for no key update;
  if not found or v_registered.registration_id <> p_registration_id then return 'REPLACED'; end if;
  if v_registered.bank_reference is not null then return 'WAS_REGISTERED'; end if;
  update registered_accounts r set bank_reference = p_bank_reference, routing_number_last4 = p_routing_number_last4,
      account_number_last4 = p_account_number_last4, registered_by = p_user_id, registered_at = p_now,
      account_key = v_account_key, cools_off_since = cools_off_since(p_organization_id, v_account_key, p_now),
      cools_off_until = p_now + o.payee_cool_off_hours * interval '1 hour'
    from organizations o
    where o.id = r.organization_id and r.organization_id = p_organization_id and r.account_id = p_account_id;
  return 'REGISTERED';
end $$;

grant execute on function finish_account_registration to :"app_role";
