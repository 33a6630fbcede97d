-- Puts a signed version in force and ends the one before. Whether the signatures are those that both versions ask for, the
-- caller has decided; raises by itself unless every signature is for this text and two people took part wherever the
-- organization has two who decide.
-- The caller holds the organization FOR NO KEY UPDATE.
create or replace function publish_policy(p_organization_id uuid, p_version integer, p_hash text, p_now timestamptz)
returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_begun_by uuid;
  v_people integer;
  v_deciders integer;
begin
  select begun_by into v_begun_by from approval_policies
   where organization_id = p_organization_id and version = p_version and state = 'SIGNING'
     and signing_expires_at > p_now for update;
  if not found then raise exception 'this version is not being signed'; end if;
  select count(distinct person) into v_people from (
    select s.user_id as person from signatures s
      join memberships m on m.organization_id = s.organization_id and m.user_id = s.user_id
        and m.role in ('OWNER', 'CO_OWNER')
     where s.organization_id = p_organization_id and s.subject_kind = 'POLICY' and s.subject_id = p_version::text
       and s.withdrawn_at is null and s.subject_hash = p_hash
    union all
    -- Who began it and no longer decides has no part in it.
    select m.user_id from memberships m where m.organization_id = p_organization_id and m.user_id = v_begun_by
      and m.role in ('OWNER', 'CO_OWNER')) took_part;
  select count(*) into v_deciders from memberships
   where organization_id = p_organization_id and role in ('OWNER', 'CO_OWNER');
  if v_people < least(2, v_deciders) then raise exception 'nobody changes who must approve alone'; end if;
  if not exists (select from signatures s where s.organization_id = p_organization_id and s.subject_kind = 'POLICY'
      and s.subject_id = p_version::text and s.withdrawn_at is null and s.subject_hash = p_hash) then
    raise exception 'nobody has signed this version';
  end if;
  update approval_policies set state = 'REPLACED', replaced_at = p_now
   where organization_id = p_organization_id and state = 'IN_FORCE';
  update approval_policies set state = 'IN_FORCE', published_at = p_now
   where organization_id = p_organization_id and version = p_version;
end $$;

grant execute on function publish_policy to :"app_role";
