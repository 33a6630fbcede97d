-- As create_transfers, and with each created transfer the id and data that its program gave it.
create or replace function create_labeled_transfers(p_items jsonb)
returns table (outcome text, replay_status integer, replay_body jsonb, replay_fingerprint text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_outcomes text[] := '{}';
begin
  for outcome, replay_status, replay_body, replay_fingerprint in select c.* from create_transfers(p_items) c loop
    v_outcomes := v_outcomes || outcome;
    return next;
  end loop;
  perform write_transfer_labels(coalesce(jsonb_agg(item), '[]'))
    from jsonb_array_elements(p_items) with ordinality as items (item, place)
   where v_outcomes[place] = 'CREATED';
end $$;

grant execute on function create_labeled_transfers to :"app_role";
