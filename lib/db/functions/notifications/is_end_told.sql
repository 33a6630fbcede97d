-- Whether a failed run needs no notice of its own: its program canceled it, the rule was deactivated, the gates were
-- closed or the starting key was revoked by a person who knows, or another notice covers it (a transfer that the bank
-- returned or refused). Locks nothing.
create or replace function is_end_told(e rule_executions) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select case
      when e.planned_at is null then
        exists (select from rules r where r.organization_id = e.organization_id and r.id = e.rule_id
          and r.active_version is null)
        -- The closing of the gates has a notice of its own.
        or gates_were_closed(e.organization_id, coalesce(e.ended_at, e.created_at))
        -- The program that started it canceled it.
        or e.withdrawn_at is not null
        -- Its key was revoked or ended in this transaction.
        or exists (select from api_keys k where k.organization_id = e.organization_id and k.id = e.started_by_id
          and e.started_by_kind = 'API_KEY' and k.revoked_at = e.ended_at)
        -- For other causes, cause_id is not the id of a transfer.
        or case when e.cause_kind = 'TRANSFER' then exists (select from transfers t
          where t.organization_id = e.organization_id and t.id = e.cause_id::uuid and t.status = 'RETURNED')
          else false end
      else
        not exists (select from transfers t where t.organization_id = e.organization_id and t.rule_execution_id = e.id
          and t.status = 'FAILED' and not is_of_bank(t.error_code))
        and exists (select from transfers t where t.organization_id = e.organization_id and t.rule_execution_id = e.id
          and t.status in ('FAILED', 'CANCELLED'))
    end
$$;
