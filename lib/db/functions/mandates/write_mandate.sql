-- A key or a member asks for a mandate. WRITTEN | NO_KEY (ended, or an assistant's connection) | TOO_MANY (of this key wait
-- or are in force).
-- p_mandate: { organizationId, id, apiKeyId, terms, isOfProgram, reason, proposedBy: { kind, id, name }, timeZone, now,
-- expiresAt, maximum }
-- Locks the key FOR NO KEY UPDATE: two at once count each other, and a revocation waits.
create or replace function write_mandate(p_mandate jsonb) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_mandate ->> 'organizationId')::uuid;
  v_key_id uuid := (p_mandate ->> 'apiKeyId')::uuid;
  v_now timestamptz := (p_mandate ->> 'now')::timestamptz;
begin
  perform from api_keys k where k.organization_id = v_organization_id and k.id = v_key_id and k.client_id is null
    and k.revoked_at is null and (k.ends_at is null or k.ends_at > v_now) for no key update;
  if not found then return 'NO_KEY'; end if;
  if (select count(*) from mandates m where m.organization_id = v_organization_id and m.api_key_id = v_key_id
      and (m.state = 'IN_FORCE' or m.state = 'WAITING' and m.expires_at > v_now)) >= (p_mandate ->> 'maximum')::integer then
    return 'TOO_MANY';
  end if;
  insert into mandates (organization_id, id, api_key_id, state, terms, asked_terms, reason, proposed_by_kind,
      proposed_by_id, proposed_by_name, time_zone, created_at, expires_at)
    values (v_organization_id, (p_mandate ->> 'id')::uuid, v_key_id, 'WAITING', p_mandate -> 'terms',
      case when p_mandate -> 'isOfProgram' = 'true' then p_mandate -> 'terms' end, p_mandate ->> 'reason',
      p_mandate -> 'proposedBy' ->> 'kind', (p_mandate -> 'proposedBy' ->> 'id')::uuid, p_mandate -> 'proposedBy' ->> 'name',
      p_mandate ->> 'timeZone', v_now, (p_mandate ->> 'expiresAt')::timestamptz);
  return 'WRITTEN';
end $$;

grant execute on function write_mandate to :"app_role";
