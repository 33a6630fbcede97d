-- Notes that a key was used and schedules a look at its use, at most once a minute: precise enough for people, and it
-- saves a write per request. p_now: business time.
-- Locks the key FOR NO KEY UPDATE SKIP LOCKED. A request must not wait for claim_key_watches, which holds several keys;
-- if this one is held, the next request notes the use, since nothing was noted.
create or replace function note_key_use(p_organization_id uuid, p_id uuid, p_now timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from api_keys k where k.organization_id = p_organization_id and k.id = p_id for no key update skip locked;
  if not found then return; end if;
  update api_keys k set last_used_at = greatest(k.last_used_at, p_now),
      watch_due_at = coalesce(k.watch_due_at, p_now + interval '10 seconds'),
      silent_since = case when k.last_used_at < p_now - interval '45 days' then k.last_used_at else k.silent_since end
    where k.organization_id = p_organization_id and k.id = p_id;
end $$;
