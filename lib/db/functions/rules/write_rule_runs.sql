-- Writes live runs of the active versions of their rules, or the runs of their proposals. Returns how many: a run whose
-- cause has started one is left out. p_runs: see start-run.ts. A run that a key starts alone is charged to the key.
-- The caller holds the rules and has checked them. Locks nothing.
create or replace function write_rule_runs(p_runs jsonb) returns bigint
language sql volatile security definer set search_path = public, pg_temp as $$
  with written as (
    insert into rule_executions (organization_id, id, rule_id, rule_version, status, execution_mode, trigger_details,
        reason_for_approval, created_at, cause_kind, cause_id, chain_depth, started_by_kind, started_by_id,
        started_by_name, base, approval_required, due_at, charged_key_id)
      select r."organizationId", r.id, r."ruleId", (select active_version from rules
            where organization_id = r."organizationId" and id = r."ruleId"),
          case when r."approvalRequired" then 'APPROVAL_PENDING' else 'IN_PROGRESS' end, 'LIVE', r."triggerDetails",
          r."reasonForApproval", r.now, r."causeKind", r."causeId", coalesce(r."chainDepth", 0), r."startedBy" ->> 'kind',
          (r."startedBy" ->> 'id')::uuid, r."startedBy" ->> 'name', r.base, r."approvalRequired",
          case when not r."approvalRequired" then r.now end, case when not r."approvalRequired" then r."apiKeyId" end
        from jsonb_to_recordset(p_runs) as r (id uuid, "organizationId" uuid, "ruleId" uuid, "triggerDetails" jsonb,
          "reasonForApproval" text, now timestamptz, "causeKind" text, "causeId" text, "chainDepth" smallint,
          "startedBy" jsonb, base jsonb, "approvalRequired" boolean, "apiKeyId" uuid)
      on conflict on constraint fired_once do nothing
      returning 1)
  select count(*) from written
$$;
