-- A member withdraws their signature of a proposal that still waits. WITHDRAWN | NONE (they have no living one) | ENDED
-- (it does not wait any more) | MISSING. p_now: business time.
-- Locks the proposal FOR UPDATE, then the signature.
create or replace function withdraw_signature(p_organization_id uuid, p_proposal_id uuid, p_user_id uuid, p_audit jsonb,
  p_now timestamptz) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_proposal proposals;
begin
  select * into v_proposal from proposals p
    where p.organization_id = p_organization_id and p.id = p_proposal_id for update;
  if not found then return 'MISSING'; end if;
  if v_proposal.state <> 'WAITING' or v_proposal.expires_at <= p_now then return 'ENDED'; end if;
  update signatures s set withdrawn_at = p_now
    where s.organization_id = p_organization_id and s.subject_kind = 'PROPOSAL' and s.subject_id = p_proposal_id::text
      and s.user_id = p_user_id and s.withdrawn_at is null;
  if not found then return 'NONE'; end if;
  perform write_audit_entries(jsonb_build_array(p_audit));
  return 'WITHDRAWN';
end $$;

grant execute on function withdraw_signature to :"app_role";
