-- What a pod's own account at the bank holds, or is about to get, above its share: money that belongs in the organization's
-- account, from which payments leave. Locks nothing.
create or replace function own_bank_account_excess(o own_bank_accounts) returns bigint
language sql stable as $$
  select greatest(0, o.at_bank_in_cents + greatest(0, coalesce(o.move_in_cents, 0)) - own_bank_account_target(o))
$$;

grant execute on function own_bank_account_excess to :"app_role";
