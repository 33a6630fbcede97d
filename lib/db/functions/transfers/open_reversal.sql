-- The reversal of a transfer that is waiting, in progress or complete; null: there is none, and no other transaction
-- creates one before the commit. Money is moved back once.
-- Locks the transfer FOR NO KEY UPDATE.
create or replace function open_reversal(p_organization_id uuid, p_transfer_id uuid) returns uuid
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform 1 from transfers where organization_id = p_organization_id and id = p_transfer_id for no key update;
  return (
    select r.reversal_id from transfer_reversals r
      join transfers t on t.organization_id = p_organization_id and t.id = r.reversal_id
     where r.organization_id = p_organization_id and r.transfer_id = p_transfer_id
       and t.status in ('APPROVAL_PENDING', 'PROCESSING', 'COMPLETE')
     limit 1);
end $$;

grant execute on function open_reversal to :"app_role";
