-- Trigger: an order to a payee keeps the payee's version, so that it is never sent to an account that nobody saw
-- (lease_bank_orders). While a new or changed payee, or a newly registered account, cools off, orders that together
-- exceed the organization's amount wait for its end, however they were accepted (key, decision, rule run or approved
-- run), and can be canceled until then. Together: to all accounts that cool off, and to this bank account under whatever
-- name (cool_off_used), so that neither several payees nor a renamed one let more leave.
-- Locks the payee FOR SHARE; while it or a registered account cools off, first what may leave to those that do
-- (lock_cool_off), then the payee or registration FOR NO KEY UPDATE.
create or replace function cool_off_payee() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_found record;
  v_waits boolean;
begin
  select p.version, p.cools_off_until into v_found from payees p
    where p.organization_id = new.organization_id and p.id = new.destination_account_id;
  if found then
    if v_found.cools_off_until > new.accepted_at then
      perform lock_cool_off(new.organization_id);
      select p.version, p.cools_off_until, p.account_key, coalesce(p.cools_off_since, p.confirmed_at) as since
        into v_found from payees p
        where p.organization_id = new.organization_id and p.id = new.destination_account_id for no key update;
    else
      select p.version, p.cools_off_until, p.account_key, coalesce(p.cools_off_since, p.confirmed_at) as since
        into v_found from payees p
        where p.organization_id = new.organization_id and p.id = new.destination_account_id for share;
      -- It was confirmed in between.
      if v_found.cools_off_until > new.accepted_at then perform lock_cool_off(new.organization_id); end if;
    end if;
    new.payee_version := v_found.version;
  else
    -- Its own accounts have no versions: a registration never changes which account it is.
    perform 1 from registered_accounts r
      where r.organization_id = new.organization_id and r.account_id = new.destination_account_id
        and r.cools_off_until > new.accepted_at;
    if not found then return new; end if;
    perform lock_cool_off(new.organization_id);
    select r.cools_off_until, r.account_key, coalesce(r.cools_off_since, r.registered_at) as since
      into v_found from registered_accounts r
      where r.organization_id = new.organization_id and r.account_id = new.destination_account_id
        and r.cools_off_until > new.accepted_at for no key update;
    if not found then return new; end if;
  end if;
  if v_found.cools_off_until is null or v_found.cools_off_until <= new.accepted_at then return new; end if;

  if v_found.account_key is null then
    select account_key_of(null, a.routing_number_last4, a.account_number_last4) into v_found.account_key from accounts a
      where a.organization_id = new.organization_id and a.id = new.destination_account_id;
  end if;
  select cool_off_used(new.organization_id, v_found.account_key, v_found.since, new.accepted_at)
      + new.amount_in_cents > o.payee_cool_off_above_in_cents into v_waits
    from organizations o where o.id = new.organization_id;
  insert into cool_off_orders as c (organization_id, transfer_id, account_key, accepted_at, cools_off_until, waits)
    values (new.organization_id, new.id, v_found.account_key, new.accepted_at, v_found.cools_off_until, v_waits)
    on conflict (organization_id, transfer_id) do update set account_key = excluded.account_key,
      accepted_at = excluded.accepted_at, cools_off_until = excluded.cools_off_until, waits = excluded.waits;
  if v_waits then
    new.due_at := greatest(new.due_at, v_found.cools_off_until);
  end if;
  return new;
end $$;

-- After transfers_await_window, which names the bank's next window: triggers fire in order of their names.
create or replace trigger transfers_cool_off_new before insert on transfers for each row
  when (new.next_step = 'SUBMIT' and new.direction = 'MONEY_OUT') execute function cool_off_payee();
create or replace trigger transfers_cool_off before update of next_step on transfers for each row
  when (new.next_step = 'SUBMIT' and old.next_step is distinct from 'SUBMIT' and new.direction = 'MONEY_OUT')
  execute function cool_off_payee();
