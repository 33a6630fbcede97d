-- Records a member's signature of a waiting proposal, in place of an earlier one of theirs; with a notice to those who may
-- still sign unless it decides. p_signature: { organizationId, proposalId, id, userId, policyVersions, subjectHash, digest,
-- method, passkeyName, noticeId (null: it decides), audit, now }
-- Raises unless the proposal waits under these versions of the policy and the user decides.
-- The caller holds the proposal FOR UPDATE and the membership FOR SHARE. Locks the earlier signature.
create or replace function sign_proposal(p_signature jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_signature ->> 'organizationId')::uuid;
  v_proposal_id uuid := (p_signature ->> 'proposalId')::uuid;
  v_user_id uuid := (p_signature ->> 'userId')::uuid;
  v_now timestamptz := (p_signature ->> 'now')::timestamptz;
  v_versions integer[] := array(select v::integer from jsonb_array_elements_text(p_signature -> 'policyVersions') v);
begin
  perform 1 from proposals p
    where p.organization_id = v_organization_id and p.id = v_proposal_id and p.state = 'WAITING' and p.expires_at > v_now;
  if not found then raise exception 'proposal % does not wait', v_proposal_id; end if;
  perform 1 from memberships m
    where m.organization_id = v_organization_id and m.user_id = v_user_id and m.role in ('OWNER', 'CO_OWNER');
  if not found then raise exception 'user % may not sign', v_user_id; end if;
  if v_versions <> policy_versions_of(v_organization_id, v_proposal_id) then
    raise exception 'proposal % is under other versions of the policy', v_proposal_id using errcode = 'serialization_failure';
  end if;
  update signatures s set withdrawn_at = v_now
    where s.organization_id = v_organization_id and s.subject_kind = 'PROPOSAL' and s.subject_id = v_proposal_id::text
      and s.user_id = v_user_id and s.withdrawn_at is null;
  insert into signatures (organization_id, subject_kind, subject_id, id, user_id, policy_versions, subject_hash, digest,
      method, passkey_name, signed_at, signed_on)
    select v_organization_id, 'PROPOSAL', v_proposal_id::text, (p_signature ->> 'id')::uuid, v_user_id, v_versions,
        p_signature ->> 'subjectHash', p_signature ->> 'digest', p_signature ->> 'method',
        p_signature ->> 'passkeyName', v_now, (v_now at time zone o.time_zone)::date
      from organizations o where o.id = v_organization_id;
  if p_signature ->> 'noticeId' is not null then
    insert into notices (organization_id, id, kind, proposal_id, created_at, due_at)
      values (v_organization_id, (p_signature ->> 'noticeId')::uuid, 'APPROVAL_SIGNED', v_proposal_id, v_now, v_now);
  end if;
  perform write_audit_entries(jsonb_build_array(p_signature -> 'audit'));
end $$;

grant execute on function sign_proposal to :"app_role";
