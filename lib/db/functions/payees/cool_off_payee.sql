-- Trigger: an order to a payee keeps the payee's version, so that it is never sent to an account that nobody saw
-- (lease_bank_orders). While a new or changed payee, or a newly registered account, cools off, orders that together
-- exceed the organization's amount wait for its end, however they were accepted (key, decision, rule run or approved
-- run), and can be canceled until then.
-- Locks the payee FOR SHARE, or FOR NO KEY UPDATE while it cools off, so that concurrent orders count each other; a
-- registered account only while it cools off.
create or replace function cool_off_payee() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_version integer;
  v_cools_off_until timestamptz;
  v_limit bigint;
  v_paid bigint;
begin
  select p.version, p.cools_off_until into v_version, v_cools_off_until from payees p
    where p.organization_id = new.organization_id and p.id = new.destination_account_id;
  if found then
    if v_cools_off_until > new.accepted_at then
      select p.version, p.cools_off_until into v_version, v_cools_off_until from payees p
        where p.organization_id = new.organization_id and p.id = new.destination_account_id for no key update;
    else
      select p.version, p.cools_off_until into v_version, v_cools_off_until from payees p
        where p.organization_id = new.organization_id and p.id = new.destination_account_id for share;
    end if;
    new.payee_version := v_version;
  else
    -- Its own accounts have no versions: a registration never changes which account it is.
    select r.cools_off_until into v_cools_off_until from registered_accounts r
      where r.organization_id = new.organization_id and r.account_id = new.destination_account_id
        and r.cools_off_until > new.accepted_at for no key update;
  end if;
  if v_cools_off_until is null or v_cools_off_until <= new.accepted_at then return new; end if;

  select o.payee_cool_off_above_in_cents into v_limit from organizations o where o.id = new.organization_id;
  -- Those that wait for the end of the cool-off take nothing from what may leave before.
  select coalesce(sum(t.amount_in_cents), 0) into v_paid from transfers t
    where t.organization_id = new.organization_id and t.destination_account_id = new.destination_account_id
      and t.execution_mode = 'LIVE' and t.payee_version is not distinct from v_version
      and t.status in ('PROCESSING', 'COMPLETE') and t.id <> new.id
      and not (t.next_step is not distinct from 'SUBMIT' and t.due_at >= v_cools_off_until);
  if v_paid + new.amount_in_cents > v_limit then
    new.due_at := greatest(new.due_at, v_cools_off_until);
  end if;
  return new;
end $$;

-- After transfers_await_window, which names the bank's next window: triggers fire in order of their names.
create or replace trigger transfers_cool_off_new before insert on transfers for each row
  when (new.next_step = 'SUBMIT' and new.direction = 'MONEY_OUT') execute function cool_off_payee();
create or replace trigger transfers_cool_off before update of next_step on transfers for each row
  when (new.next_step = 'SUBMIT' and old.next_step is distinct from 'SUBMIT' and new.direction = 'MONEY_OUT')
  execute function cool_off_payee();
