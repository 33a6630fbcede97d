-- Lowers the amount of a transfer that waits, for the decision that follows in the same transaction; what its program asked
-- is kept. Returns LOWERED, or changes nothing and returns NOT_LOWER (the amount is not more than the wanted one) or
-- REVERSAL (it moves a settled transfer back, which is whole or not at all). The caller holds the proposal and both ledgers.
-- Locks the transfer FOR UPDATE.
create or replace function lower_proposal(p_organization_id uuid, p_id uuid, p_amount_in_cents bigint, p_now timestamptz)
returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_amount_in_cents bigint;
begin
  select t.amount_in_cents into strict v_amount_in_cents from transfers t join proposals p using (organization_id, id)
    where t.organization_id = p_organization_id and t.id = p_id
      and t.status = 'APPROVAL_PENDING' and p.state = 'WAITING'
    for update of t;
  if p_amount_in_cents is null or p_amount_in_cents < 1 or p_amount_in_cents >= v_amount_in_cents then
    return 'NOT_LOWER';
  end if;
  if exists (select from transfer_reversals where organization_id = p_organization_id and reversal_id = p_id) then
    return 'REVERSAL';
  end if;
  update transfers set amount_in_cents = p_amount_in_cents, updated_at = p_now
    where organization_id = p_organization_id and id = p_id;
  update proposals set requested_amount_in_cents = coalesce(requested_amount_in_cents, v_amount_in_cents)
    where organization_id = p_organization_id and id = p_id;
  return 'LOWERED';
end $$;

grant execute on function lower_proposal to :"app_role";
