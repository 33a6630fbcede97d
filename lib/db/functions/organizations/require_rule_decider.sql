-- Raises insufficient_privilege unless the user is an owner or co-owner: checked again in the database for every caller
-- of the functions that change rules. Locks the membership FOR SHARE, so the role holds until the commit.
create or replace function require_rule_decider(p_organization_id uuid, p_user_id uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform 1 from memberships where organization_id = p_organization_id and user_id = p_user_id
    and role in ('OWNER', 'CO_OWNER') for share;
  if not found then raise exception 'only an owner or co-owner may change what rules do' using errcode = '42501'; end if;
end $$;
