-- Notes what the bank holds in a pod's own account, and records under p_move_id what must be moved there, if anything.
-- Both are decided on the ledgers of all pods with such accounts, locked until the commit: a payment that is promised
-- before leaves with its money in the organization's account, and one that is promised after finds this move.
-- Money goes to a pod only while every other pod's account holds no more than its share. Otherwise it would come from
-- payments still on their way to the bank.
-- NOTED | WAITS: money must move and may not yet | LOST: another worker has the lease. p_now: real time.
-- Locks the ledgers FOR UPDATE in id order, then the pod's row; tries the gates' shared lock.
create or replace function note_own_bank_account(
  p_organization_id uuid, p_account_id uuid, p_leased_until timestamptz, p_at_bank_in_cents bigint, p_move_id uuid,
  p_now timestamptz, out outcome text, out move_in_cents bigint
)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_own own_bank_accounts;
begin
  perform lock_ledgers(p_organization_id,
    array(select o.account_id from own_bank_accounts o where o.organization_id = p_organization_id));
  select * into v_own from own_bank_accounts o
    where o.organization_id = p_organization_id and o.account_id = p_account_id and o.move_id is null
      and o.leased_until = p_leased_until
    for update;
  if not found then
    outcome := 'LOST';
    return;
  end if;
  move_in_cents := nullif(own_bank_account_target(v_own) - p_at_bank_in_cents, 0);
  outcome := case
    when move_in_cents is null then 'NOTED'
    when not gates_are_open(p_organization_id) then 'WAITS'
    when move_in_cents > 0 and exists (
      select from own_bank_accounts other
        where other.organization_id = p_organization_id and other.account_id <> p_account_id
          and own_bank_account_excess(other) > 0) then 'WAITS'
    else 'NOTED' end;
  if outcome = 'WAITS' then move_in_cents := null; end if;
  update own_bank_accounts o
    set is_open = true, at_bank_in_cents = p_at_bank_in_cents, asked_bank_at = p_now, refused_at = null,
      move_id = case when note_own_bank_account.move_in_cents is not null then p_move_id end,
      move_in_cents = note_own_bank_account.move_in_cents
    where o.organization_id = p_organization_id and o.account_id = p_account_id;
end $$;

grant execute on function note_own_bank_account to :"app_role";
