-- Strikes lines out of a batch that waits, for a member who signs the others: nobody puts them back, and the decision denies
-- them. Raises unless each is a waiting line of this batch.
-- The caller holds what lock_batch locks.
create or replace function strike_batch_lines(p_organization_id uuid, p_batch_id uuid, p_line_ids uuid[], p_user_id uuid)
returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_struck integer;
begin
  update proposals p set struck_by = coalesce(p.struck_by, p_user_id)
    where p.organization_id = p_organization_id and p.batch_id = p_batch_id and p.id = any (p_line_ids)
      and p.state = 'WAITING';
  get diagnostics v_struck = row_count;
  if v_struck <> cardinality(p_line_ids) then
    raise exception 'not every struck line of batch % waits', p_batch_id;
  end if;
end $$;

grant execute on function strike_batch_lines to :"app_role";
