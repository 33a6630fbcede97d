-- Other terms for a mandate that waits; what was signed before is void. Whether they are narrower, the caller has decided.
-- False: it no longer waits, or has another revision. p_change: { organizationId, userId, id, revision, terms, now }
-- Locks the membership FOR SHARE, the mandate FOR UPDATE.
create or replace function narrow_mandate(p_change jsonb) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_change ->> 'organizationId')::uuid;
begin
  perform require_policy_decider(v_organization_id, (p_change ->> 'userId')::uuid);
  update mandates m set terms = p_change -> 'terms', revision = m.revision + 1
    where m.organization_id = v_organization_id and m.id = (p_change ->> 'id')::uuid and m.state = 'WAITING'
      and m.revision = (p_change ->> 'revision')::integer and m.expires_at > (p_change ->> 'now')::timestamptz;
  if not found then return false; end if;
  update signatures s set withdrawn_at = (p_change ->> 'now')::timestamptz
    where s.organization_id = v_organization_id and s.subject_kind = 'MANDATE' and s.subject_id = p_change ->> 'id'
      and s.withdrawn_at is null;
  return true;
end $$;

grant execute on function narrow_mandate to :"app_role";
