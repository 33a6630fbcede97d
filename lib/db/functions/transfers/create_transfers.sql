-- Writes transfers, each with proposal, idempotent result and audit entry; p_items: see create-transfer.ts. Per item:
-- CREATED | REPLAY (the stored response) | IN_PROGRESS (its idempotency key is in use) | KEY_REVOKED | GATES_CLOSED |
-- TOO_MANY_WAITING | ABOVE_CAP (with { capInCents, usedInCents } in replay_body). Only CREATED items are written.
-- As if one item came after the other: if all live transfers and proposals of an organization's keys fit together, they are
-- written with one statement per table; those of an organization in which something else is asked, known or refused go one
-- by one. Moves between its own accounts that are written together are booked at once: replay_body is then { status: COMPLETE }.
-- Both events are emitted, and the rules that wait for the money start.
-- Items of different organizations share nothing that one could take from the other.
-- Tries the idempotency keys, then locks the keys FOR KEY SHARE, the waiting ones of those that propose, the uses of
-- capped keys, the ledgers, outgoing caps (lock_outgoing), and the accounts FOR KEY SHARE, each in order, so that two groups cannot deadlock. Only what
-- goes one by one locks outside balances, afterwards (reserve).
-- Settings: plans are cached while tables grow from empty to millions of rows; only index look-ups stay right.
create or replace function create_transfers(p_items jsonb)
returns table (outcome text, replay_status integer, replay_body jsonb, replay_fingerprint text)
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  v_asked asked_transfer[];
  v_plain asked_transfer[];
  -- Of the plain ones: what waits for a person, moves between the organization's own accounts, leaves it.
  v_waiting asked_transfer[];
  v_inside asked_transfer[];
  v_outside asked_transfer[];
  -- The organizations whose items go one by one.
  v_odd uuid[];
  -- What the group contains: setting a statement up takes as long as carrying it out for a few items.
  v_proposes boolean;
  v_sends_out boolean;
  v_has_cap boolean;
  v_capped record;
