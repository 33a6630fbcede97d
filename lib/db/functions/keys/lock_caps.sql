-- What the keys that claimed runs are charged to have left of the last 24 hours. key_state: ACTIVE | OVER (revoked or
-- ended) | BUSY (being revoked right now; its use is unknown). room: how many more of its proposals may wait. No row: the cap has since
-- been removed.
-- Locks the keys FOR KEY SHARE SKIP LOCKED, then their waiting proposals (lock_waiting_proposals), then what they
-- use (lock_key_uses), each in order. The caller holds the runs.
-- Skipping prevents a deadlock: a revocation holds the key and waits for these runs.
create or replace function lock_caps(p_organization_ids uuid[], p_key_ids uuid[], p_nows timestamptz[])
returns table (organization_id uuid, key_id uuid, key_state text, cap_in_cents bigint, used_in_cents bigint,
  room integer)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  v_held uuid[];
begin
  -- KEY SHARE, because a proposal's foreign key may reference the key.
  select coalesce(array_agg(k.id), '{}') into v_held from (
    select k.id from api_keys k
      where (k.organization_id, k.id) in (select * from unnest(p_organization_ids, p_key_ids))
      order by k.organization_id, k.id for key share skip locked) k;
  perform lock_waiting_proposals(v_held);
  perform lock_key_uses(array_agg(a.o), array_agg(a.i), array_agg(a.t))
    from unnest(p_organization_ids, p_key_ids, p_nows) as a (o, i, t) where a.i = any (v_held) having count(*) > 0;
  return query
    select k.organization_id, k.id,
        case when k.id <> all (v_held) then 'BUSY'
          when k.revoked_at is not null or k.ends_at <= a.t then 'OVER'
          else 'ACTIVE' end,
        k.daily_cap_in_cents, key_used(k.organization_id, k.id, a.t),
        -- lock_waiting_proposals has locked them: nobody adds another.
        maximum_waiting() - (select count(*)::integer from (select from proposals p
          where p.organization_id = k.organization_id and p.api_key_id = k.id and p.state = 'WAITING'
            and (p.batch_line is null or p.batch_line = 1) limit maximum_waiting()) waiting)
      from (select o, i, min(t) as t from unnest(p_organization_ids, p_key_ids, p_nows) as asked (o, i, t)
        group by 1, 2) a
      join api_keys k on k.organization_id = a.o and k.id = a.i and k.daily_cap_in_cents is not null;
end $$;

grant execute on function lock_caps to :"app_role";
