-- Closes the gates of every organization whose gates are open, and queues the notice to owners and co-owners; returns
-- how many it closed. What a restored database would send, another server may have sent since the backup. p_now: real
-- time.
-- For the restore's transaction, as the owner of the database: not granted to the application, which closes gates only
-- for a member. Locks nothing.
create or replace function hold_after_restore(p_now timestamptz) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_closing record;
  v_count integer := 0;
begin
  for v_closing in
    select o.id as organization_id, new_id(b.now) as id, new_id(b.now) as notice_id, b.now
      from organizations o
      cross join lateral (select p_now + o.clock_offset_ms * interval '1 millisecond' as now) b
     where not exists (select from gate_closings g where g.organization_id = o.id and g.opened_at is null)
  loop
    insert into gate_closings (organization_id, id, closed_at, closed_by)
      values (v_closing.organization_id, v_closing.id, v_closing.now, null);
    insert into notices (organization_id, id, kind, subject_id, created_at, due_at)
      values (v_closing.organization_id, v_closing.notice_id, 'GATES_CLOSED', v_closing.id, v_closing.now, v_closing.now);
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;
