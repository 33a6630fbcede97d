-- Pairs the legs of movement_legs, each at most once and with the nearest in time: first what our own transfers left
-- outside, then what the bank calls a movement on both sides, then any two of equal amount. Returns the ids of both
-- legs.
-- is_of_transfer: the other side is a transfer of ours, which savings counts on its own. Locks nothing.
create or replace function own_movements(p_organization_id uuid, p_from timestamptz, p_to timestamptz)
returns table (id uuid, is_of_transfer boolean)
language plpgsql stable as $$
declare
  -- More open legs of one amount within five days than real data has; keeps the work linear for any input.
  c_most_open constant integer := 64;
  v_legs movement_leg[] := array(
    select l from movement_legs(p_organization_id, p_from - interval '5 days', p_to + interval '5 days') l);
  v_is_met boolean[] := array_fill(false, array[cardinality(v_legs)]);
  v_open integer[];
  v_leg movement_leg;
  v_other movement_leg;
  v_met integer;
begin
  for v_round in 1 .. 3 loop
    v_open := '{}';
    for v_index in 1 .. cardinality(v_legs) loop
      continue when v_is_met[v_index];
      v_leg := v_legs[v_index];
      v_met := null;
      -- The nearest in time is the last element.
      for v_place in reverse cardinality(v_open) .. 1 loop
        v_other := v_legs[v_open[v_place]];
        exit when v_other.amount_in_cents <> v_leg.amount_in_cents or v_other.at < v_leg.at - interval '5 days';
        continue when v_other.direction = v_leg.direction or (v_other.is_expected and v_leg.is_expected)
          or (v_other.is_expected or v_leg.is_expected) <> (v_other.account_id = v_leg.account_id)
          or case v_round
               when 1 then not (v_other.is_expected or v_leg.is_expected)
               when 2 then not (v_other.is_called_movement and v_leg.is_called_movement)
               else false end;
        v_met := v_place;
        exit;
      end loop;
      if v_met is null then
        if cardinality(v_open) >= c_most_open then v_open := v_open[2:]; end if;
        v_open := v_open || v_index;
        continue;
      end if;
      v_other := v_legs[v_open[v_met]];
      v_is_met[v_index] := true;
      v_is_met[v_open[v_met]] := true;
      v_open := v_open[:v_met - 1] || v_open[v_met + 1:];
      is_of_transfer := v_other.is_expected or v_leg.is_expected;
      if not v_leg.is_expected then id := v_leg.id; return next; end if;
      if not v_other.is_expected then id := v_other.id; return next; end if;
    end loop;
  end loop;

  -- Pairs that are linked already: a deposit from an own account outside, and its other side there.
  return query
    select both_sides.id, false
      from external_transactions e
      join transfers t on t.organization_id = e.organization_id and t.id = e.transfer_id
      cross join lateral (values (e.id), (t.id)) as both_sides (id)
     where e.organization_id = p_organization_id and e.transfer_id is not null and e.vanished_at is null
       and t.source_account_id is null
       and e.transaction_date between p_from - interval '10 days' and p_to + interval '10 days';
end $$;

grant execute on function own_movements to :"app_role";
