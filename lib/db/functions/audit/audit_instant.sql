-- p_at as the audit chain hashes it: 2026-11-20T13:40:12.345000Z. Locks nothing.
create or replace function audit_instant(p_at timestamptz) returns text
language sql stable as $$
  select to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;
