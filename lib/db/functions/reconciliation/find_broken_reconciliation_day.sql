-- The first proof of an organization whose seal does not fit, because it or one before it was changed or removed; null:
-- all fit. Recomputes what seal_proof_of_day hashed. Locks nothing.
create or replace function find_broken_reconciliation_day(p_organization_id uuid) returns date
language sql stable security definer set search_path = public, pg_temp as $$
  select d.day from (
    select r.*, lag(r.hash) over by_sequence as previous_hash, lag(r.sequence) over by_sequence as previous_sequence
      from reconciliation_days r where r.organization_id = p_organization_id
    window by_sequence as (order by r.sequence)) d
   where d.sequence <> coalesce(d.previous_sequence, 0) + 1
      or d.hash is distinct from audit_digest('sluice-reconciliation-seal-v1',
        encode(coalesce(d.previous_hash,
          audit_digest('sluice-reconciliation-genesis-v1', p_organization_id::text)), 'hex'),
        d.sequence::text, d.organization_id::text, d.day::text, audit_instant(d.reconciled_at),
        d.bank_in_cents::text, d.books_in_cents::text, d.expected_in_cents::text, d.open_in_cents::text,
        d.unexplained_in_cents::text, d.line_count::text, d.matched_count::text, d.expected_count::text,
        d.open_count::text)
   order by d.sequence limit 1
$$;

grant execute on function find_broken_reconciliation_day to :"app_role";
