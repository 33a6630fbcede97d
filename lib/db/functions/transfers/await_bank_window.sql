-- Trigger: an order to the bank waits for the bank's next window, however it was accepted (key, decision, rule run or
-- approved run), and can be canceled until then. Locks nothing.
create or replace function await_bank_window() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  new.due_at := next_bank_window(new.due_at);
  return new;
end $$;

create or replace trigger transfers_await_window_new before insert on transfers for each row
  when (new.next_step = 'SUBMIT') execute function await_bank_window();
create or replace trigger transfers_await_window before update of next_step on transfers for each row
  when (new.next_step = 'SUBMIT' and old.next_step is distinct from 'SUBMIT') execute function await_bank_window();
