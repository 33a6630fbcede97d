-- Whether a member with p_role may invite, change and remove members with p_other. Only owners manage the roles that
-- decide about money. Locks nothing.
create or replace function may_manage_role(p_role text, p_other text) returns boolean
language sql immutable as $$
  select p_role = 'OWNER' or (p_role = 'CO_OWNER' and p_other in ('ACCOUNTANT', 'VIEWER'))
$$;

grant execute on function may_manage_role to :"app_role";
