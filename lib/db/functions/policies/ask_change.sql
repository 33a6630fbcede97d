-- Stores a change that waits for signatures, in place of an earlier one of the same target that waits. Raises if the user
-- may not, or too many wait.
-- p_change: { organizationId, userId, id, kind, what, targetId, subject, wanted, keyHash (hex or null), expiresAt, remindAt, now }
-- The caller holds the organization FOR NO KEY UPDATE.
create or replace function ask_change(p_change jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_change ->> 'organizationId')::uuid;
  v_user_id uuid := (p_change ->> 'userId')::uuid;
  v_now timestamptz := (p_change ->> 'now')::timestamptz;
begin
  perform require_policy_decider(v_organization_id, v_user_id);
  update asked_changes c set state = 'REPLACED', ended_at = v_now, ended_by = v_user_id, remind_at = null
    where c.organization_id = v_organization_id and c.what = p_change ->> 'what'
      and c.target_id = (p_change ->> 'targetId')::uuid and c.state = 'WAITING';
  if (select count(*) from asked_changes c where c.organization_id = v_organization_id and c.state = 'WAITING') >= 200 then
    raise exception 'too many changes wait' using errcode = 'program_limit_exceeded';
  end if;
  insert into asked_changes (organization_id, id, kind, what, target_id, subject, wanted, key_hash, state, asked_by,
      asked_at, expires_at, remind_at)
    values (v_organization_id, (p_change ->> 'id')::uuid, p_change ->> 'kind', p_change ->> 'what',
      (p_change ->> 'targetId')::uuid, p_change ->> 'subject', p_change -> 'wanted', decode(p_change ->> 'keyHash', 'hex'),
      'WAITING', v_user_id, v_now, (p_change ->> 'expiresAt')::timestamptz, (p_change ->> 'remindAt')::timestamptz);
end $$;

grant execute on function ask_change to :"app_role";
