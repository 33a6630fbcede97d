-- For the previous version, which may still be serving; removed a release later.
create or replace function record_bank_answer(p_organization_id uuid, p_id uuid, p_answer text, p_reference text, p_code text,
  p_expected_completion_date date, p_retry_at timestamptz, p_now timestamptz)
returns boolean
language sql security definer set search_path = public, pg_temp as $$
  select record_order_answer(jsonb_build_object(
    'organizationId', p_organization_id, 'id', p_id, 'answer', p_answer, 'reference', p_reference,
    'code', p_code, 'expectedCompletionDate', p_expected_completion_date, 'retryAt', p_retry_at, 'now', p_now))
$$;

grant execute on function record_bank_answer to :"app_role";
