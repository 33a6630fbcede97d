-- Books or fails due transfers, at most one per id in p_entry_ids, and returns what became of each. While the gates are
-- closed a transfer keeps its hold and waits. One that the database refuses is retried later (last_error) and does not
-- affect the others. p_now: real time.
-- Locks the transfers FOR UPDATE SKIP LOCKED, tries the gates' shared lock, then locks their ledgers in id order, then
-- their runs (settle_execution).
create or replace function book_due_transfers(p_now timestamptz, p_entry_ids uuid[])
returns table (organization_id uuid, id uuid, status text, last_error text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_due transfers[];
  v_transfer transfers;
  v_business_now timestamptz;
  v_destination_closed boolean;
  v_ordinal integer := 0;
begin
  select array_agg(d order by d.organization_id, d.due_at) into v_due from (
    select t.* from transfers t join organizations o on o.id = t.organization_id
      where t.next_step in ('BOOK', 'FAIL')
        and t.due_at <= p_now + o.clock_offset_ms * interval '1 millisecond'
        and (t.next_step = 'FAIL' or gates_are_open(t.organization_id))
      order by t.due_at limit cardinality(p_entry_ids)
      for update of t skip locked) d;
  if v_due is null then return; end if;

  perform 1 from ledgers l
    where (l.organization_id, l.id) in (
      select u.organization_id, u.source_account_id from unnest(v_due) u
      union select u.organization_id, u.destination_account_id from unnest(v_due) u)
    order by l.organization_id, l.id for update;

  foreach v_transfer in array v_due loop
    v_ordinal := v_ordinal + 1;
    select p_now + o.clock_offset_ms * interval '1 millisecond' into v_business_now
      from organizations o where o.id = v_transfer.organization_id;
    organization_id := v_transfer.organization_id; id := v_transfer.id; last_error := null;
    begin
      select a.deleted_at is not null into v_destination_closed from accounts a
        where a.organization_id = v_transfer.organization_id and a.id = v_transfer.destination_account_id;
      if v_transfer.next_step = 'FAIL' then
        perform end_unmoved(v_transfer, 'FAILED', v_transfer.fails_with, v_business_now);
        status := 'FAILED';
      elsif v_destination_closed then
        perform end_unmoved(v_transfer, 'FAILED', 'ACCOUNT_CLOSED', v_business_now);
        status := 'FAILED';
      else
        perform book(v_transfer, p_entry_ids[v_ordinal], v_business_now);
        status := 'COMPLETE';
      end if;
    exception when integrity_constraint_violation or data_exception then
      update transfers t set attempts = t.attempts + 1, last_error = sqlerrm,
          due_at = v_business_now + least(power(2, least(t.attempts, 10)), 600) * interval '1 second'
        where t.organization_id = v_transfer.organization_id and t.id = v_transfer.id;
      status := 'PROCESSING'; last_error := sqlerrm;
    end;
    return next;
  end loop;
end $$;

grant execute on function book_due_transfers to :"app_role";
