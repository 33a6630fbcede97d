-- What a pod's own account at the bank should hold: what the books have of it, less what is promised elsewhere, since
-- orders leave from the organization's account. Locks nothing.
create or replace function own_bank_account_target(o own_bank_accounts) returns bigint
language sql stable as $$
  select case when o.is_wanted then greatest(0, l.credits_in_cents - l.debits_in_cents - l.held_in_cents) else 0 end
    from ledgers l where l.organization_id = o.organization_id and l.id = o.account_id
$$;

grant execute on function own_bank_account_target to :"app_role";
