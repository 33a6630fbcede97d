-- Trigger: keeps the due date of a debt's current payment period, and since when the provider has reported it. A
-- provider may report a due date late, withdraw it for a day, or correct it by a few days; only one more than 6 days later
-- begins a new period, in which the minimum is paid again. Locks nothing.
create or replace function keep_payment_period() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_known date;
begin
  if tg_op = 'UPDATE' then
    v_known := coalesce(old.payment_period_due_date, old.next_payment_due_date);
    new.payment_period_since := old.payment_period_since;
  end if;
  if new.next_payment_due_date > v_known + 6 then
    new.payment_period_due_date := new.next_payment_due_date;
    new.payment_period_since := new.refreshed_at;
  else
    new.payment_period_due_date := coalesce(v_known, new.next_payment_due_date);
  end if;
  return new;
end $$;

create or replace trigger provider_balances_payment_period before insert or update on provider_balances
  for each row execute function keep_payment_period();
