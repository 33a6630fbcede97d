-- Writes the audit entries of many requests in one statement. p_entries: a JSON array in the shape of audit-entry.ts.
-- Locks nothing.
create or replace function write_audit_entries(p_entries jsonb) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into audit_entries (organization_id, id, created_at, api_key_id, api_key_name, method, path, action, reason,
      request_id, outcome, error_code, error_detail)
    select e."organizationId", e.id, e."createdAt", e."apiKeyId", e."apiKeyName", e.method, e.path, e.action, e.reason,
        e."requestId", e.outcome, e."errorCode", e."errorDetail"
    from jsonb_to_recordset(p_entries) as e(
      "organizationId" uuid, id uuid, "createdAt" timestamptz, "apiKeyId" uuid, "apiKeyName" text, method text,
      path text, action text, reason text, "requestId" text, outcome text, "errorCode" text,
      "errorDetail" text)
$$;

grant execute on function write_audit_entries to :"app_role";
