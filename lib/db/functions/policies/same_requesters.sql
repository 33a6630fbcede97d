-- Whose moves count as those of one requester in a window of the policy. Of a key: the member who made it and knows its
-- secret, with all that this member asks for: own moves, other keys, connections of assistants, and the keys that these
-- replaced. Else splitting an amount over two keys of one member would stay under every tier. A rule ('RULE') counts by its own
-- name. Locks nothing.
create or replace function same_requesters(p_organization_id uuid, p_kind text, p_id uuid) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  with member as (
    select case p_kind when 'RULE' then null when 'MEMBER' then p_id
      else (select k.created_by from api_keys k where k.organization_id = p_organization_id and k.id = p_id) end as id)
  select p_id
  union
  select m.id from member m where m.id is not null
  union
  select replaced_keys(p_organization_id, array(
    select k.id from api_keys k join member m on m.id = k.created_by where k.organization_id = p_organization_id))
$$;

grant execute on function same_requesters to :"app_role";
