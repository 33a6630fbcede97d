-- Records who decided a proposal, when and how, and writes the notice to the other deciders; then accepts an approved
-- transfer (accept_approved_transfer) or ends what was denied (deny_transfers). An approved run is accepted with its
-- plan, by accept_approved_run. Returns null, or the code with which an approved transfer will fail. p_now: business time.
-- The caller holds the proposal, or has just inserted it, and for an approved transfer both ledgers. Locks what
-- accept_approved_transfer and deny_transfers lock.
create or replace function write_decision(p_decision jsonb) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  p_organization_id uuid := (p_decision ->> 'organizationId')::uuid;
  p_proposal_id uuid := (p_decision ->> 'proposalId')::uuid;
  p_state text := p_decision ->> 'state';
  p_user_id uuid := (p_decision ->> 'userId')::uuid;
  p_method text := p_decision ->> 'method';
  p_passkey_name text := p_decision ->> 'passkeyName';
  p_note text := p_decision ->> 'note';
  p_digest text := p_decision ->> 'digest';
  p_notice_id uuid := (p_decision ->> 'noticeId')::uuid;
  p_expected_completion_date date := (p_decision ->> 'expectedCompletionDate')::date;
  p_now timestamptz := (p_decision ->> 'now')::timestamptz;
  -- { kind, text, askAgainAfter }, for the program; null: none was given.
  p_reason jsonb := p_decision -> 'reason';
  v_kind text;
begin
  -- A process that knows no policy, during an update, must not approve what needs signatures.
  if p_state = 'APPROVED' and p_method <> 'TEST_PERSON' and policy_versions_of(p_organization_id, p_proposal_id)
      <> array(select v::integer from jsonb_array_elements_text(coalesce(p_decision -> 'policyVersions', '[0]')) v) then
    raise exception 'proposal % is under other versions of the policy', p_proposal_id using errcode = 'serialization_failure';
  end if;
  update proposals set state = p_state, decided_at = p_now, decided_by = p_user_id, decision_method = p_method,
      decision_passkey_name = p_passkey_name, decision_note = p_note, decision_digest = p_digest, remind_at = null,
      denial_reason = p_reason ->> 'kind', denial_text = p_reason ->> 'text',
      ask_again_after = (p_reason ->> 'askAgainAfter')::timestamptz
    where organization_id = p_organization_id and id = p_proposal_id and state = 'WAITING'
      -- A line of a batch is decided with the others (decide_batch).
      and batch_id is null
    returning kind into strict v_kind;
  insert into notices (organization_id, id, kind, proposal_id, created_at, due_at)
    values (p_organization_id, p_notice_id, 'APPROVAL_DECIDED', p_proposal_id, p_now, p_now);
  if p_state = 'DENIED' then
    perform deny_transfers(p_organization_id, array[p_proposal_id], p_now);
    perform hold_denied_request(p_organization_id, p_proposal_id);
  elsif v_kind = 'TRANSFER' then
    return accept_approved_transfer(p_organization_id, p_proposal_id, p_expected_completion_date, p_now);
  end if;
  return null;
end $$;

grant execute on function write_decision to :"app_role";
