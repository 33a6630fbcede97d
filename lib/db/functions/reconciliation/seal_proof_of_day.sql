-- Keeps the proof of a banking day, once: a second one of the same day changes nothing. Returns whether it is new.
-- Sealed like audit entries: its hash covers what it says and the hash of the proof before, so a proof that is changed or
-- removed later no longer fits those after it (find_broken_reconciliation_day).
-- The caller holds the organization's reconciliation, so proofs of an organization queue.
create or replace function seal_proof_of_day(p_proof jsonb) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  p_organization_id uuid := (p_proof ->> 'organizationId')::uuid;
  p_day date := (p_proof ->> 'day')::date;
  p_reconciled_at timestamptz := (p_proof ->> 'reconciledAt')::timestamptz;
  p_bank_in_cents bigint := (p_proof ->> 'bankInCents')::bigint;
  p_books_in_cents bigint := (p_proof ->> 'booksInCents')::bigint;
  p_expected_in_cents bigint := (p_proof ->> 'expectedInCents')::bigint;
  p_open_in_cents bigint := (p_proof ->> 'openInCents')::bigint;
  p_unexplained_in_cents bigint := (p_proof ->> 'unexplainedInCents')::bigint;
  p_line_count integer := (p_proof ->> 'lineCount')::integer;
  p_matched_count integer := (p_proof ->> 'matchedCount')::integer;
  p_expected_count integer := (p_proof ->> 'expectedCount')::integer;
  p_open_count integer := (p_proof ->> 'openCount')::integer;
  v_sequence bigint;
  v_previous bytea;
begin
  select d.sequence, d.hash into v_sequence, v_previous from reconciliation_days d
    where d.organization_id = p_organization_id order by d.sequence desc limit 1;
  if not found then
    v_sequence := 0;
    v_previous := audit_digest('sluice-reconciliation-genesis-v1', p_organization_id::text);
  end if;
  insert into reconciliation_days (organization_id, day, sequence, reconciled_at, bank_in_cents, books_in_cents,
      expected_in_cents, open_in_cents, unexplained_in_cents, line_count, matched_count, expected_count, open_count, hash)
    values (p_organization_id, p_day, v_sequence + 1, p_reconciled_at, p_bank_in_cents, p_books_in_cents,
      p_expected_in_cents, p_open_in_cents, p_unexplained_in_cents, p_line_count, p_matched_count, p_expected_count,
      p_open_count,
      audit_digest('sluice-reconciliation-seal-v1', encode(v_previous, 'hex'), (v_sequence + 1)::text,
        p_organization_id::text, p_day::text, audit_instant(p_reconciled_at), p_bank_in_cents::text,
        p_books_in_cents::text, p_expected_in_cents::text, p_open_in_cents::text, p_unexplained_in_cents::text,
        p_line_count::text, p_matched_count::text, p_expected_count::text, p_open_count::text))
    on conflict (organization_id, day) do nothing;
  return found;
end $$;

grant execute on function seal_proof_of_day to :"app_role";
