-- Ends a change that waits; false: it does not wait anymore. Raises if the user may not, and by itself before a change is
-- done that nobody signed or whose requester no longer decides.
-- p_state: DONE | DENIED | WITHDRAWN | OUTDATED; p_by null: nobody did. The caller holds the organization FOR NO KEY UPDATE.
create or replace function end_asked_change(p_organization_id uuid, p_id uuid, p_state text, p_by uuid, p_now timestamptz)
returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_change asked_changes;
begin
  if p_state not in ('DONE', 'DENIED', 'WITHDRAWN', 'OUTDATED') then raise exception 'unknown end'; end if;
  if p_by is not null then perform require_policy_decider(p_organization_id, p_by); end if;
  select * into v_change from asked_changes c
    where c.organization_id = p_organization_id and c.id = p_id and c.state = 'WAITING' for update;
  if not found then return false; end if;
  if p_state = 'WITHDRAWN' and v_change.asked_by is distinct from p_by then
    raise exception 'only who asked for a change withdraws it';
  end if;
  if p_state = 'DONE' then
    if v_change.expires_at <= p_now then raise exception 'the time for this change is over'; end if;
    -- Of a payee's details or a rule, who signed first did not ask for them.
    if v_change.kind in ('LIMIT', 'KEY') then perform require_policy_decider(p_organization_id, v_change.asked_by); end if;
    if not exists (select from signatures s where s.organization_id = p_organization_id and s.subject_kind = v_change.kind
        and s.subject_id = case when v_change.kind in ('LIMIT', 'KEY') then p_id else v_change.target_id end::text
        and s.withdrawn_at is null and s.user_id = p_by) then
      raise exception 'this change is not signed';
    end if;
  end if;
  update asked_changes c set state = p_state, ended_at = p_now, ended_by = p_by, remind_at = null
    where c.organization_id = p_organization_id and c.id = p_id;
  return true;
end $$;

grant execute on function end_asked_change to :"app_role";
