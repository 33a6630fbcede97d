-- Versions whose signatures did not come in time are drafts again, without signatures, at most p_limit; returns how many.
-- p_now: real time; each organization's business clock adds its offset.
-- Locks due ones FOR UPDATE SKIP LOCKED.
create or replace function expire_policy_signings(p_now timestamptz, p_limit integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_due record;
  v_count integer := 0;
begin
  for v_due in
    select p.organization_id, p.version, p_now + o.clock_offset_ms * interval '1 millisecond' as business_now
      from approval_policies p join organizations o on o.id = p.organization_id
     where p.state = 'SIGNING' and p.signing_expires_at <= (select latest_business_time(p_now))
       and p.signing_expires_at <= p_now + o.clock_offset_ms * interval '1 millisecond'
     order by p.signing_expires_at limit p_limit
     for update of p skip locked
  loop
    update approval_policies set state = 'DRAFT', signing_since = null, signing_expires_at = null, begun_by = null
     where organization_id = v_due.organization_id and version = v_due.version;
    perform withdraw_policy_signatures(v_due.organization_id, v_due.version, null, v_due.business_now);
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;

grant execute on function expire_policy_signings to :"app_role";
