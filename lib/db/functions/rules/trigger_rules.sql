-- Starts the runs that keys ask for, or records their dry runs, each with its idempotent result and audit entry.
-- p_items: see trigger-rule.ts. One row per item, in order: CREATED | REPLAY (with the stored response) | IN_PROGRESS
-- (idempotency key in use) | what start_rule_run returns. An item that is not CREATED wrote nothing.
-- Locks all keys of the group FOR KEY SHARE, the waiting proposals of those that propose (lock_waiting_proposals), then
-- all rules FOR KEY SHARE, each in order, so that two groups cannot deadlock; then tries the idempotency keys' locks.
-- Live runs without approval whose rule and key allow them, each with an idempotency key that is new, are written with one
-- statement per table; the other items one by one.
-- Settings: as in create_transfers.
create or replace function trigger_rules(p_items jsonb)
returns table (outcome text, replay_status integer, replay_body jsonb, replay_fingerprint text)
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  -- The places of the items that are written together.
  v_plain bigint[];
  v_together jsonb;
  v_place bigint;
  v_item jsonb;
  v_call jsonb;
  v_taken record;
  v_organization_id uuid;
  v_key_id uuid;
begin
  perform 1 from api_keys k
    where (k.organization_id, k.id) in (
      select (i ->> 'organizationId')::uuid, (i ->> 'apiKeyId')::uuid from jsonb_array_elements(p_items) i)
    order by k.organization_id, k.id for key share;
  perform lock_waiting_proposals(array_agg((i ->> 'apiKeyId')::uuid)) from jsonb_array_elements(p_items) i
    where i -> 'run' ->> 'approvalRequired' = 'true';
  perform 1 from rules r
    where (r.organization_id, r.id) in (
      select (i ->> 'organizationId')::uuid, (i ->> 'ruleId')::uuid from jsonb_array_elements(p_items) i)
    order by r.organization_id, r.id for key share;

  -- The second of two equal keys is a repetition of the first.
  v_plain := array(
    select max(place) from jsonb_array_elements(p_items) with ordinality as items (i, place)
      group by i ->> 'apiKeyId', i -> 'idempotency' ->> 'operation', i -> 'idempotency' ->> 'path', i -> 'idempotency' ->> 'key',
        case when jsonb_typeof(i -> 'idempotency') <> 'object' then place end
      having count(*) = 1);
  v_plain := array(
    select place from jsonb_array_elements(p_items) with ordinality as items (i, place)
      where place = any (v_plain) and jsonb_typeof(i -> 'run') = 'object' and not (i -> 'run' ->> 'approvalRequired')::boolean
        and (jsonb_typeof(i -> 'idempotency') <> 'object' or pg_try_advisory_xact_lock(hashtextextended(concat_ws('|',
          (i ->> 'apiKeyId')::uuid, i -> 'idempotency' ->> 'operation', i -> 'idempotency' ->> 'path', i -> 'idempotency' ->> 'key'), 0))));
  -- A statement of its own after these locks: it sees what their previous holders committed.
  select jsonb_agg(i order by place), coalesce(array_agg(place), '{}') into v_together, v_plain
    from jsonb_array_elements(p_items) with ordinality as items (i, place)
    where place = any (v_plain)
      and ((i ->> 'now')::timestamptz < (select r.expires_at from idempotency_results r
        where r.organization_id = (i ->> 'organizationId')::uuid and r.caller_id = (i ->> 'apiKeyId')::uuid
          and r.operation = i -> 'idempotency' ->> 'operation' and r.path = i -> 'idempotency' ->> 'path'
          and r.idempotency_key = i -> 'idempotency' ->> 'key')) is not true
      and (select k.revoked_at is null from api_keys k
        where k.organization_id = (i ->> 'organizationId')::uuid and k.id = (i ->> 'apiKeyId')::uuid)
      and (select r.active_version is not null and r.paused_at is null from rules r
        where r.organization_id = (i ->> 'organizationId')::uuid and r.id = (i ->> 'ruleId')::uuid)
      and gates_are_open((i ->> 'organizationId')::uuid);
  if v_together is not null then
    perform write_rule_runs(jsonb_agg(i -> 'run')) from jsonb_array_elements(v_together) i;
    insert into idempotency_results as r
      select (i ->> 'organizationId')::uuid, (i ->> 'apiKeyId')::uuid, call ->> 'operation', call ->> 'path', call ->> 'key',
          decode(call ->> 'fingerprint', 'hex'), (call ->> 'status')::integer, call -> 'body', (call ->> 'expiresAt')::timestamptz
        from jsonb_array_elements(v_together) i cross join lateral (select i -> 'idempotency' as call) c
        where jsonb_typeof(call) = 'object'
      on conflict (organization_id, caller_id, operation, path, idempotency_key) do update set
        fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
        expires_at = excluded.expires_at; -- replaces a result that has expired
    perform write_audit_entries(jsonb_agg(i -> 'audit')) from jsonb_array_elements(v_together) i;
  end if;

  for v_item, v_place in select i, place from jsonb_array_elements(p_items) with ordinality as items (i, place) loop
    if v_place = any (v_plain) then
      outcome := 'CREATED'; replay_status := null; replay_body := null; replay_fingerprint := null;
      return next;
      continue;
    end if;
    v_call := v_item -> 'idempotency';
    v_organization_id := (v_item ->> 'organizationId')::uuid;
    v_key_id := (v_item ->> 'apiKeyId')::uuid;
    outcome := null; replay_status := null; replay_body := null; replay_fingerprint := null;
    if jsonb_typeof(v_call) = 'object' then
      select * into v_taken from take_idempotency_key(v_organization_id, v_key_id, v_call,
        (v_item ->> 'now')::timestamptz);
      if v_taken.outcome is not null then
        outcome := v_taken.outcome; replay_status := v_taken.replay_status; replay_body := v_taken.replay_body;
        replay_fingerprint := v_taken.replay_fingerprint;
        return next;
        continue;
      end if;
    end if;

    if jsonb_typeof(v_item -> 'dryRun') = 'object' then
      perform 1 from api_keys k where k.organization_id = v_organization_id and k.id = v_key_id
        and k.revoked_at is null;
      outcome := case when found then 'STARTED' else 'KEY_REVOKED' end;
      if found then perform record_dry_run(v_item -> 'dryRun'); end if;
    else
      outcome := start_rule_run(v_item -> 'run');
    end if;
    if outcome <> 'STARTED' then
      return next;
      continue;
    end if;
    outcome := 'CREATED';

    if jsonb_typeof(v_call) = 'object' then
      insert into idempotency_results values (v_organization_id, v_key_id, v_call ->> 'operation', v_call ->> 'path',
          v_call ->> 'key', decode(v_call ->> 'fingerprint', 'hex'), (v_call ->> 'status')::integer, v_call -> 'body',
          (v_call ->> 'expiresAt')::timestamptz)
        on conflict (organization_id, caller_id, operation, path, idempotency_key) do update set
          fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
          expires_at = excluded.expires_at; -- replaces a result that has expired
    end if;
    perform write_audit_entries(jsonb_build_array(v_item -> 'audit'));
    return next;
  end loop;
end $$;

grant execute on function trigger_rules to :"app_role";
