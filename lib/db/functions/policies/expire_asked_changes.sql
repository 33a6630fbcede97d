-- Ends changes whose signatures did not come in time, at most one for each of p_notice_ids, and returns how many. Of a payee's
-- details and of a rule, the signatures are withdrawn: they wait without any again. Notifies who asked, or signed first. p_now: real time; each organization's business clock adds its offset.
-- Locks due ones FOR UPDATE SKIP LOCKED, then their signatures.
create or replace function expire_asked_changes(p_now timestamptz, p_notice_ids uuid[]) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_count integer;
begin
  with due as (
    select c.organization_id, c.id, p_now + o.clock_offset_ms * interval '1 millisecond' as business_now
      from asked_changes c join organizations o on o.id = c.organization_id
     where c.state = 'WAITING' and c.expires_at <= (select latest_business_time(p_now))
       and c.expires_at <= p_now + o.clock_offset_ms * interval '1 millisecond'
     order by c.expires_at limit cardinality(p_notice_ids)
     for update of c skip locked),
  ended as (
    update asked_changes c set state = 'EXPIRED', ended_at = due.business_now, remind_at = null from due
     where c.organization_id = due.organization_id and c.id = due.id
    returning c, due.business_now),
  withdrawn as (
    update signatures s set withdrawn_at = e.business_now from ended e
     where (e.c).kind in ('PAYEE', 'RULE') and s.organization_id = (e.c).organization_id and s.subject_kind = (e.c).kind
       and s.subject_id = (e.c).target_id::text and s.subject_hash = (e.c).wanted ->> 'hash' and s.withdrawn_at is null),
  noted as (
    insert into notices (organization_id, id, kind, subject_id, user_id, created_at, due_at)
    select (e.c).organization_id, p_notice_ids[row_number() over ()], 'CHANGE_ENDED', (e.c).id, (e.c).asked_by,
        e.business_now, e.business_now
      from ended e where change_still_waits(e.c))
  select count(*) into v_count from ended;
  return v_count;
end $$;

grant execute on function expire_asked_changes to :"app_role";
