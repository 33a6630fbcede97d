-- Writes a batch with its lines: a transfer and a proposal each, labels, and one notice to the deciders, which names the
-- first line. CREATED | ALREADY (there is a batch with this id) | GATES_CLOSED | TOO_MANY_WAITING. p_batch: what its key or
-- member proposes; now is business time.
-- Locks the key's waiting proposals (lock_waiting_proposals). The caller holds the key FOR KEY SHARE.
create or replace function create_transfer_batch(p_batch jsonb) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_batch ->> 'organizationId')::uuid;
  v_id uuid := (p_batch ->> 'id')::uuid;
  -- Null: a member proposes it.
  v_key_id uuid := (p_batch ->> 'apiKeyId')::uuid;
  v_now timestamptz := (p_batch ->> 'now')::timestamptz;
  v_reason text := p_batch ->> 'reasonForApproval';
  v_requester_id uuid := (p_batch -> 'proposedBy' ->> 'id')::uuid;
  v_requester_name text := p_batch -> 'proposedBy' ->> 'name';
begin
  if exists (select from transfer_batches b where b.organization_id = v_organization_id and b.id = v_id) then
    return 'ALREADY';
  end if;
  if v_key_id is not null then
    if not gates_are_open(v_organization_id) then return 'GATES_CLOSED'; end if;
    if has_too_many_waiting(v_organization_id, v_key_id) or (
        select count(*) from proposals p where p.organization_id = v_organization_id and p.api_key_id = v_key_id
          and p.state = 'WAITING' and p.batch_line = 1) >= maximum_waiting_batches() then
      return 'TOO_MANY_WAITING';
    end if;
  end if;
  insert into transfer_batches (organization_id, id, api_key_id, proposed_by_id, proposed_by_name, reason_for_approval,
      request, line_count, total_in_cents, created_at, expires_at)
    select v_organization_id, v_id, v_key_id, v_requester_id, v_requester_name, v_reason,
        nullif(p_batch -> 'request', 'null'), count(*), sum((line ->> 'amountInCents')::bigint), v_now,
        (p_batch ->> 'expiresAt')::timestamptz
      from jsonb_array_elements(p_batch -> 'lines') line
    on conflict (organization_id, id) do nothing;
  -- Sent twice at the same moment: the other one is written.
  if not found then return 'ALREADY'; end if;

  insert into transfers (organization_id, id, status, execution_mode, direction, origin, amount_in_cents, description,
      source_account_id, destination_account_id, reason_for_approval, proposed_by_kind, proposed_by_id,
      proposed_by_name, created_at, updated_at)
    select v_organization_id, (line ->> 'id')::uuid, 'APPROVAL_PENDING', 'LIVE', line ->> 'direction',
        case when v_key_id is null then 'USER' else 'API' end, (line ->> 'amountInCents')::bigint, line ->> 'description',
        (line ->> 'sourceAccountId')::uuid, (line ->> 'destinationAccountId')::uuid, v_reason,
        case when v_key_id is null then 'MEMBER' else 'API_KEY' end, v_requester_id, v_requester_name, v_now, v_now
      from jsonb_array_elements(p_batch -> 'lines') with ordinality as lines (line, number) order by number;
  insert into proposals (organization_id, id, kind, state, api_key_id, created_at, expires_at, remind_at, batch_id,
      batch_line, policy_version)
    select v_organization_id, (line ->> 'id')::uuid, 'TRANSFER', 'WAITING', v_key_id, v_now,
        (p_batch ->> 'expiresAt')::timestamptz, case when number = 1 then (p_batch ->> 'remindAt')::timestamptz end,
        v_id, number, (select a.version from approval_policies a
          where a.organization_id = v_organization_id and a.state = 'IN_FORCE')
      from jsonb_array_elements(p_batch -> 'lines') with ordinality as lines (line, number) order by number;
  perform write_transfer_labels((
    select jsonb_agg(jsonb_build_object('organizationId', v_organization_id, 'transfer', line))
      from jsonb_array_elements(p_batch -> 'lines') line));
  insert into notices (organization_id, id, kind, proposal_id, api_key_id, created_at, due_at)
    values (v_organization_id, (p_batch ->> 'noticeId')::uuid, 'APPROVAL_ASKED', (p_batch -> 'lines' -> 0 ->> 'id')::uuid,
      v_key_id, v_now, v_now);
  return 'CREATED';
end $$;

grant execute on function create_transfer_batch to :"app_role";