begin
  select array_agg(row(place, organization_id, api_key_id, now, t ->> 'status', t ->> 'executionMode', (t ->> 'id')::uuid,
      t ->> 'direction', t ->> 'origin', (t ->> 'amountInCents')::bigint, t ->> 'description',
      (t ->> 'sourceAccountId')::uuid, (t ->> 'destinationAccountId')::uuid, t ->> 'reasonForApproval', by ->> 'kind',
      (by ->> 'id')::uuid, by ->> 'name', (t ->> 'expectedCompletionDate')::date, call,
      -- A duplicate is answered at once; it does not queue behind the original.
      case when call is not null then pg_try_advisory_xact_lock(hashtextextended(concat_ws('|', api_key_id,
        call ->> 'operation', call ->> 'path', call ->> 'key'), 0)) end, audit)::asked_transfer order by place),
      bool_or(t ->> 'status' = 'APPROVAL_PENDING'),
      bool_or(t ->> 'status' = 'PROCESSING' and t ->> 'direction' = 'MONEY_OUT')
    into v_asked, v_proposes, v_sends_out
    from (
      select ordinality as place, "organizationId" as organization_id, "apiKeyId" as api_key_id, now, transfer as t,
          "proposedBy" as by, nullif(idempotency, 'null') as call, audit
        from rows from (jsonb_to_recordset(p_items) as ("organizationId" uuid, "apiKeyId" uuid, now timestamptz,
          transfer jsonb, "proposedBy" jsonb, idempotency jsonb, audit jsonb)) with ordinality) items;

  select coalesce(array_agg(distinct o.id), '{}') into v_odd from (
    select a.organization_id as id from unnest(v_asked) a
      where a.api_key_id is null or a.execution_mode <> 'LIVE' or not a.has_its_key
        or a.status = 'PROCESSING' and a.direction not in ('INTERNAL', 'MONEY_OUT')
        -- A proposal because of a spent cap also tells the key's members.
        or a.status = 'APPROVAL_PENDING' and p_items -> (a.place - 1)::integer -> 'aboveCap' is distinct from 'null'
        or a.status not in ('PROCESSING', 'APPROVAL_PENDING')
    union all
    select a.organization_id from unnest(v_asked) a
      where a.status = 'PROCESSING' and a.direction = 'MONEY_OUT' and outgoing_cap(a.organization_id) is not null
    union all
    -- A subquery, not a join: that might read the whole table, or its index by expiry.
    select a.organization_id from unnest(v_asked) a
      where a.idempotency is not null and a.now < (select r.expires_at from idempotency_results r
        where r.organization_id = a.organization_id and r.caller_id = a.api_key_id
          and r.operation = a.idempotency ->> 'operation' and r.path = a.idempotency ->> 'path'
          and r.idempotency_key = a.idempotency ->> 'key')
    union all
    -- The second of two equal ones is a repetition of the first, unless that is refused.
    select a.organization_id from unnest(v_asked) a where a.idempotency is not null
      group by a.organization_id, a.api_key_id, a.idempotency ->> 'operation', a.idempotency ->> 'path',
        a.idempotency ->> 'key' having count(*) > 1) o;

  if cardinality(v_asked) > 1 or cardinality(v_odd) = 0 then
    -- Conflicts only with a revocation's FOR UPDATE: a transfer is either revoked with its key or never written.
    select bool_or(k.daily_cap_in_cents is not null) into v_has_cap from (
      select k.daily_cap_in_cents from api_keys k
        where (k.organization_id, k.id) in (select a.organization_id, a.api_key_id from unnest(v_asked) a)
        order by k.organization_id, k.id for key share) k;
    if v_proposes then
      perform lock_waiting_proposals(array_agg(a.api_key_id)) from unnest(v_asked) a
        where a.status = 'APPROVAL_PENDING';
    end if;
    if v_has_cap then
      perform lock_key_uses(array_agg(a.organization_id), array_agg(a.api_key_id), array_agg(a.now))
        from unnest(v_asked) a where a.status = 'PROCESSING' having count(*) > 0;
    end if;
    perform 1 from ledgers l
      where (l.organization_id, l.id) in (
        select a.organization_id, a.source_account_id from unnest(v_asked) a where a.status = 'PROCESSING'
        union all
        select a.organization_id, a.destination_account_id from unnest(v_asked) a
          where a.status = 'PROCESSING' and a.direction = 'INTERNAL')
      order by l.organization_id, l.id for update;
    if v_sends_out then
      perform lock_outgoing(array_agg(a.organization_id)) from unnest(v_asked) a
        where a.status = 'PROCESSING' and a.direction = 'MONEY_OUT';
    end if;
    -- No account is closed from the looks below to the commit.
    perform 1 from accounts c
      where (c.organization_id, c.id) in (
        select a.organization_id, a.source_account_id from unnest(v_asked) a
          where a.organization_id <> all (v_odd) and a.status = 'PROCESSING'
        union all
        select a.organization_id, a.destination_account_id from unnest(v_asked) a
          where a.organization_id <> all (v_odd) and a.status = 'PROCESSING')
      order by c.organization_id, c.id for key share;
    -- The looks below are statements of their own after these locks, so they see what their previous holders committed.
    v_odd := v_odd || array(
      select a.organization_id from unnest(v_asked) a
        where not exists (select from api_keys k
          where k.organization_id = a.organization_id and k.id = a.api_key_id and k.revoked_at is null)
      union all
      select s.organization_id from (
        select a.organization_id, a.source_account_id as id, sum(a.amount_in_cents) as in_cents
          from unnest(v_asked) a where a.organization_id <> all (v_odd) and a.status = 'PROCESSING' group by 1, 2) s
        left join accounts c on c.organization_id = s.organization_id and c.id = s.id and c.deleted_at is null
        left join ledgers l on l.organization_id = s.organization_id and l.id = s.id
        where (l.credits_in_cents - l.debits_in_cents - l.held_in_cents - s.in_cents >= coalesce(c.floor_in_cents, 0)
          and c.id is not null) is not true
      union all
      select a.organization_id from unnest(v_asked) a
        where a.organization_id <> all (v_odd) and a.status = 'PROCESSING' and a.direction = 'INTERNAL'
          and exists (select from accounts c
          where c.organization_id = a.organization_id and c.id = a.destination_account_id and c.deleted_at is not null)
      union all
      select w.organization_id from (
        select a.organization_id, a.api_key_id, count(*) as asked from unnest(v_asked) a
          where a.organization_id <> all (v_odd) and a.status = 'APPROVAL_PENDING' group by 1, 2) w
        where w.asked + count_waiting(w.organization_id, w.api_key_id) > maximum_waiting()
      union all
      select o.id from (select distinct a.organization_id as id from unnest(v_asked) a
        where a.organization_id <> all (v_odd)) o where not gates_are_open(o.id));
    if v_has_cap then
      v_odd := v_odd || array(
        select c.organization_id from (
          select a.organization_id, a.api_key_id, min(a.now) as now, sum(a.amount_in_cents) as in_cents
            from unnest(v_asked) a where a.organization_id <> all (v_odd) and a.status = 'PROCESSING' group by 1, 2) c
          join api_keys k on k.organization_id = c.organization_id and k.id = c.api_key_id
            and k.daily_cap_in_cents is not null
          where key_used(c.organization_id, c.api_key_id, c.now) + c.in_cents > k.daily_cap_in_cents);
    end if;
  end if;

  select array_agg(a order by a.place), array_agg(a order by a.place) filter (where a.status = 'APPROVAL_PENDING'),
      array_agg(a order by a.place) filter (where a.status = 'PROCESSING' and a.direction = 'INTERNAL'),
      array_agg(a order by a.place) filter (where a.status = 'PROCESSING' and a.direction <> 'INTERNAL')
    into v_plain, v_waiting, v_inside, v_outside
    from unnest(v_asked) a where a.organization_id <> all (v_odd);
  if cardinality(v_plain) > 0 then
    insert into transfers (
        organization_id, id, status, execution_mode, direction, origin, amount_in_cents, description,
        source_account_id, destination_account_id, reason_for_approval, proposed_by_kind, proposed_by_id,
        proposed_by_name, created_at, updated_at, accepted_at, completed_at, expected_completion_date, hold_in_cents,
        next_step, due_at)
      select a.organization_id, a.id, case when is_inside then 'COMPLETE' else a.status end, 'LIVE', a.direction, a.origin,
          a.amount_in_cents, a.description, a.source_account_id, a.destination_account_id, a.reason_for_approval,
          a.proposed_by_kind, a.proposed_by_id, a.proposed_by_name, a.now, a.now,
          case when a.status = 'PROCESSING' then a.now end, case when is_inside then a.now end, a.expected_completion_date,
          case when is_outside then a.amount_in_cents else 0 end, case when is_outside then 'SUBMIT' end,
          case when is_outside then a.now end
        from unnest(v_plain) a cross join lateral (
          select a.status = 'PROCESSING' and a.direction = 'INTERNAL' as is_inside,
            a.status = 'PROCESSING' and a.direction <> 'INTERNAL' as is_outside) way
        order by a.place;
    if v_waiting is not null then
      -- Putting the items together again costs as much as writing them: not where all of them wait.
      perform write_proposals(case when cardinality(v_waiting) = cardinality(v_asked) then p_items else (
        select jsonb_agg(p_items -> (a.place - 1)::integer order by a.place) from unnest(v_waiting) a) end);
    end if;
    if v_inside is not null then
      -- The entry gets the id of its transfer, so that entries sort as they were asked for.
      perform post_entries(array_agg(row(a.organization_id, a.id, a.id, null, 'TRANSFER', a.source_account_id,
          a.destination_account_id, a.amount_in_cents, 0, a.now)::posting order by a.place))
        from unnest(v_inside) a;
      perform emit_booked_transfers(array_agg(a.organization_id order by a.place), array_agg(a.id order by a.place),
          array_agg(a.now order by a.place))
        from unnest(v_inside) a;
    end if;
    if v_outside is not null then
      update ledgers l set held_in_cents = l.held_in_cents + s.in_cents
        from (select a.organization_id, a.source_account_id as id, sum(a.amount_in_cents)::bigint as in_cents
          from unnest(v_outside) a group by 1, 2) s
        where l.organization_id = s.organization_id and l.id = s.id;
    end if;
    if v_has_cap then
      for v_capped in
        select a.organization_id, a.api_key_id, a.now, sum(a.amount_in_cents)::bigint as in_cents
          from unnest(v_plain) a where a.status = 'PROCESSING' group by 1, 2, 3 order by 1, 2, 3
      loop
        perform charge_key(v_capped.organization_id, v_capped.api_key_id, v_capped.in_cents, v_capped.now);
      end loop;
    end if;
    insert into idempotency_results as r
      select a.organization_id, a.api_key_id, a.idempotency ->> 'operation', a.idempotency ->> 'path',
          a.idempotency ->> 'key', decode(a.idempotency ->> 'fingerprint', 'hex'),
          (a.idempotency ->> 'status')::integer, a.idempotency -> 'body', (a.idempotency ->> 'expiresAt')::timestamptz
        from unnest(v_plain) a where a.idempotency is not null
      on conflict (organization_id, caller_id, operation, path, idempotency_key) do update set
        fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
        expires_at = excluded.expires_at; -- replaces a result that has expired
    perform write_audit_entries(jsonb_agg(a.audit order by a.place)) from unnest(v_plain) a;
    if v_inside is not null then
      perform fire_rules(array_agg(row(a.organization_id, a.destination_account_id, 'TRANSFER', a.id, a.amount_in_cents,
          0, a.now)::arrival order by a.place))
        from unnest(v_inside) a;
    end if;
  end if;

  if cardinality(v_odd) = 0 then
    return query
      select 'CREATED', null::integer, case when a.status = 'PROCESSING' and a.direction = 'INTERNAL'
          then '{"status": "COMPLETE"}'::jsonb end,
          null::text
        from unnest(v_plain) a order by a.place;
    return;
  end if;

  return query
    select answers.outcome, answers.replay_status, answers.replay_body, answers.replay_fingerprint from (
      select a.place, 'CREATED' as outcome, null::integer as replay_status,
          case when a.status = 'PROCESSING' and a.direction = 'INTERNAL'
            then '{"status": "COMPLETE"}'::jsonb end as replay_body,
          null::text as replay_fingerprint
        from unnest(v_plain) a
      union all
      select odd.place, one.outcome, one.replay_status, one.replay_body, one.replay_fingerprint
        from create_transfers_one_by_one((
          select jsonb_agg(p_items -> (a.place - 1)::integer order by a.place) from unnest(v_asked) a
            where a.organization_id = any (v_odd))) with ordinality as one
        join (select a.place, row_number() over (order by a.place) as ordinality from unnest(v_asked) a
          where a.organization_id = any (v_odd)) odd using (ordinality)) answers
     order by answers.place;
end $$;

grant execute on function create_transfers to :"app_role";
