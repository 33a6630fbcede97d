-- Stores until when the signatures under a payee's details or a version of a rule may come; what was stored for another text
-- of the same ends. p_change: { organizationId, userId, id, kind, targetId, wanted, expiresAt, remindAt, now }
-- The caller holds the payee or the organization's rules.
create or replace function begin_change_signing(p_change jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_change ->> 'organizationId')::uuid;
  v_user_id uuid := (p_change ->> 'userId')::uuid;
  v_kind text := p_change ->> 'kind';
  v_target_id uuid := (p_change ->> 'targetId')::uuid;
  v_now timestamptz := (p_change ->> 'now')::timestamptz;
  v_name text;
begin
  if v_kind not in ('PAYEE', 'RULE') then raise exception 'this is asked for by another function'; end if;
  perform require_policy_decider(v_organization_id, v_user_id);
  if v_kind = 'PAYEE' then
    select d.name into v_name from payee_details d where d.organization_id = v_organization_id and d.id = v_target_id;
  else
    select r.name into v_name from rules r where r.organization_id = v_organization_id and r.id = v_target_id;
  end if;
  update asked_changes c set state = 'REPLACED', ended_at = v_now, ended_by = v_user_id, remind_at = null
    where c.organization_id = v_organization_id and c.what = v_kind and c.target_id = v_target_id and c.state = 'WAITING';
  insert into asked_changes (organization_id, id, kind, what, target_id, subject, wanted, state, asked_by, asked_at,
      expires_at, remind_at)
    values (v_organization_id, (p_change ->> 'id')::uuid, v_kind, v_kind, v_target_id, v_name, p_change -> 'wanted',
      'WAITING', v_user_id, v_now, (p_change ->> 'expiresAt')::timestamptz, (p_change ->> 'remindAt')::timestamptz);
end $$;

grant execute on function begin_change_signing to :"app_role";
