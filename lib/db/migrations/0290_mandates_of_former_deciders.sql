-- A mandate whose signer lost the role stays stopped when they get it again: it has to be signed again.
alter table mandates add column voided_at timestamptz;
comment on column mandates.voided_at is
'Since when one of the signatures that put it in force is void, because its signer no longer decided; null: it has all of them.';
-- while serving: mandates in force are few, at most 20 of a key, and only those of former deciders are written
update mandates m set voided_at = now()
  where m.state = 'IN_FORCE' and exists (select from signatures s
    where s.organization_id = m.organization_id and s.subject_kind = 'MANDATE' and s.subject_id = m.id::text
      and s.subject_hash = m.signed_hash and s.withdrawn_at is null
      and not exists (select from memberships d where d.organization_id = s.organization_id and d.user_id = s.user_id
        and d.role in ('OWNER', 'CO_OWNER')));
