-- Ends the holds of pulls that are available by now, at most p_limit, and starts the rules that wait for their money.
-- Returns how many. p_now: real time.
-- Locks the transfers FOR UPDATE SKIP LOCKED, then their destinations' ledgers in id order; fire_rules as it says.
create or replace function release_available_funds(p_now timestamptz, p_limit integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_released transfers[];
begin
  select array_agg(d.released order by d.available_at) into v_released from (
    select t as released, s.available_at
      from bank_settlements s
      join organizations o on o.id = s.organization_id
      join transfers t on t.organization_id = s.organization_id and t.id = s.transfer_id
      where s.hold_in_cents > 0 and s.available_at <= p_now + o.clock_offset_ms * interval '1 millisecond'
        and s.available_at <= (select latest_business_time(p_now))
      order by s.available_at limit p_limit
      for update of t skip locked) d;
  if v_released is null then return 0; end if;
  -- A return that was applied between the choice and the lock has ended its hold already.
  select array_agg(t order by t.organization_id, t.id) into v_released
    from unnest(v_released) t
    join bank_settlements s on s.organization_id = t.organization_id and s.transfer_id = t.id and s.hold_in_cents > 0;
  if v_released is null then return 0; end if;

  perform 1 from ledgers l
    where (l.organization_id, l.id) in (select t.organization_id, t.destination_account_id from unnest(v_released) t)
    order by l.organization_id, l.id for update;
  update ledgers l set held_in_cents = l.held_in_cents - r.in_cents,
      -- Released money first covers a shortfall, as incoming money does (apply_entries).
      return_shortfall_in_cents = greatest(0, least(l.return_shortfall_in_cents,
        -(l.credits_in_cents - l.debits_in_cents - l.held_in_cents + r.in_cents)))
    from (select t.organization_id, t.destination_account_id as id, sum(t.amount_in_cents)::bigint as in_cents
            from unnest(v_released) t group by 1, 2) r
    where l.organization_id = r.organization_id and l.id = r.id;
  update bank_settlements s set hold_in_cents = 0
    from unnest(v_released) t where s.organization_id = t.organization_id and s.transfer_id = t.id;
  perform fire_rules(array_agg(row(t.organization_id, t.destination_account_id, 'TRANSFER', t.id, t.amount_in_cents,
      t.chain_depth, p_now + o.clock_offset_ms * interval '1 millisecond')::arrival order by t.organization_id, t.id))
    from unnest(v_released) t join organizations o on o.id = t.organization_id;
  return cardinality(v_released);
end $$;

grant execute on function release_available_funds to :"app_role";
