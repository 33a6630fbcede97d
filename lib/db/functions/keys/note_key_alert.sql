-- Records an alert about a key and queues its notice to the owners, at most once a day per kind and key. p_now:
-- business time. Locks nothing.
create or replace function note_key_alert(p_organization_id uuid, p_key_id uuid, p_kind text, p_facts jsonb, p_now timestamptz)
returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_id uuid := new_id(p_now);
begin
  insert into key_alerts (organization_id, id, api_key_id, kind, day, facts, noticed_at)
    values (p_organization_id, v_id, p_key_id, p_kind, day_of(p_organization_id, p_now), p_facts, p_now)
    on conflict (organization_id, api_key_id, kind, day) do nothing;
  if not found then return; end if;
  insert into notices (organization_id, id, kind, subject_id, api_key_id, created_at, due_at)
    values (p_organization_id, new_id(p_now), 'KEY_UNUSUAL', v_id, p_organization_id, p_now, p_now);
end $$;

grant execute on function note_key_alert to :"app_role";
