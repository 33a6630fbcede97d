-- Leases due deliveries, at most `total` of p_claim, within what each endpoint may have in progress; endpoints with the
-- most room come first. `realNow`: real time. Locks the deliveries FOR UPDATE SKIP LOCKED, no endpoint.
-- Where the look through each queue begins, so that a claim does not walk over all that was delivered while a backup
-- keeps its snapshot open and with it those index entries: after (`afterDue`, `afterEvent`) for the endpoints in
-- `busy`, at the queue's beginning where these are null, and at `lookedThrough` (real time) for all others. Deliveries
-- of the last half second before are looked for again: transactions commit in another order than they read the time.
-- The plan may be cached while the tables are empty, as after a restore, when a scan of a table or of a whole index
-- looks free: the first thousands of events then took 160 ms a claim instead of 3, until the next analyze. Therefore
-- enable_seqscan is off, deliveries are updated by ctid, and events are looked up one by one. A function keeps its
-- settings with its cached plans.
create or replace function lease_deliveries(p_claim jsonb)
returns table (
  organization_id uuid, endpoint_id uuid, event_id uuid, round_attempts integer, url text, sealed_secret bytea,
  type text, resource_type text, resource_id uuid, created_at timestamptz, due_at text
)
language plpgsql set search_path = public, pg_temp set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_real_now timestamptz := (p_claim ->> 'realNow')::timestamptz;
  v_looked_through timestamptz := (p_claim ->> 'lookedThrough')::timestamptz;
  v_per_endpoint integer := (p_claim ->> 'perEndpoint')::integer;
  v_per_failing_endpoint integer := (p_claim ->> 'perFailingEndpoint')::integer;
  v_unrecorded_per_endpoint integer := (p_claim ->> 'unrecordedPerEndpoint')::integer;
  v_failures_of_a_dead_endpoint integer := (p_claim ->> 'failuresOfADeadEndpoint')::integer;
  v_total integer := (p_claim ->> 'total')::integer;
  v_leased_until timestamptz := v_real_now + (p_claim ->> 'leaseMs')::integer * interval '1 millisecond';
begin
  return query
  with turns as materialized (
    select e.organization_id, e.id, e.url, e.sealed_secret, v_real_now + o.clock_offset as business_now,
        case when b."endpointId" is null then coalesce(v_looked_through + o.clock_offset - interval '500 milliseconds',
               '-infinity')
             when b."afterDue" is null then '-infinity'
             else least(b."afterDue", v_real_now + o.clock_offset - interval '500 milliseconds') end as after_due,
        -- Compared with null, an event due exactly at after_due would be hidden.
        coalesce(b."afterEvent", '00000000-0000-0000-0000-000000000000') as after_event,
        case when e.consecutive_failures >= v_failures_of_a_dead_endpoint
             then v_per_failing_endpoint - coalesce(b.unrecorded, 0)
             else least(v_per_endpoint - coalesce(b.sending, 0),
                        v_unrecorded_per_endpoint - coalesce(b.unrecorded, 0)) end as room
      from webhook_endpoints e
      join (select id, clock_offset_ms * interval '1 millisecond' as clock_offset from organizations) o
        on o.id = e.organization_id
      left join jsonb_to_recordset(p_claim -> 'busy') as b ("endpointId" uuid, sending integer, unrecorded integer,
          "afterDue" timestamptz, "afterEvent" uuid) on b."endpointId" = e.id
     where e.status = 'ENABLED'),
  due as materialized (
    select d.place, t.url, t.sealed_secret
      from (select * from turns where room > 0 order by room desc) t
      cross join lateral (
        select w.ctid as place from webhook_deliveries w
         where w.organization_id = t.organization_id and w.endpoint_id = t.id and w.status = 'PENDING'
           and w.due_at <= t.business_now and (w.due_at, w.event_id) > (t.after_due, t.after_event)
           and (w.leased_until is null or w.leased_until <= v_real_now)
         order by w.due_at, w.event_id limit t.room
         for update skip locked) d
     limit v_total),
  leased as (
    update webhook_deliveries w set leased_until = v_leased_until
      from due where w.ctid = due.place
    returning w.organization_id, w.endpoint_id, w.event_id, w.round_attempts, w.due_at, due.url, due.sealed_secret)
  select l.organization_id, l.endpoint_id, l.event_id, l.round_attempts, l.url, l.sealed_secret,
      e.type, e.resource_type, e.resource_id, e.created_at, l.due_at::text
    from leased l
    cross join lateral (
      select * from webhook_events e where e.organization_id = l.organization_id and e.id = l.event_id limit 1) e
   order by l.due_at, l.event_id;
end $$;

grant execute on function lease_deliveries to :"app_role";
