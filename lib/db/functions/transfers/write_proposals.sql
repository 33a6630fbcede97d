-- Writes the proposals of transfers that wait, each with its notice to the deciders; p_items: of create_transfers.
-- Locks nothing: the caller has counted the keys' waiting ones under their locks (lock_waiting_proposals).
create or replace function write_proposals(p_items jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  with items as materialized (
    select i.*, (i.transfer ->> 'id')::uuid as id
      from jsonb_to_recordset(p_items) as i ("organizationId" uuid, "apiKeyId" uuid, now timestamptz, transfer jsonb,
        request jsonb, "noticeId" uuid, "expiresAt" timestamptz, "remindAt" timestamptz, "aboveCap" jsonb, "outsideMandate" jsonb)),
  proposed as (
    insert into proposals (organization_id, id, kind, state, api_key_id, request, created_at, expires_at, remind_at,
        cap_in_cents, cap_used_in_cents, outside_mandate, policy_version)
      select i."organizationId", i.id, 'TRANSFER', 'WAITING', i."apiKeyId", nullif(i.request, 'null'), i.now,
          i."expiresAt", i."remindAt", (i."aboveCap" ->> 'capInCents')::bigint, (i."aboveCap" ->> 'usedInCents')::bigint,
          nullif(i."outsideMandate", 'null'),
          (select a.version from approval_policies a
            where a.organization_id = i."organizationId" and a.state = 'IN_FORCE')
        from items i)
  insert into notices (organization_id, id, kind, proposal_id, api_key_id, created_at, due_at)
    select i."organizationId", i."noticeId", 'APPROVAL_ASKED', i.id, i."apiKeyId", i.now, i.now from items i;
end $$;
