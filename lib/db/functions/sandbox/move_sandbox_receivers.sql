-- Points endpoints that send to sandbox receivers at the address of this process, whose port may differ from the last
-- start's. Changes only addresses that end with the token of the endpoint's own organization. Returns how many changed.
-- p_base: the address up to the token. Locks the endpoints that it updates.
create or replace function move_sandbox_receivers(p_base text) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_moved integer;
begin
  update webhook_endpoints e set url = p_base || r.token
    from sandbox_receivers r
    where r.organization_id = e.organization_id and e.status <> 'DELETED'
      and e.url like '%/sandbox/receivers/' || r.token and e.url <> p_base || r.token;
  get diagnostics v_moved = row_count;
  return v_moved;
end $$;

grant execute on function move_sandbox_receivers to :"app_role";
