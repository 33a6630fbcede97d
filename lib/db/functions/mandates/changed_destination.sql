-- The first of these destinations that is another one than a mandate was signed for: its payee has another version, or
-- became one or none since; null: none is. Locks nothing.
create or replace function changed_destination(p_mandate mandates, p_account_ids uuid[]) returns uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select d.id from unnest(p_account_ids) with ordinality as d (id, place)
   where (p_mandate.payee_versions ->> d.id::text)::integer is distinct from (select p.version from payees p
     where p.organization_id = p_mandate.organization_id and p.id = d.id)
   order by d.place limit 1
$$;

grant execute on function changed_destination to :"app_role";
