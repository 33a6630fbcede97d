-- Opens the gates that closing p_id closed. Returns OPENED | ALREADY (opened before) | MAY_NOT. p_now: business time.
-- The caller has verified the member's confirmation.
-- Locks the member's membership FOR SHARE, then the closing's row. The gates' advisory lock is not needed: a
-- transaction that sees the gates as still closed only waits longer.
create or replace function open_gates(p_organization_id uuid, p_id uuid, p_notice_id uuid, p_by uuid, p_method text,
  p_now timestamptz)
returns text
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform 1 from memberships m where m.organization_id = p_organization_id and m.user_id = p_by
    and m.role in ('OWNER', 'CO_OWNER') for share;
  if not found then return 'MAY_NOT'; end if;
  update gate_closings g set opened_at = greatest(p_now, g.closed_at), opened_by = p_by, opening_method = p_method
    where g.organization_id = p_organization_id and g.id = p_id and g.opened_at is null;
  if not found then return 'ALREADY'; end if;
  insert into notices (organization_id, id, kind, subject_id, created_at, due_at)
    values (p_organization_id, p_notice_id, 'GATES_OPENED', p_id, p_now, p_now);
  return 'OPENED';
end $$;

grant execute on function open_gates to :"app_role";
