-- Puts the details that wait in force and gives the payee its account, so that it can be paid; cools it off from p_now
-- (business time). No row if these details no longer wait. Raises unless the member is an owner or co-owner. The only
-- way to a payable payee: the application's role cannot write what this writes.
-- The caller holds the payee. Locks the details and the account FOR NO KEY UPDATE.
create or replace function confirm_payee(p_organization_id uuid, p_payee_id uuid, p_details_id uuid, p_user_id uuid,
  p_call_back_note text, p_now timestamptz)
returns table (name text, account_number_last4 text, version integer)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_details payee_details;
  v_account_key bytea;
begin
  if not exists (select from memberships m where m.organization_id = p_organization_id and m.user_id = p_user_id
      and m.role in ('OWNER', 'CO_OWNER')) then
    raise exception 'only an owner or co-owner confirms a payee';
  end if;
  update payee_details d set state = 'CONFIRMED', decided_by = p_user_id, decided_at = p_now,
      call_back_note = p_call_back_note
    where d.organization_id = p_organization_id and d.payee_id = p_payee_id and d.id = p_details_id and d.state = 'WAITING'
    returning d.* into v_details;
  if not found then return; end if;
  v_account_key := account_key_of(v_details.account_key, v_details.routing_number_last4, v_details.account_number_last4);
  update payees p set name = v_details.name, kind = v_details.kind, rail = v_details.rail,
      bank_reference = v_details.bank_reference, version = p.version + 1, confirmed_at = p_now, updated_at = p_now,
      account_key = v_account_key, cools_off_since = cools_off_since(p_organization_id, v_account_key, p_now),
      cools_off_until = p_now + o.payee_cool_off_hours * interval '1 hour'
    from organizations o
    where o.id = p.organization_id and p.organization_id = p_organization_id and p.id = p_payee_id
      and p.removed_at is null
    returning p.version into strict version;
  insert into accounts (organization_id, id, type, name, is_payee, routing_number_last4, account_number_last4,
      created_at, updated_at)
    values (p_organization_id, p_payee_id, 'EXTERNAL_ACCOUNT', v_details.name, true, v_details.routing_number_last4,
      v_details.account_number_last4, p_now, p_now)
    on conflict (organization_id, id) do update set name = excluded.name, updated_at = excluded.updated_at,
      routing_number_last4 = excluded.routing_number_last4, account_number_last4 = excluded.account_number_last4;
  name := v_details.name;
  account_number_last4 := v_details.account_number_last4;
  return next;
end $$;

grant execute on function confirm_payee to :"app_role";
