-- For the previous version, which may still be serving; removed a release later.
create or replace function apply_bank_notice(p_organization_id uuid, p_reference text, p_transfer_id uuid, p_kind text,
  p_code text, p_occurred_at timestamptz, p_entry_id uuid, p_now timestamptz,
  p_rail text default 'ACH', p_fee_in_cents bigint default 0, p_final_at timestamptz default null,
  p_available_at timestamptz default null)
returns text
language sql security definer set search_path = public, pg_temp as $$
  select record_bank_notice(jsonb_build_object(
    'organizationId', p_organization_id, 'reference', p_reference, 'transferId', p_transfer_id, 'kind', p_kind,
    'code', p_code, 'occurredAt', p_occurred_at, 'entryId', p_entry_id, 'now', p_now, 'rail', p_rail,
    'feeInCents', p_fee_in_cents, 'finalAt', p_final_at, 'availableAt', p_available_at))
$$;

grant execute on function apply_bank_notice to :"app_role";
