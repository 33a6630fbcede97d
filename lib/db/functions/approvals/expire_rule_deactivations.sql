-- Expires proposals that a rule stops, at most p_limit; returns how many. p_now: real time; each organization's business
-- clock adds its offset.
-- Locks due ones FOR UPDATE SKIP LOCKED.
create or replace function expire_rule_deactivations(p_now timestamptz, p_limit integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with due as (
    select p.organization_id, p.id, p_now + o.clock_offset_ms * interval '1 millisecond' as business_now
      from rule_deactivation_proposals p join organizations o on o.id = p.organization_id
     where p.state = 'WAITING' and p.expires_at <= p_now + o.clock_offset_ms * interval '1 millisecond'
       and p.expires_at <= (select latest_business_time(p_now))
     order by p.expires_at limit p_limit
     for update of p skip locked),
  expired as (
    update rule_deactivation_proposals p set state = 'EXPIRED', decided_at = due.business_now from due
     where p.organization_id = due.organization_id and p.id = due.id
    returning p.id)
  select count(*)::integer from expired
$$;

grant execute on function expire_rule_deactivations to :"app_role";
