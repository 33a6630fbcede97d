-- Closes all gates of an organization at once. Returns CLOSED | ALREADY | MAY_NOT (only owners and co-owners may).
-- After the commit no transaction that found the gates open is still running. p_now: business time.
-- Locks the gates' advisory lock exclusively, then the member's membership FOR SHARE. The call is a transaction of its
-- own and waits for the gates first, so no transaction that it waits for can be waiting for it.
create or replace function close_gates(p_organization_id uuid, p_id uuid, p_notice_id uuid, p_by uuid, p_now timestamptz)
returns text
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Before the lock: a member who may not close the gates must not delay anyone by trying.
  if not exists (select from memberships m where m.organization_id = p_organization_id and m.user_id = p_by
    and m.role in ('OWNER', 'CO_OWNER')) then return 'MAY_NOT'; end if;
  perform pg_advisory_xact_lock(gate_lock(p_organization_id));
  perform 1 from memberships m where m.organization_id = p_organization_id and m.user_id = p_by
    and m.role in ('OWNER', 'CO_OWNER') for share;
  if not found then return 'MAY_NOT'; end if;
  insert into gate_closings (organization_id, id, closed_at, closed_by)
    values (p_organization_id, p_id, p_now, p_by)
    on conflict (organization_id) where opened_at is null do nothing;
  if not found then return 'ALREADY'; end if;
  insert into notices (organization_id, id, kind, subject_id, created_at, due_at)
    values (p_organization_id, p_notice_id, 'GATES_CLOSED', p_id, p_now, p_now);
  return 'CLOSED';
end $$;

grant execute on function close_gates to :"app_role";
