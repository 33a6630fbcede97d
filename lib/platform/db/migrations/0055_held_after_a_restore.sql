-- A restored database does not know what happened since its backup: what it would send, another Sluice may have sent.
-- So a restore closes all gates, of every organization, until an owner or co-owner has looked (docs/backup.md).

-- Null: nobody; a restore did it.
alter table gate_closings alter column closed_by drop not null;

-- Closes the gates of every organization whose gates are open, and has owners and co-owners told. For the owner of the
-- database alone: nothing grants it to the application, which knows closings by members only. p_now: real time.
create function hold_after_restore(p_now timestamptz) returns integer
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
revoke execute on function hold_after_restore from public;
