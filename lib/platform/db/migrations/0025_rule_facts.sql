-- What a rule's plan follows from, read in one place: for runs, dry runs, approval screens and forecasts.

-- The least UUIDv7 of a moment: what was made before it sorts before this.
create function first_id_at(p_at timestamptz) returns uuid
language sql immutable as $$
  select (lpad(to_hex(floor(extract(epoch from p_at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;

-- Null is «not known», never zero. Answers in the shape of AccountFacts (contract/rules/facts.ts).
create function read_account_facts(p_organization_id uuid, p_account_ids uuid[])
returns table (
  id uuid, name text, type text, "externalAccountType" text, "isClosed" boolean, "balanceInCents" bigint,
  "availableInCents" bigint, "floorInCents" bigint, "onItsWayInCents" bigint, "nextPaymentMinimumInCents" bigint,
  "lastStatementBalanceInCents" bigint, "interestRatePercentage" double precision
)
language sql stable security definer set search_path = public, pg_temp as $$
  -- Each step is named as in the partial index that holds it, and nothing else is asked for, so that nothing that has
  -- ended is read: an account may have a million transfers that are over.
  with open as materialized (
    select destination_account_id, amount_in_cents from transfers
      where next_step in ('BOOK', 'FAIL') and organization_id = p_organization_id and fails_with is null
    union all
    select destination_account_id, amount_in_cents from transfers
      where next_step in ('SUBMIT', 'ASK') and organization_id = p_organization_id
    union all
    select destination_account_id, amount_in_cents from transfers
      where next_step = 'AWAIT' and organization_id = p_organization_id)
  select a.id, a.name, a.type, a.external_account_type, a.deleted_at is not null,
      coalesce(l.credits_in_cents - l.debits_in_cents, p.balance_in_cents),
      coalesce(l.credits_in_cents - l.debits_in_cents - l.held_in_cents, case when p.refreshed_at is not null then
        coalesce(p.available_balance_in_cents, p.balance_in_cents) - (
          select coalesce(sum(pulled.amount_in_cents), 0)::bigint from transfers pulled
            where pulled.organization_id = a.organization_id and pulled.source_account_id = a.id
              and pulled.execution_mode = 'LIVE' and pulled.accepted_at >= p.refreshed_at
              -- Accepted within a day of being asked for; ids are by that time, so that old pulls are not read.
              and pulled.id >= first_id_at(p.refreshed_at - interval '2 days')
              and pulled.status in ('PROCESSING', 'COMPLETE')) end),
      a.floor_in_cents,
      (select coalesce(sum(o.amount_in_cents), 0)::bigint from open o where o.destination_account_id = a.id)
        + case when p.refreshed_at is null then 0 else (
          -- Settled after the provider's last word, so not in its balance yet.
          select coalesce(sum(s.amount_in_cents), 0)::bigint from transfers s
            where s.organization_id = a.organization_id and s.destination_account_id = a.id
              and s.execution_mode = 'LIVE' and s.id >= first_id_at(p.refreshed_at - interval '30 days')
              and s.status = 'COMPLETE' and s.completed_at >= p.refreshed_at) end,
      p.next_payment_minimum_in_cents, p.last_statement_balance_in_cents,
      p.interest_rate_percentage::double precision
    from accounts a
    left join ledgers l on l.organization_id = a.organization_id and l.id = a.id
    left join provider_balances p on p.organization_id = a.organization_id and p.account_id = a.id
   where a.organization_id = p_organization_id and a.id = any (p_account_ids)
$$;

-- What each limit has used since the first day of its period: accepted, complete and returned transfers count.
create function read_limits_used(p_organization_id uuid, p_rule_id uuid, p_limit_ids text[], p_from date[],
  p_time_zone text)
returns table (id text, used_in_cents bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select l.id, (
      select coalesce(sum(t.amount_in_cents), 0)::bigint from transfers t
        where t.organization_id = p_organization_id and t.rule_id = p_rule_id and t.rule_limit_id = l.id
          and t.accepted_at >= l.from_date::timestamp at time zone p_time_zone
          and t.status in ('PROCESSING', 'COMPLETE', 'RETURNED'))
    from unnest(p_limit_ids, p_from) as l (id, from_date)
$$;

grant execute on function read_account_facts, read_limits_used to :"app_role";

-- A new id of a moment of business time, UUIDv7: made where rows are made by the database itself.
create function new_id(p_at timestamptz) returns uuid
language sql volatile as $$
  select overlay(id_at(gen_random_uuid(), p_at)::text placing '7' from 15 for 1)::uuid
$$;

-- Begins one live run of a rule's active version, once by its cause: it is due at once, or waits for a person. Whoever
-- calls this cannot run another version than the one that a person activated.
-- p_run: see start-run.ts. Answers STARTED, or why not: FIRED_BEFORE | NOT_ACTIVE | PAUSED | KEY_REVOKED
create function start_rule_run(p_run jsonb) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_run ->> 'organizationId')::uuid;
  v_id uuid := (p_run ->> 'id')::uuid;
  v_now timestamptz := (p_run ->> 'now')::timestamptz;
  v_waits boolean := (p_run ->> 'approvalRequired')::boolean;
  v_key_id uuid := (p_run ->> 'apiKeyId')::uuid; -- null: no key asks
  v_rule rules;
begin
  -- Conflicts with the FOR UPDATE of a revocation only: what a revocation did not see, it did not let through.
  perform 1 from api_keys k where k.organization_id = v_organization_id and k.id = v_key_id
    and k.revoked_at is null for key share;
  if not found and v_key_id is not null then return 'KEY_REVOKED'; end if;

  -- Shared among runs, and in the way of an activation, a pause and a deactivation: each run is before them or after.
  select * into v_rule from rules where organization_id = v_organization_id and id = (p_run ->> 'ruleId')::uuid
    for key share;
  if v_rule.active_version is null then return 'NOT_ACTIVE'; end if;
  if v_rule.paused_at is not null then return 'PAUSED'; end if;

  insert into rule_executions (organization_id, id, rule_id, rule_version, status, execution_mode, trigger_details,
      reason_for_approval, created_at, cause_kind, cause_id, chain_depth, started_by_kind, started_by_id,
      started_by_name, base, approval_required, due_at)
    values (v_organization_id, v_id, v_rule.id, v_rule.active_version,
      case when v_waits then 'APPROVAL_PENDING' else 'IN_PROGRESS' end, 'LIVE', p_run -> 'triggerDetails',
      p_run ->> 'reasonForApproval', v_now, p_run ->> 'causeKind', p_run ->> 'causeId',
      coalesce((p_run ->> 'chainDepth')::smallint, 0), p_run -> 'startedBy' ->> 'kind',
      (p_run -> 'startedBy' ->> 'id')::uuid, p_run -> 'startedBy' ->> 'name', p_run -> 'base', v_waits,
      case when not v_waits then v_now end)
    on conflict on constraint fired_once do nothing;
  if not found then return 'FIRED_BEFORE'; end if;

  if v_waits then
    insert into proposals (organization_id, id, kind, state, api_key_id, request, created_at, expires_at, remind_at)
      values (v_organization_id, v_id, 'RULE_RUN', 'WAITING', v_key_id, nullif(p_run -> 'request', 'null'), v_now,
        (p_run ->> 'expiresAt')::timestamptz, (p_run ->> 'remindAt')::timestamptz);
    insert into notices (organization_id, id, kind, proposal_id, api_key_id, created_at, due_at)
      -- Many from one rule's hook are told together, as those of one key are: nobody floods the deciders.
      values (v_organization_id, (p_run ->> 'noticeId')::uuid, 'APPROVAL_ASKED', v_id,
        coalesce(v_key_id, case when p_run -> 'startedBy' ->> 'kind' = 'HOOK' then v_rule.id end), v_now, v_now);
  end if;
  return 'STARTED';
end $$;
grant execute on function start_rule_run to :"app_role";
