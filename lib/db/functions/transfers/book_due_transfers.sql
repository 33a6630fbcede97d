-- Books or fails due transfers, at most one per id in p_entry_ids, and returns what became of each. While the gates are
-- closed a transfer keeps its hold and waits. All together; only if the database refuses that, one by one, and one that
-- it refuses alone is retried later (last_error) and does not affect the others. p_now: real time.
-- Locks the transfers FOR UPDATE SKIP LOCKED, tries the gates' shared lock, then locks their ledgers in id order, then
-- what book_transfers locks.
create or replace function book_due_transfers(p_now timestamptz, p_entry_ids uuid[])
returns table (organization_id uuid, id uuid, status text, last_error text)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  v_due transfers[];
  v_place integer;
  v_error text;
begin
  select array_agg(d order by d.organization_id, d.due_at, d.id) into v_due from (
    select t.* from transfers t join organizations o on o.id = t.organization_id
      where t.next_step in ('BOOK', 'FAIL')
        and t.due_at <= p_now + o.clock_offset_ms * interval '1 millisecond'
        and t.due_at <= (select latest_business_time(p_now))
        and (t.next_step = 'FAIL' or gates_are_open(t.organization_id))
      order by t.due_at limit cardinality(p_entry_ids)
      for update of t skip locked) d;
  if v_due is null then return; end if;

  perform 1 from ledgers l
    where (l.organization_id, l.id) in (
      select u.organization_id, u.source_account_id from unnest(v_due) u
      union select u.organization_id, u.destination_account_id from unnest(v_due) u)
    order by l.organization_id, l.id for update;

  begin
    return query select b.organization_id, b.id, b.status, null::text
      from book_transfers(v_due, p_entry_ids, p_now) b;
    return;
  exception when integrity_constraint_violation or data_exception then
    null; -- Which one it was shows below, where it is reported.
  end;

  for v_place in 1 .. cardinality(v_due) loop
    begin
      return query select b.organization_id, b.id, b.status, null::text
        from book_transfers(array[v_due[v_place]], array[p_entry_ids[v_place]], p_now) b;
    exception when integrity_constraint_violation or data_exception then
      v_error := sqlerrm;
      update transfers t set attempts = t.attempts + 1, last_error = v_error,
          due_at = p_now + o.clock_offset_ms * interval '1 millisecond'
            + least(power(2, least(t.attempts, 10)), 600) * interval '1 second'
        from organizations o
        where o.id = v_due[v_place].organization_id
          and t.organization_id = v_due[v_place].organization_id and t.id = v_due[v_place].id;
      return query select v_due[v_place].organization_id, v_due[v_place].id, 'PROCESSING'::text, v_error;
    end;
  end loop;
end $$;

grant execute on function book_due_transfers to :"app_role";
