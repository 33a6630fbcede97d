-- For the previous version, which may still be serving; removed a release later.
create or replace function claim_deliveries(
  p_real_now timestamptz, p_busy uuid[], p_sending integer[], p_unrecorded integer[], p_per_endpoint integer,
  p_per_failing_endpoint integer, p_unrecorded_per_endpoint integer, p_failures_of_a_dead_endpoint integer,
  p_total integer, p_lease_ms integer, p_after_due timestamptz[], p_after_event uuid[],
  p_looked_through timestamptz)
returns table (
  organization_id uuid, endpoint_id uuid, event_id uuid, round_attempts integer, url text, sealed_secret bytea,
  type text, resource_type text, resource_id uuid, created_at timestamptz, due_at text
)
language sql set search_path = public, pg_temp as $$
  select * from lease_deliveries(jsonb_build_object(
    'realNow', p_real_now, 'lookedThrough', p_looked_through, 'perEndpoint', p_per_endpoint,
    'perFailingEndpoint', p_per_failing_endpoint, 'unrecordedPerEndpoint', p_unrecorded_per_endpoint,
    'failuresOfADeadEndpoint', p_failures_of_a_dead_endpoint, 'total', p_total, 'leaseMs', p_lease_ms,
    'busy', (
      select coalesce(jsonb_agg(jsonb_build_object('endpointId', b.endpoint_id, 'sending', b.sending,
          'unrecorded', b.unrecorded, 'afterDue', b.after_due, 'afterEvent', b.after_event)), '[]')
        from unnest(p_busy, p_sending, p_unrecorded, p_after_due, p_after_event)
          as b (endpoint_id, sending, unrecorded, after_due, after_event))))
$$;

grant execute on function claim_deliveries to :"app_role";
