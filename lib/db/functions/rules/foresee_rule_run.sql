-- How a live run requested now would start. Starts it with start_rule_run and rolls that back, so it cannot answer
-- differently. outcome: as start_rule_run. active_version: the version it would run. cap_in_cents, used_in_cents, room: as lock_caps, of the key that the run would be charged to; null if it has no daily cap. p_run: see
-- start-run.ts.
-- Takes the locks of start_rule_run and lock_caps until the rollback of its own savepoint.
create or replace function foresee_rule_run(p_run jsonb)
returns table (outcome text, active_version integer, cap_in_cents bigint, used_in_cents bigint, room integer)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_run ->> 'organizationId')::uuid;
  v_run rule_executions;
begin
  begin
    outcome := start_rule_run(p_run);
    if outcome = 'STARTED' then
      select * into strict v_run from rule_executions
        where organization_id = v_organization_id and id = (p_run ->> 'id')::uuid;
      active_version := v_run.rule_version;
      if v_run.charged_key_id is not null then
        select c.cap_in_cents, c.used_in_cents, c.room into cap_in_cents, used_in_cents, room
          from lock_caps(array[v_organization_id], array[v_run.charged_key_id],
            array[(p_run ->> 'now')::timestamptz]) c;
      end if;
    end if;
    raise exception 'taken back' using errcode = 'SL001';
  exception when sqlstate 'SL001' then
    null; -- Variables keep their values; the run, its proposal and notice, and all locks are gone.
  end;
  return next;
end $$;

grant execute on function foresee_rule_run to :"app_role";
