-- For the previous version, which may still be serving; removed a release later.
create or replace function record_decision(p_organization_id uuid, p_proposal_id uuid, p_state text, p_user_id uuid,
  p_method text, p_passkey_name text, p_note text, p_digest text, p_notice_id uuid, p_expected_completion_date date,
  p_now timestamptz)
returns text
language sql security definer set search_path = public, pg_temp as $$
  select write_decision(jsonb_build_object(
    'organizationId', p_organization_id, 'proposalId', p_proposal_id, 'state', p_state, 'userId', p_user_id,
    'method', p_method, 'passkeyName', p_passkey_name, 'note', p_note, 'digest', p_digest,
    'noticeId', p_notice_id, 'expectedCompletionDate', p_expected_completion_date, 'now', p_now))
$$;

grant execute on function record_decision to :"app_role";
