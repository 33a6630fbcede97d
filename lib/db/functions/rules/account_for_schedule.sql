-- Records the scheduled times of an active rule up to p_until as handled, and sets the next one; null: none is left.
-- The caller has started the run of the latest time in the same transaction.
-- p_skipped: [{ at, times }]; `times` > 1 stands for a stretch that ends at `at`.
-- Takes no new locks: the caller holds the rule FOR NO KEY UPDATE.
create or replace function account_for_schedule(p_organization_id uuid, p_rule_id uuid, p_until timestamptz,
  p_next_run_at timestamptz, p_skipped jsonb, p_reason text)
returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into rule_skipped_times (organization_id, rule_id, scheduled_for, reason, times, recorded_at)
    select p_organization_id, p_rule_id, s.at, p_reason, s.times, p_until
      from jsonb_to_recordset(p_skipped) as s(at timestamptz, times integer)
    on conflict do nothing;
  update rules set next_run_at = p_next_run_at, scheduled_until = p_until
    where organization_id = p_organization_id and id = p_rule_id and active_version is not null;
end $$;

grant execute on function account_for_schedule to :"app_role";
