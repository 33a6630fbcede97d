-- Ends the transfers and runs of proposals that ended unapproved: denied, withdrawn, expired, revoked, or with their rule's
-- version; any other id is left alone. None of them had moved money. The caller holds the proposals. Locks the
-- transfers, then the runs.
create or replace function deny_transfers(p_organization_id uuid, p_ids uuid[], p_now timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  update transfers t set status = 'APPROVAL_DENIED', completed_at = p_now, updated_at = p_now
    from proposals p
    where t.organization_id = p_organization_id and t.id = any (p_ids) and t.status = 'APPROVAL_PENDING'
      and p.organization_id = t.organization_id and p.id = t.id and p.state not in ('WAITING', 'APPROVED');
  update rule_executions e set status = 'APPROVAL_DENIED', ended_at = p_now
    from proposals p
    where e.organization_id = p_organization_id and e.id = any (p_ids) and e.status = 'APPROVAL_PENDING'
      and p.organization_id = e.organization_id and p.id = e.id and p.state not in ('WAITING', 'APPROVED');
$$;

grant execute on function deny_transfers to :"app_role";
