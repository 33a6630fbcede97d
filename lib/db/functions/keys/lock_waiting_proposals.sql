-- Lets one transaction at a time count and add waiting proposals of each of these keys, or of hooks by their rule.
-- Locks (advisory) in order of id, until the commit. Comes after the keys and before their days and the rules.
create or replace function lock_waiting_proposals(p_ids uuid[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_id uuid;
begin
  for v_id in select distinct i from unnest(p_ids) i where i is not null order by i loop
    perform pg_advisory_xact_lock(hashtextextended('waiting proposals|' || v_id, 0));
  end loop;
end $$;
