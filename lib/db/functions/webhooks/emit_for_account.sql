-- Emits account.changed for a new account, and when its name, description, floor, goal or numbers change or it is closed;
-- not for its balance. Locks nothing.
create or replace function emit_for_account() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if is_event_asked(new.organization_id, 'account.changed') then
    perform emit_asked_event('account.changed', new.organization_id, new.id, new.updated_at);
  end if;
  return null;
end $$;

create or replace trigger accounts_emit_new after insert on accounts for each row execute function emit_for_account();
create or replace trigger accounts_emit_change after update of name, description, floor_in_cents, savings_target_in_cents,
    account_number_last4, deleted_at on accounts
  for each row when ((new.name, new.description, new.floor_in_cents, new.savings_target_in_cents, new.account_number_last4,
      new.deleted_at)
    is distinct from (old.name, old.description, old.floor_in_cents, old.savings_target_in_cents,
      old.account_number_last4, old.deleted_at))
  execute function emit_for_account();
