-- create_transfers for a group of requests, with the same answers. Two groups cannot deadlock: before create_transfers
-- locks ledgers, this locks the keys FOR KEY SHARE in order, then the waiting proposals of those that propose
-- (lock_waiting_proposals), then the days of capped keys (lock_key_days).
-- A single request needs no such step; create_transfers takes its locks in the same order.
create or replace function write_transfers(p_items jsonb)
returns table (outcome text, replay_status integer, replay_body jsonb, replay_fingerprint text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_has_cap boolean;
begin
  if jsonb_array_length(p_items) > 1 then
    select bool_or(k.daily_cap_in_cents is not null) into v_has_cap from (
      select k.daily_cap_in_cents from api_keys k
        where (k.organization_id, k.id) in (
          select (i ->> 'organizationId')::uuid, (i ->> 'apiKeyId')::uuid from jsonb_array_elements(p_items) i)
        order by k.organization_id, k.id for key share) k;
    perform lock_waiting_proposals(array_agg((i ->> 'apiKeyId')::uuid)) from jsonb_array_elements(p_items) i
      where i -> 'transfer' ->> 'status' = 'APPROVAL_PENDING';
    if v_has_cap then
      perform lock_key_days(array_agg((i ->> 'organizationId')::uuid), array_agg((i ->> 'apiKeyId')::uuid),
          array_agg((i ->> 'now')::timestamptz))
        from jsonb_array_elements(p_items) i where i -> 'transfer' ->> 'status' = 'PROCESSING' having count(*) > 0;
    end if;
  end if;
  return query select * from create_transfers(p_items);
end $$;

grant execute on function write_transfers to :"app_role";
