-- Why this payment out cannot be accepted now: ABOVE_OUTGOING_CAP; null if it can.
-- Locks the source's ledger FOR UPDATE, then as lock_outgoing does.
create or replace function outgoing_problem(p_organization_id uuid, p_direction text, p_source_account_id uuid,
  p_amount_in_cents bigint, p_now timestamptz) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_cap bigint;
begin
  if p_direction <> 'MONEY_OUT' then return null; end if;
  v_cap := outgoing_cap(p_organization_id);
  if v_cap is null then return null; end if;
  perform lock_ledgers(p_organization_id, array[p_source_account_id]);
  perform lock_outgoing(array[p_organization_id]);
  return case when outgoing_used(p_organization_id, p_now) + p_amount_in_cents > v_cap then 'ABOVE_OUTGOING_CAP' end;
end $$;
