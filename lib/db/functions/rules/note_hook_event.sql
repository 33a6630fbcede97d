-- Records a change to a rule's hook in the rule's history. A function, so that the application can write no other kind
-- of event. Locks nothing; the caller holds the rule FOR NO KEY UPDATE.
create or replace function note_hook_event(p_organization_id uuid, p_id uuid, p_rule_id uuid, p_kind text, p_user_id uuid,
  p_at timestamptz)
returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if p_kind not in ('HOOK_MADE', 'HOOK_REMOVED', 'HOOK_APPROVAL_ON', 'HOOK_APPROVAL_OFF') then
    raise exception 'no event of a hook: %', p_kind;
  end if;
  insert into rule_events (organization_id, id, rule_id, kind, by_user_id, at)
    values (p_organization_id, p_id, p_rule_id, p_kind, p_user_id, p_at);
end $$;

grant execute on function note_hook_event to :"app_role";
