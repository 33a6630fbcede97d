-- Updates balances from all entries of a statement at once, so that a run of fifty transfers updates its source ledger
-- twice, not fifty times. Credits come before debits: within a statement only the final balance must hold.
-- Updates both ledgers of each entry, which lock_entry_ledgers has locked.
create or replace function apply_entries() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update ledgers l set
      credits_in_cents = l.credits_in_cents + c.in_cents,
      -- Incoming money first covers the shortfall that a return or a card left.
      return_shortfall_in_cents = greatest(0, least(
        l.return_shortfall_in_cents, -(l.credits_in_cents + c.in_cents - l.debits_in_cents - l.held_in_cents)))
    from (select organization_id, credit_ledger_id as id, sum(amount_in_cents)::bigint as in_cents
            from new_entries group by 1, 2) c
    where l.organization_id = c.organization_id and l.id = c.id;

  update ledgers l set
      debits_in_cents = l.debits_in_cents + d.in_cents,
      held_in_cents = l.held_in_cents - d.released_in_cents,
      return_shortfall_in_cents = case
        when d.is_of_others and l.kind = 'MANAGED' then greatest(
          l.return_shortfall_in_cents,
          d.in_cents - d.released_in_cents - (l.credits_in_cents - l.debits_in_cents - l.held_in_cents))
        else l.return_shortfall_in_cents end
    from (select organization_id, debit_ledger_id as id, sum(amount_in_cents)::bigint as in_cents,
              sum(releases_hold_in_cents)::bigint as released_in_cents, bool_or(kind in ('RETURN', 'CARD')) as is_of_others
            from new_entries group by 1, 2) d
    where l.organization_id = d.organization_id and l.id = d.id;
  return null;
end $$;

create or replace trigger entries_move_balances after insert on entries referencing new table as new_entries
  for each statement execute function apply_entries();
