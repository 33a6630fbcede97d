-- Takes back a run for the key that started it: its waiting proposal, the run before it has a plan, or those of its
-- transfers that have not left. Answers as cancel_own_transfer; ASK: the bank has all that is left of it.
-- p_now: business time.
-- The caller holds the key FOR KEY SHARE. Locks the proposal (withdraw_proposal), then a run without a plan FOR UPDATE;
-- or its transfers FOR UPDATE, their sources' ledgers, each in id order, and the run with its plan.
create or replace function cancel_own_run(p_organization_id uuid, p_rule_id uuid, p_id uuid, p_key_id uuid, p_now timestamptz)
returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_run rule_executions;
  v_proposal record;
  v_stopped transfers[];
  v_transfer transfers;
begin
  select * into v_run from rule_executions e
    where e.organization_id = p_organization_id and e.rule_id = p_rule_id and e.id = p_id;
  if not found then return 'MISSING'; end if;
  -- Null if nobody asked for it: an arrival or a schedule started it.
  if (v_run.started_by_kind = 'API_KEY' and v_run.started_by_id = p_key_id) is not true then return 'OTHERS'; end if;
  select * into v_proposal from withdraw_proposal(p_organization_id, p_id, p_now);
  if v_proposal.is_new then return 'CANCELED'; end if;
  if v_proposal.state = 'WITHDRAWN' then return 'ALREADY'; end if;
  if v_proposal.state <> 'APPROVED' then return v_proposal.state; end if;

  -- Waits for the worker that carries it out; with a plan it no longer matches.
  perform 1 from rule_executions e
    where e.organization_id = p_organization_id and e.id = p_id and e.status = 'IN_PROGRESS' and e.due_at is not null
    for update;
  if found then
    update rule_executions e set status = 'FAILED', due_at = null, next_attempt_at = null, ended_at = p_now,
        withdrawn_at = p_now, error_message = 'The program that started this run canceled it before it began. Nothing moved.'
      where e.organization_id = p_organization_id and e.id = p_id;
    return 'CANCELED';
  end if;

  select array_agg(s order by s.id) into v_stopped from (
    select t.* from transfers t
      where t.organization_id = p_organization_id and t.rule_execution_id = p_id and t.next_step in ('BOOK', 'SUBMIT')
      order by t.id for update) s;
  v_stopped := coalesce(v_stopped, array[]::transfers[]);
  perform 1 from ledgers l
    where l.organization_id = p_organization_id and l.id in (select u.source_account_id from unnest(v_stopped) u)
    order by l.id for update;
  if cardinality(v_stopped) > 0 then
    update rule_executions e set withdrawn_at = p_now,
        error_message = 'The program that started this run canceled what had not left.'
      where e.organization_id = p_organization_id and e.id = p_id;
    foreach v_transfer in array v_stopped loop
      perform end_unmoved(v_transfer, 'CANCELLED', null, p_now);
    end loop;
    update transfers t set withdrawn_at = p_now
      where t.organization_id = p_organization_id and t.id in (select u.id from unnest(v_stopped) u);
    return 'CANCELED';
  end if;
  -- A statement of its own, so that it sees what a worker or a rival has committed.
  select * into v_run from rule_executions e where e.organization_id = p_organization_id and e.id = p_id;
  return case when v_run.withdrawn_at is not null then 'ALREADY' when v_run.status = 'IN_PROGRESS' then 'ASK'
    else v_run.status end;
end $$;

grant execute on function cancel_own_run to :"app_role";
