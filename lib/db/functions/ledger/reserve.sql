-- Holds an amount for a movement, or returns why not: GATES_CLOSED | ACCOUNT_CLOSED | INSUFFICIENT_FUNDS | BELOW_FLOOR
-- | BALANCE_UNAVAILABLE. Outside accounts hold nothing: the last known balance less what was pulled since must suffice.
-- p_keep_floor: false when a person has approved going below the account's floor.
-- Locks the ledger (managed) or the provider's balance FOR UPDATE (outside), and the gates as gates_are_open does.
create or replace function reserve(
  p_organization_id uuid, p_account_id uuid, p_amount_in_cents bigint, p_keep_floor boolean
) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_account accounts;
  v_available bigint;
  v_pulled bigint;
  v_refreshed_at timestamptz;
begin
  if not gates_are_open(p_organization_id) then return 'GATES_CLOSED'; end if;
  select * into v_account from accounts where organization_id = p_organization_id and id = p_account_id;
  if v_account.deleted_at is not null then return 'ACCOUNT_CLOSED'; end if;

  if v_account.type <> 'EXTERNAL_ACCOUNT' then
    update ledgers set held_in_cents = held_in_cents + p_amount_in_cents
      where organization_id = p_organization_id and id = p_account_id
        and credits_in_cents - debits_in_cents - held_in_cents - p_amount_in_cents
            >= case when p_keep_floor then coalesce(v_account.floor_in_cents, 0) else 0 end;
    if found then return null; end if;
    select credits_in_cents - debits_in_cents - held_in_cents into v_available
      from ledgers where organization_id = p_organization_id and id = p_account_id;
    return case when v_available >= p_amount_in_cents then 'BELOW_FLOOR' else 'INSUFFICIENT_FUNDS' end;
  end if;

  -- The row lock makes concurrent pulls count each other.
  select coalesce(available_balance_in_cents, balance_in_cents), refreshed_at into v_available, v_refreshed_at
    from provider_balances where organization_id = p_organization_id and account_id = p_account_id for update;
  if v_available is null or v_refreshed_at is null then return 'BALANCE_UNAVAILABLE'; end if;
  select coalesce(sum(amount_in_cents), 0) into v_pulled from transfers
    where organization_id = p_organization_id and source_account_id = p_account_id and execution_mode = 'LIVE'
      and accepted_at >= v_refreshed_at and status in ('PROCESSING', 'COMPLETE');
  return case when v_available - v_pulled < p_amount_in_cents then 'INSUFFICIENT_FUNDS' end;
end $$;
