-- A program proposes that a rule stops. PROPOSED | ALREADY (its earlier proposal still waits; `id` is that one) | INACTIVE
-- | MISSING | TOO_MANY (of this key wait). p_proposal: { organizationId, ruleId, id, keyId, keyName, reason, now, expiresAt }
-- Locks the rule FOR KEY SHARE, which waits for an act of a member. The caller holds the key FOR KEY SHARE.
create or replace function propose_rule_deactivation(p_proposal jsonb) returns table (outcome text, id uuid)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_proposal ->> 'organizationId')::uuid;
  v_rule_id uuid := (p_proposal ->> 'ruleId')::uuid;
  v_key_id uuid := (p_proposal ->> 'keyId')::uuid;
  v_now timestamptz := (p_proposal ->> 'now')::timestamptz;
  v_rule rules;
begin
  select * into v_rule from rules r where r.organization_id = v_organization_id and r.id = v_rule_id for key share;
  if not found or v_rule.deleted_at is not null then
    outcome := 'MISSING';
    return next;
    return;
  end if;
  -- One that expired and is not recorded yet no longer waits.
  update rule_deactivation_proposals p set state = 'EXPIRED', decided_at = p.expires_at
    where p.organization_id = v_organization_id and p.rule_id = v_rule_id and p.api_key_id = v_key_id
      and p.state = 'WAITING' and p.expires_at <= v_now;
  select 'ALREADY', p.id into outcome, id from rule_deactivation_proposals p
    where p.organization_id = v_organization_id and p.rule_id = v_rule_id and p.api_key_id = v_key_id
      and p.state = 'WAITING';
  if found then
    return next;
    return;
  end if;
  if v_rule.active_version is null then
    outcome := 'INACTIVE';
  elsif (select count(*) from rule_deactivation_proposals p where p.organization_id = v_organization_id
      and p.api_key_id = v_key_id and p.state = 'WAITING') >= maximum_waiting() then
    outcome := 'TOO_MANY';
  else
    insert into rule_deactivation_proposals as p (organization_id, id, rule_id, version, state, api_key_id, api_key_name,
        reason, created_at, expires_at)
      values (v_organization_id, (p_proposal ->> 'id')::uuid, v_rule_id, v_rule.active_version, 'WAITING', v_key_id,
        p_proposal ->> 'keyName', p_proposal ->> 'reason', v_now, (p_proposal ->> 'expiresAt')::timestamptz)
      on conflict (organization_id, rule_id, api_key_id) where (state = 'WAITING') do nothing
      returning p.id into id;
    outcome := 'PROPOSED';
    if id is null then
      -- The same key proposed it in the same moment: this statement sees that one.
      select 'ALREADY', p.id into strict outcome, id from rule_deactivation_proposals p
        where p.organization_id = v_organization_id and p.rule_id = v_rule_id and p.api_key_id = v_key_id
          and p.state = 'WAITING';
    end if;
  end if;
  return next;
end $$;

grant execute on function propose_rule_deactivation to :"app_role";
