-- Expires proposals that nobody decided in time, with their transfers and runs, at most p_limit; returns them.
-- p_now: real time; each organization's business clock adds its offset.
-- Locks due proposals FOR UPDATE SKIP LOCKED, so one that is being decided is left alone, then their transfers and
-- runs.
create or replace function expire_proposals(p_now timestamptz, p_limit integer)
returns table (organization_id uuid, id uuid)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_proposal record;
begin
  for v_proposal in
    select p.organization_id, p.id, p_now + o.clock_offset_ms * interval '1 millisecond' as business_now
      from proposals p join organizations o on o.id = p.organization_id
      where p.state = 'WAITING' and p.expires_at <= p_now + o.clock_offset_ms * interval '1 millisecond'
        and p.expires_at <= (select latest_business_time(p_now))
      order by p.expires_at limit p_limit
      for update of p skip locked
  loop
    update proposals p set state = 'EXPIRED', decided_at = v_proposal.business_now, remind_at = null
      where p.organization_id = v_proposal.organization_id and p.id = v_proposal.id;
    perform deny_transfers(v_proposal.organization_id, array[v_proposal.id], v_proposal.business_now);
    organization_id := v_proposal.organization_id; id := v_proposal.id;
    return next;
  end loop;
end $$;

grant execute on function expire_proposals to :"app_role";
