-- note_key_network for a group of { organizationId, apiKeyId, network, now }; one row per item, in order.
-- Locks the networks of each key in the caller's order, which is that of the keys, so that two groups cannot deadlock.
create or replace function note_key_networks(p_items jsonb) returns table (is_told boolean)
language sql security definer set search_path = public, pg_temp as $$
  select note_key_network((i ->> 'organizationId')::uuid, (i ->> 'apiKeyId')::uuid, i ->> 'network',
      (i ->> 'now')::timestamptz)
    from jsonb_array_elements(p_items) with ordinality as items (i, place) order by place
$$;

grant execute on function note_key_networks to :"app_role";
