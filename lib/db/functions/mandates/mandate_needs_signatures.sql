-- Whether a mandate in force has to be signed again: one of its signatures is void (void_signatures), another policy is in
-- force than its signers saw, or one of them no longer decides. Locks nothing.
create or replace function mandate_needs_signatures(p_mandate mandates) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select p_mandate.voided_at is not null
    or p_mandate.policy_version is distinct from coalesce((select p.version from approval_policies p
      where p.organization_id = p_mandate.organization_id and p.state = 'IN_FORCE'), 0)
    or exists (select from signatures s
      where s.organization_id = p_mandate.organization_id and s.subject_kind = 'MANDATE'
        and s.subject_id = p_mandate.id::text and s.subject_hash = p_mandate.signed_hash and s.withdrawn_at is null
        and not exists (select from memberships m where m.organization_id = s.organization_id
          and m.user_id = s.user_id and m.role in ('OWNER', 'CO_OWNER')))
$$;

grant execute on function mandate_needs_signatures to :"app_role";
