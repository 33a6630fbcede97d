-- For the previous version, which may still be serving; removed a release later.
create or replace function seal_reconciliation_day(p_organization_id uuid, p_day date, p_reconciled_at timestamptz,
  p_bank_in_cents bigint, p_books_in_cents bigint, p_expected_in_cents bigint, p_open_in_cents bigint,
  p_unexplained_in_cents bigint, p_line_count integer, p_matched_count integer, p_expected_count integer,
  p_open_count integer)
returns boolean
language sql security definer set search_path = public, pg_temp as $$
  select seal_proof_of_day(jsonb_build_object(
    'organizationId', p_organization_id, 'day', p_day, 'reconciledAt', p_reconciled_at,
    'bankInCents', p_bank_in_cents, 'booksInCents', p_books_in_cents, 'expectedInCents', p_expected_in_cents,
    'openInCents', p_open_in_cents, 'unexplainedInCents', p_unexplained_in_cents, 'lineCount', p_line_count,
    'matchedCount', p_matched_count, 'expectedCount', p_expected_count, 'openCount', p_open_count))
$$;

grant execute on function seal_reconciliation_day to :"app_role";
