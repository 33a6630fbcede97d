-- Writes entries, and in the same statement moves both balances of each, releases holds, and adds to the daily sums.
-- The only way to write an entry: the application's role can insert neither entries nor balances, and the column
-- is_posted has no default.
-- Updates the ledgers and then the daily sums. The caller holds both ledgers of each entry (lock_ledgers), taken in order
-- before; two writers of one daily sum have therefore queued on the ledgers already, and cannot deadlock.
create or replace function post_entries(p_postings posting[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  with posted as (
    insert into entries (organization_id, id, transfer_id, card_transaction_id, kind, debit_ledger_id, credit_ledger_id,
        amount_in_cents, releases_hold_in_cents, booked_at, is_posted)
      select organization_id, id, transfer_id, card_transaction_id, kind, debit_ledger_id, credit_ledger_id,
          amount_in_cents, releases_hold_in_cents, booked_at, true
        from unnest(p_postings)
      returning *),
  -- Summed first, so that a run of fifty transfers updates its source once.
  moves as (
    select organization_id, ledger_id, sum(in_cents)::bigint as in_cents, sum(out_cents)::bigint as out_cents,
        sum(released_in_cents)::bigint as released_in_cents, bool_or(is_of_others) as is_of_others
      from (
        select organization_id, credit_ledger_id as ledger_id, amount_in_cents as in_cents, 0 as out_cents,
            0 as released_in_cents, false as is_of_others from posted
        union all
        select organization_id, debit_ledger_id, 0, amount_in_cents, releases_hold_in_cents, kind in ('RETURN', 'CARD')
          from posted) sides
     group by 1, 2),
  moved as (
    update ledgers l set
        credits_in_cents = l.credits_in_cents + m.in_cents,
        debits_in_cents = l.debits_in_cents + m.out_cents,
        held_in_cents = l.held_in_cents - m.released_in_cents,
        -- Credits come first: incoming money covers the shortfall that a return or a card left, and only then may
        -- another one leave a new shortfall.
        return_shortfall_in_cents = greatest(
          case when m.in_cents = 0 then l.return_shortfall_in_cents
            else least(l.return_shortfall_in_cents,
              -(l.credits_in_cents + m.in_cents - l.debits_in_cents - l.held_in_cents)) end,
          case when m.is_of_others and l.kind = 'MANAGED' then m.out_cents - m.released_in_cents
            - (l.credits_in_cents + m.in_cents - l.debits_in_cents - l.held_in_cents) end,
          0)
      from moves m where l.organization_id = m.organization_id and l.id = m.ledger_id)
  insert into daily_flows as f (organization_id, day, debit_ledger_id, credit_ledger_id, party, amount_in_cents)
    select e.organization_id, (e.booked_at at time zone o.time_zone)::date,
        case when back.is_undone then e.credit_ledger_id else e.debit_ledger_id end,
        case when back.is_undone then e.debit_ledger_id else e.credit_ledger_id end,
        -- Only entries that cross the organization's border need to look up their party.
        case when e.kind = 'CARD' then 'card'
          when o.clearing_ledger_id in (e.debit_ledger_id, e.credit_ledger_id)
            then coalesce(flow_party(e.organization_id, e.transfer_id), 'name:')
          else '' end,
        sum(case when back.is_undone then -e.amount_in_cents else e.amount_in_cents end)
      from posted e
      join organizations o on o.id = e.organization_id
      cross join lateral (
        select case when e.kind = 'TRANSFER' then false
          else undoes(e.kind, e.organization_id, e.card_transaction_id) end as is_undone) back
     group by 1, 2, 3, 4, 5
  on conflict (organization_id, day, debit_ledger_id, credit_ledger_id, party)
    do update set amount_in_cents = f.amount_in_cents + excluded.amount_in_cents;
end $$;

-- What did this before. Here and not in a migration, so that it happens in the transaction that replaces the functions: a
-- previous text of one that is still running then is refused, instead of writing an entry without its balances.
drop trigger if exists entries_lock_ledgers on entries;
drop trigger if exists entries_move_balances on entries;
drop trigger if exists entries_remember_flows on entries;
drop function if exists lock_entry_ledgers();
drop function if exists apply_entries();
drop function if exists remember_flows();
alter table entries alter column is_posted drop default;
