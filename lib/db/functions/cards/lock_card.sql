-- The card, locked FOR NO KEY UPDATE until the commit; all null if there is none. Every card operation takes this lock
-- first, so the last of a monthly limit is spent once.
create or replace function lock_card(p_organization_id uuid, p_id uuid) returns cards
language sql security definer set search_path = public, pg_temp as $$
  select * from cards where organization_id = p_organization_id and id = p_id for no key update
$$;
