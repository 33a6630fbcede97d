-- Ends the proposals that a rule stops: APPROVED by the member who deactivated it, or RULE_CHANGED when another version
-- than p_version became active. Those past their expiry are left to expire_rule_deactivations.
-- Locks them, after everything else of the act. The caller holds the rule FOR UPDATE.
create or replace function end_rule_deactivations(p_organization_id uuid, p_rule_id uuid, p_version integer, p_state text,
  p_user_id uuid, p_now timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  update rule_deactivation_proposals p set state = p_state, decided_at = p_now, decided_by = p_user_id
    where p.organization_id = p_organization_id and p.rule_id = p_rule_id and p.state = 'WAITING'
      and p.expires_at > p_now and (p_version is null or p.version <> p_version)
$$;
