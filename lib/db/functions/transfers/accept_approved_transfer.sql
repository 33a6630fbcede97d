-- Accepts an approved transfer in the deciding transaction, and books it there unless the bank must carry it out. Returns
-- null, or the code with which it failed (see reserve). Raises unless its proposal is APPROVED and the gates are open.
-- The caller holds the proposal and both ledgers. Locks the transfer FOR UPDATE, after the ledgers: nothing else locks
-- the ledgers of a transfer that waits for approval. Then, for an outside source, the provider's balance (reserve), and
-- what book_transfers locks.
create or replace function accept_approved_transfer(p_organization_id uuid, p_id uuid, p_expected_completion_date date,
  p_now timestamptz) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_transfer transfers;
  v_error_code text;
  -- Its events sort by millisecond: first the acceptance, then the booking.
  v_booked_at timestamptz := p_now + interval '1 millisecond';
begin
  if not gates_are_open(p_organization_id) then
    raise exception 'all gates of organization % are closed', p_organization_id;
  end if;
  -- Only an approved proposal: a caller cannot move money without the decision.
  select t.* into strict v_transfer from transfers t join proposals p using (organization_id, id)
    where t.organization_id = p_organization_id and t.id = p_id
      and t.status = 'APPROVAL_PENDING' and p.state = 'APPROVED'
    for update of t;
  v_error_code := coalesce(
    outgoing_problem(p_organization_id, v_transfer.direction, v_transfer.source_account_id, v_transfer.amount_in_cents,
      p_now),
    reserve(p_organization_id, v_transfer.source_account_id, v_transfer.amount_in_cents, false));
  update transfers set status = 'PROCESSING', accepted_at = p_now, updated_at = p_now, due_at = p_now,
      -- Over ACH the bank sets the date once it has the order.
      expected_completion_date = case when direction = 'INTERNAL' then p_expected_completion_date end,
      hold_in_cents = case when v_error_code is null and direction <> 'MONEY_IN' then amount_in_cents else 0 end,
      next_step = first_step(direction, v_error_code), fails_with = v_error_code
    where organization_id = p_organization_id and id = p_id
    returning * into v_transfer;
  if v_transfer.next_step in ('BOOK', 'FAIL') then
    perform book_transfers(array[v_transfer], array[new_id(v_booked_at)],
        v_booked_at - clock_offset_ms * interval '1 millisecond')
      from organizations where id = p_organization_id;
    select error_code into v_error_code from transfers where organization_id = p_organization_id and id = p_id;
  end if;
  return v_error_code;
end $$;

grant execute on function accept_approved_transfer to :"app_role";
