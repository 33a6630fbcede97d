-- Freezes, thaws or closes a card; a closed card stays closed. Returns the resulting status, or null if there is no
-- such card. After the commit no purchase sees the old status. The caller has checked the member's permission.
-- Locks the card.
create or replace function set_card_status(p_organization_id uuid, p_id uuid, p_status text, p_changed_by uuid, p_now timestamptz)
returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_card cards;
begin
  v_card := lock_card(p_organization_id, p_id);
  if v_card.id is null or v_card.status in (p_status, 'CLOSED') then return v_card.status; end if;
  update cards set status = p_status, status_changed_by = p_changed_by, status_changed_at = p_now, updated_at = p_now
    where organization_id = p_organization_id and id = p_id;
  return p_status;
end $$;

grant execute on function set_card_status to :"app_role";
