-- Keys and assistants whose recent use is due to be judged (judge-key-use.ts), with what it is judged by. Adds what
-- each has moved since the last look to its habits, and looks again within ten seconds while it is used: all keys of an
-- organization at one moment, so that its transfers are read once for all of them. Bounded: per organization the latest
-- 20,000 transfers of two minutes, per key 200 refusals. p_now: real time. p_refusals: error codes that suggest probing.
-- Locks the keys FOR NO KEY UPDATE SKIP LOCKED, then their rows in key_habits.
-- Settings: planning the statement of an organization takes longer than carrying it out, and its plan is kept while tables
-- grow from empty; only index look-ups stay right.
create or replace function claim_key_watches(p_now timestamptz, p_refusals text[], p_limit integer)
returns table (
  organization_id uuid, id uuid, business_now timestamptz, silent_since timestamptz, refusals integer, commonest_refusal text,
  waiting integer, largest_in_cents bigint, day_in_cents bigint, usual_largest_in_cents bigint, usual_day_in_cents bigint,
  usual_transfers bigint, usual_days bigint
)
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_organization_ids uuid[];
  v_ids uuid[];
  v_organization record;
  v_now timestamptz;
  v_to timestamptz;
  v_day date;
  v_next timestamptz;
begin
  select array_agg(c.organization_id), array_agg(c.id) into v_organization_ids, v_ids from (
    select k.organization_id, k.id from api_keys k
      where k.watch_due_at is not null and k.watch_due_at <= p_now + (
        select o.clock_offset_ms * interval '1 millisecond' from organizations o where o.id = k.organization_id)
        and k.watch_due_at <= (select latest_business_time(p_now))
      order by k.watch_due_at limit p_limit
      -- Does not conflict with requests that use the key: they hold it FOR KEY SHARE.
      for no key update skip locked) c;
  if v_ids is null then return; end if;

  for v_organization in select o.* from organizations o where o.id = any (v_organization_ids) order by o.id loop
    v_now := p_now + v_organization.clock_offset_ms * interval '1 millisecond';
    v_day := day_of(v_organization.id, v_now);
    -- Transfers of the last seconds may not be committed yet.
    v_to := v_now - interval '5 seconds';
    -- Organizations in turn within the ten seconds.
    v_next := date_bin('10 seconds', v_now, timestamptz '2000-01-01 00:00Z'
      + (hashtext(v_organization.id::text) & 8191) * interval '1 millisecond') + interval '10 seconds';
    return query
      with claimed as materialized (
        select k.id, k.client_id, k.silent_since, greatest(k.watched_until, v_to - interval '2 minutes') as since
          from api_keys k where k.organization_id = v_organization.id and k.id = any (v_ids)),
      looked_at as (
        update api_keys k set silent_since = null, watched_until = v_to, watch_due_at = case
            when k.last_used_at > v_now - interval '75 seconds' then v_next end
          from claimed c where k.organization_id = v_organization.id and k.id = c.id),
      usual as materialized (
        select h.api_key_id, max(h.largest_in_cents) as largest, max(h.sum_in_cents) filter (where h.day < v_day) as day,
            sum(h.transfers) as transfers, count(*) filter (where h.day < v_day) as days,
            max(h.largest_in_cents) filter (where h.day = v_day) as largest_today,
            max(h.sum_in_cents) filter (where h.day = v_day) as today
          from key_habits h
          where h.organization_id = v_organization.id and h.api_key_id in (select c.id from claimed c)
            and h.day >= v_day - 90
          group by h.api_key_id),
      moved as materialized (
        select t.proposed_by_id as id, count(*)::integer as transfers, sum(t.amount_in_cents)::bigint as cents,
            max(t.amount_in_cents) as largest
          from (
            select every.id, every.proposed_by_kind, every.proposed_by_id, every.accepted_at, every.amount_in_cents
              from transfers every
              where every.organization_id = v_organization.id and every.execution_mode = 'LIVE'
                and every.id >= first_id_at((select min(c.since) from claimed c)) and every.id < first_id_at(v_to)
              order by every.id desc limit 20000) t
          join claimed c on c.id = t.proposed_by_id and c.client_id is null and t.id >= first_id_at(c.since)
          where t.proposed_by_kind = 'API_KEY' and t.accepted_at is not null
            -- A subquery, not a join: that might read all proposals.
            and (select p.id from proposals p where p.organization_id = v_organization.id and p.id = t.id) is null
          group by t.proposed_by_id),
      counted as (
        insert into key_habits as h (organization_id, api_key_id, day, transfers, sum_in_cents, largest_in_cents)
          select v_organization.id, m.id, v_day, m.transfers, m.cents, m.largest from moved m
          on conflict (organization_id, api_key_id, day) do update set transfers = h.transfers + excluded.transfers,
            sum_in_cents = h.sum_in_cents + excluded.sum_in_cents,
            largest_in_cents = greatest(h.largest_in_cents, excluded.largest_in_cents))
      select v_organization.id, c.id, v_now, c.silent_since, refused.times, refused.commonest, asked.waiting,
          greatest(u.largest_today, m.largest, 0), coalesce(u.today, 0) + coalesce(m.cents, 0), coalesce(u.largest, 0),
          coalesce(u.day, 0), coalesce(u.transfers, 0)::bigint, coalesce(u.days, 0)
        from claimed c
        left join usual u on u.api_key_id = c.id
        left join moved m on m.id = c.id
        cross join lateral (
          select count(*)::integer as times, mode() within group (order by lately.error_code) as commonest from (
            select e.error_code from audit_entries e
              where e.organization_id = v_organization.id and e.api_key_id = c.id and e.outcome = 'FAILURE'
                and e.id >= first_id_at(v_now - interval '15 minutes') and e.error_code = any (p_refusals)
                -- Refusals while all gates are closed say nothing about the key.
                and not exists (select from gate_closings g where g.organization_id = v_organization.id
                  and (g.opened_at is null or g.opened_at > v_now - interval '15 minutes'))
              order by e.id desc limit 200) lately) refused
        cross join lateral (
          select count(*)::integer as waiting from (
            select from proposals p where p.organization_id = v_organization.id and p.api_key_id = c.id
              and p.state = 'WAITING' and (p.batch_line is null or p.batch_line = 1) limit maximum_waiting()) w) asked;
  end loop;
end $$;

grant execute on function claim_key_watches to :"app_role";
