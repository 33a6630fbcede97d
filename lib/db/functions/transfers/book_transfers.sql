-- Books these transfers, or fails those that are to fail or whose destination was closed, with one statement per table.
-- Starts the rules that wait for their money. p_entry_ids: one per transfer. p_now: real time.
-- The caller holds the transfers and their ledgers. Locks their daily sums, then their runs (settle_execution) and the
-- first runs of their chains (fire_rules).
-- Settings: as in create_transfers.
create or replace function book_transfers(p_transfers transfers[], p_entry_ids uuid[], p_now timestamptz)
returns table (organization_id uuid, id uuid, status text)
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  -- By the place of the transfer.
  v_nows timestamptz[];
  v_clearing uuid[];
  -- Null: it is booked.
  v_failures text[];
  v_ctids tid[];
begin
  select array_agg(p_now + o.clock_offset_ms * interval '1 millisecond' order by t.ordinality),
      array_agg(o.clearing_ledger_id order by t.ordinality),
      array_agg(case when t.next_step = 'FAIL' then t.fails_with
        when a.deleted_at is not null then 'ACCOUNT_CLOSED' end order by t.ordinality)
    into v_nows, v_clearing, v_failures
    from unnest(p_transfers) with ordinality as t
    join organizations o on o.id = t.organization_id
    left join accounts a on a.organization_id = t.organization_id and a.id = t.destination_account_id;

  perform post_entries(array_agg(row(t.organization_id, id_at(p_entry_ids[t.ordinality], v_nows[t.ordinality]), t.id, null,
      'TRANSFER', case when t.direction = 'MONEY_IN' then v_clearing[t.ordinality] else t.source_account_id end,
      case when t.direction = 'MONEY_OUT' then v_clearing[t.ordinality] else t.destination_account_id end,
      t.amount_in_cents, t.hold_in_cents, v_nows[t.ordinality])::posting order by t.ordinality))
    from unnest(p_transfers) with ordinality as t where v_failures[t.ordinality] is null having count(*) > 0;
  update ledgers l set held_in_cents = l.held_in_cents - s.in_cents
    from (select t.organization_id, t.source_account_id as id, sum(t.hold_in_cents)::bigint as in_cents
      from unnest(p_transfers) with ordinality as t
      where v_failures[t.ordinality] is not null and t.hold_in_cents > 0 group by 1, 2) s
    where l.organization_id = s.organization_id and l.id = s.id;
  -- Row by row through its key, and updated where it is: a join might read the whole table.
  v_ctids := array(
    select (select t.ctid from transfers t where t.organization_id = d.organization_id and t.id = d.id)
      from unnest(p_transfers) d);
  update transfers t set hold_in_cents = 0, next_step = null, due_at = null, leased_until = null,
      (status, error_code, error_message, completed_at, updated_at) = (
        select case when v_failures[p.place] is null then 'COMPLETE' else 'FAILED' end, v_failures[p.place],
            case when v_failures[p.place] is not null then failure_message(v_failures[p.place]) end, v_nows[p.place],
            v_nows[p.place]
          from (select array_position(v_ctids, t.ctid) as place) p)
    where t.ctid = any (v_ctids);
  -- Money out is not an arrival: the connected account shows only the other side of our own transfer.
  perform fire_rules(array_agg(row(t.organization_id, t.destination_account_id, 'TRANSFER', t.id, t.amount_in_cents,
      t.chain_depth, v_nows[t.ordinality])::arrival order by t.ordinality))
    from unnest(p_transfers) with ordinality as t
    where v_failures[t.ordinality] is null and t.direction <> 'MONEY_OUT' having count(*) > 0;
  return query
    select t.organization_id, t.id, case when v_failures[t.ordinality] is null then 'COMPLETE' else 'FAILED' end
      from unnest(p_transfers) with ordinality as t order by t.ordinality;
end $$;
