-- When the bank returns money that rules have already passed on, pauses every rule that waits for money on that account
-- until a person has looked (decisions page, "Arrivals").
-- Locks these rules FOR UPDATE in id order, which waits for runs that hold them. The caller holds the transfer and must
-- not hold a ledger yet: runs lock rules before ledgers.
create or replace function pause_rules_after_return(t transfers, p_now timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_rule rules;
begin
  perform 1 from rule_executions e
    join transfers moved on moved.organization_id = e.organization_id and moved.rule_execution_id = e.id
    where e.organization_id = t.organization_id and e.cause_id = t.id::text and e.cause_kind = 'TRANSFER'
      and moved.status in ('PROCESSING', 'COMPLETE')
    limit 1;
  if not found then return; end if;
  for v_rule in
    select * from rules r where r.organization_id = t.organization_id
      and r.active_trigger_account_id = t.destination_account_id and r.paused_at is null
      order by r.id for update
  loop
    update rules set paused_at = p_now, paused_by_transfer_id = t.id
      where organization_id = v_rule.organization_id and id = v_rule.id;
    insert into rule_events (organization_id, id, rule_id, kind, version, transfer_id, at)
      values (v_rule.organization_id, new_id(p_now), v_rule.id, 'PAUSED', v_rule.active_version, t.id, p_now);
  end loop;
end $$;
