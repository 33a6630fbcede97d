-- Decides all lines of a batch: accepts those in `approved` in their order, all or none, and denies the others, which were
-- struck out; one notice for all. Raises unless every line waits, every approved one is an unstruck line of this batch,
-- and policyVersions, whose requirements the caller has checked, are those that apply. Returns null, or { line, errorCode }
-- of the first line that could not be accepted: the caller rolls back.
-- The caller holds what lock_batch locks. Locks what accept_approved_transfer and deny_transfers lock.
create or replace function decide_batch(p_decision jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_decision ->> 'organizationId')::uuid;
  v_batch_id uuid := (p_decision ->> 'batchId')::uuid;
  v_now timestamptz := (p_decision ->> 'now')::timestamptz;
  -- { kind, text, askAgainAfter } of what is denied, for the program; null: none was given.
  v_reason jsonb := p_decision -> 'reason';
  -- The digests of what is accepted, by the id of the transfer.
  v_approved jsonb := p_decision -> 'approved';
  v_line record;
  v_error_code text;
  v_decided integer;
  v_accepted integer := 0;
begin
  -- A process that knows no policy, during an update, must not approve what needs signatures.
  if v_approved <> '{}' and policy_versions_of(v_organization_id, (select p.id from proposals p
        where p.organization_id = v_organization_id and p.batch_id = v_batch_id and p.batch_line = 1))
      <> array(select v::integer from jsonb_array_elements_text(coalesce(p_decision -> 'policyVersions', '[0]')) v) then
    raise exception 'batch % is under other versions of the policy', v_batch_id using errcode = 'serialization_failure';
  end if;
  if exists (select from proposals p where p.organization_id = v_organization_id and p.batch_id = v_batch_id
      and p.struck_by is not null and v_approved ? p.id::text) then
    raise exception 'an approved transfer was struck out of batch %', v_batch_id;
  end if;
  update proposals p set state = case when v_approved ? p.id::text then 'APPROVED' else 'DENIED' end, decided_at = v_now,
      decided_by = (p_decision ->> 'userId')::uuid, decision_method = p_decision ->> 'method',
      decision_passkey_name = p_decision ->> 'passkeyName', remind_at = null,
      struck_by = case when v_approved <> '{}' and not v_approved ? p.id::text
        then coalesce(p.struck_by, (p_decision ->> 'userId')::uuid) else p.struck_by end,
      decision_digest = v_approved ->> p.id::text,
      decision_note = case when not v_approved ? p.id::text then p_decision ->> 'note' end,
      denial_reason = case when not v_approved ? p.id::text then v_reason ->> 'kind' end,
      denial_text = case when not v_approved ? p.id::text then v_reason ->> 'text' end,
      ask_again_after = case when not v_approved ? p.id::text then (v_reason ->> 'askAgainAfter')::timestamptz end
    where p.organization_id = v_organization_id and p.batch_id = v_batch_id and p.state = 'WAITING';
  get diagnostics v_decided = row_count;
  if v_decided is distinct from (select b.line_count from transfer_batches b
      where b.organization_id = v_organization_id and b.id = v_batch_id) then
    raise exception 'not every line of batch % waits', v_batch_id;
  end if;
  insert into notices (organization_id, id, kind, proposal_id, created_at, due_at)
    select v_organization_id, (p_decision ->> 'noticeId')::uuid, 'APPROVAL_DECIDED', p.id, v_now, v_now from proposals p
      where p.organization_id = v_organization_id and p.batch_id = v_batch_id and p.batch_line = 1;
  perform deny_transfers(v_organization_id, array(
    select p.id from proposals p where p.organization_id = v_organization_id and p.batch_id = v_batch_id), v_now);
  for v_line in
    select p.id, p.state, p.batch_line from proposals p
      where p.organization_id = v_organization_id and p.batch_id = v_batch_id order by p.batch_line
  loop
    if v_line.state = 'DENIED' then
      perform hold_denied_request(v_organization_id, v_line.id);
      continue;
    end if;
    v_error_code := accept_approved_transfer(v_organization_id, v_line.id,
      (p_decision ->> 'expectedCompletionDate')::date, v_now);
    if v_error_code is not null then
      return jsonb_build_object('line', v_line.batch_line, 'errorCode', v_error_code);
    end if;
    v_accepted := v_accepted + 1;
  end loop;
  if v_accepted <> (select count(*) from jsonb_object_keys(v_approved)) then
    raise exception 'an approved transfer is not a line of batch %', v_batch_id;
  end if;
  return null;
end $$;

grant execute on function decide_batch to :"app_role";
