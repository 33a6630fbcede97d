-- Records the network that a key or an assistant is used from; returns whether this raised an alert. The first network
-- raises none, and from a hundred known networks on no further one is recorded. p_now: real time.
-- Locks the key's networks (advisory), so that two first requests from different networks do not alert about each
-- other.
create or replace function note_key_network(p_organization_id uuid, p_key_id uuid, p_network text, p_now timestamptz)
returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_now timestamptz;
  v_known integer;
begin
  select p_now + o.clock_offset_ms * interval '1 millisecond' into strict v_now
    from organizations o where o.id = p_organization_id;
  perform pg_advisory_xact_lock(hashtextextended(p_key_id || '|networks', 0));
  select count(*) into v_known from key_networks n
    where n.organization_id = p_organization_id and n.api_key_id = p_key_id;
  if v_known < 100 then
    insert into key_networks (organization_id, api_key_id, network, first_seen_at)
      values (p_organization_id, p_key_id, p_network, v_now) on conflict do nothing;
    if not found then return false; end if;
  elsif exists (select from key_networks n where n.organization_id = p_organization_id and n.api_key_id = p_key_id
      and n.network = p_network) then
    return false;
  end if;
  if v_known = 0 then return false; end if;
  perform note_key_alert(p_organization_id, p_key_id, 'NEW_NETWORK',
    jsonb_build_object('network', p_network, 'knownNetworks', v_known), v_now);
  return true;
end $$;
