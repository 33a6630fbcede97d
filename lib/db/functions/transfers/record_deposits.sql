-- Books money that the bank reports as arrived on managed accounts of one organization from outside, with one statement
-- per table, and starts the rules that wait for it. Returns the transfers of those whose reference is new.
-- p_deposits: see collect-bank-notices.ts. Its origin: DIRECT_DEPOSIT | CHECK_DEPOSIT. Each has its business time, arrivedAt.
-- Locks the bank's references in order (advisory), since a notice's row cannot exist before its transfer does; then the
-- ledgers in id order, then what fire_rules locks.
create or replace function record_deposits(p_organization_id uuid, p_deposits jsonb) returns table (transfer_id uuid)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  v_new jsonb;
  v_ids uuid[];
  v_clearing uuid;
begin
  if exists (select from jsonb_array_elements(p_deposits) d
      where (d ->> 'origin' in ('DIRECT_DEPOSIT', 'CHECK_DEPOSIT')) is not true) then
    raise exception 'no deposit: %', p_deposits;
  end if;
  perform pg_advisory_xact_lock(asked.lock) from (
    select distinct hashtextextended(p_organization_id || '|deposit|' || (d ->> 'reference'), 0) as lock
      from jsonb_array_elements(p_deposits) d order by 1) asked;
  -- A statement of its own: it sees what the previous holders of the locks committed.
  select jsonb_agg(once.deposit order by once.place), array_agg((once.deposit ->> 'transferId')::uuid) into v_new, v_ids from (
    select distinct on (d ->> 'reference') d as deposit, place
      from jsonb_array_elements(p_deposits) with ordinality as given (d, place)
      -- A subquery with a value, not "not exists": joined, it would read all notices of the organization.
      where (select n.reference from bank_notices n
        where n.organization_id = p_organization_id and n.reference = d ->> 'reference') is null
      order by d ->> 'reference', place) once;
  if v_new is null then return; end if;

  select clearing_ledger_id into strict v_clearing from organizations where id = p_organization_id;
  perform lock_ledgers(p_organization_id, array_agg((d ->> 'accountId')::uuid) || v_clearing)
    from jsonb_array_elements(v_new) d;
  insert into transfers (organization_id, id, status, execution_mode, direction, origin, amount_in_cents,
      destination_account_id, counterparty_name, proposed_by_kind, proposed_by_name, created_at, updated_at,
      accepted_at)
    select p_organization_id, "transferId", 'PROCESSING', 'LIVE', 'MONEY_IN', origin, "amountInCents", "accountId",
        "payerName", 'BANK', 'Bank', "arrivedAt", "arrivedAt", "arrivedAt"
      from jsonb_to_recordset(v_new) as ("transferId" uuid, origin text, "amountInCents" bigint, "accountId" uuid,
        "payerName" text, "arrivedAt" timestamptz);
  insert into bank_notices
    select p_organization_id, reference, "transferId", 'SETTLED', null, "arrivedAt", "arrivedAt"
      from jsonb_to_recordset(v_new) as (reference text, "transferId" uuid, "arrivedAt" timestamptz);
  perform post_entries(array_agg(row(p_organization_id, "entryId", "transferId", null, 'TRANSFER', v_clearing,
      "accountId", "amountInCents", 0, "arrivedAt")::posting))
    from jsonb_to_recordset(v_new) as ("entryId" uuid, "transferId" uuid, "accountId" uuid, "amountInCents" bigint,
      "arrivedAt" timestamptz);
  update transfers t set status = 'COMPLETE', completed_at = t.accepted_at
    where t.organization_id = p_organization_id and t.id = any (v_ids);
  perform fire_rules(array_agg(row(p_organization_id, "accountId", 'TRANSFER', "transferId", "amountInCents", 0,
      "arrivedAt")::arrival order by place))
    from rows from (jsonb_to_recordset(v_new) as ("accountId" uuid, "transferId" uuid, "amountInCents" bigint,
      "arrivedAt" timestamptz)) with ordinality as given ("accountId", "transferId", "amountInCents", "arrivedAt", place);
  insert into bank_settlements (organization_id, transfer_id, rail, fee_in_cents)
    select p_organization_id, "transferId", rail, 0
      from jsonb_to_recordset(v_new) as ("transferId" uuid, rail text);
  return query select unnest(v_ids);
end $$;

grant execute on function record_deposits to :"app_role";
