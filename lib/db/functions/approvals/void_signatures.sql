-- Withdraws the signatures of a member who leaves or no longer decides: all that are not used yet, and those under mandates
-- in force. With the role again, the member has to sign again. What they asked for themself ends.
-- Locks those mandates, what they asked for, then those signatures. The caller holds the membership FOR UPDATE, for which a signature waits.
create or replace function void_signatures() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform 1 from mandates m
    where m.organization_id = old.organization_id and m.state in ('WAITING', 'IN_FORCE')
      and m.id::text in (select s.subject_id from signatures s where s.organization_id = old.organization_id
        and s.subject_kind = 'MANDATE' and s.user_id = old.user_id and s.withdrawn_at is null)
    order by m.id for update;
  update mandates m set voided_at = statement_timestamp()
    where m.organization_id = old.organization_id and m.state = 'IN_FORCE' and exists (select from signatures s
      where s.organization_id = old.organization_id and s.subject_kind = 'MANDATE' and s.subject_id = m.id::text
        and s.subject_hash = m.signed_hash and s.user_id = old.user_id and s.withdrawn_at is null);
  update asked_changes c
      set state = 'WITHDRAWN', ended_at = statement_timestamp() + o.clock_offset_ms * interval '1 millisecond', remind_at = null
    from organizations o
    where o.id = old.organization_id and c.organization_id = old.organization_id and c.asked_by = old.user_id
      and c.kind in ('LIMIT', 'KEY') and c.state = 'WAITING';
  update signatures s
      set withdrawn_at = statement_timestamp() + o.clock_offset_ms * interval '1 millisecond'
    from organizations o
    where o.id = old.organization_id and s.organization_id = old.organization_id and s.user_id = old.user_id
      and s.withdrawn_at is null
      and case s.subject_kind
        when 'PROPOSAL' then exists (select from proposals p
          where p.organization_id = s.organization_id and p.id = case s.subject_kind when 'PROPOSAL' then s.subject_id::uuid end and p.state = 'WAITING')
        when 'MANDATE' then exists (select from mandates m
          where m.organization_id = s.organization_id and m.id::text = s.subject_id and m.state in ('WAITING', 'IN_FORCE'))
        when 'POLICY' then exists (select from approval_policies a
          where a.organization_id = s.organization_id and a.version::text = s.subject_id and a.state = 'SIGNING')
        -- Those under a payee's details, a rule or an asked change are read only until the last one is given.
        else true end;
  return null;
end $$;

create or replace trigger memberships_void_signatures_changed after update of role on memberships for each row
  when (new.role not in ('OWNER', 'CO_OWNER')) execute function void_signatures();
create or replace trigger memberships_void_signatures_removed after delete on memberships for each row
  execute function void_signatures();
