-- Members: who is let in and by whom, what each may become, and how the last owner stays.

-- Who let them in; null: the setup, or the operator.
alter table memberships add column invited_by uuid references users (id);

-- A row is there as long as it waits: accepted or withdrawn it is gone, and expired it can be sent again for a while.
create table invitations (
  organization_id uuid not null references organizations (id),
  id              uuid not null,
  email           text not null check (email = lower(email) and length(email) between 3 and 254),
  role            text not null check (role in ('OWNER', 'CO_OWNER', 'ACCOUNTANT', 'VIEWER')),
  -- SHA-256 of 256 random bits. The token itself is in one email.
  token_hash      bytea not null check (length(token_hash) = 32),
  invited_by      uuid not null references users (id),
  -- Real time, as all of these.
  invited_at      timestamptz not null,
  expires_at      timestamptz not null,
  primary key (organization_id, id)
);
create unique index invitations_by_email on invitations (organization_id, email);
create unique index invitations_by_token on invitations (token_hash);
create index invitations_by_expiry on invitations (expires_at);
grant select, insert, update, delete on invitations to :"app_role";

-- Whether somebody with one role lets in, changes and removes somebody with the other: who decides about money is for
-- owners to say.
create function may_manage_role(p_role text, p_other text) returns boolean
language sql immutable as $$
  select p_role = 'OWNER' or (p_role = 'CO_OWNER' and p_other in ('ACCOUNTANT', 'VIEWER'))
$$;

-- From here on a role is changed and a member removed in one way only, which knows of the last owner. Locking a row takes
-- the right to update some column of it.
revoke update, delete on memberships from :"app_role";
grant update (invited_by) on memberships to :"app_role";

-- Locks the organization, so that of two owners who lower or remove each other the second one finds what the first one
-- did; then the member. An answer other than OK says why not.
create function may_change_member(p_organization_id uuid, p_by uuid, p_user_id uuid, p_role text) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_own_role text;
  v_role text;
begin
  perform 1 from organizations o where o.id = p_organization_id for no key update;
  select m.role into v_own_role from memberships m
    where m.organization_id = p_organization_id and m.user_id = p_by for share;
  select m.role into v_role from memberships m
    where m.organization_id = p_organization_id and m.user_id = p_user_id for update;
  if v_own_role is null then return 'MAY_NOT'; end if;
  if v_role is null then return 'MISSING'; end if;
  -- Everybody may leave; null: nothing is left of the role.
  if not (p_role is null and p_by = p_user_id)
    and not (may_manage_role(v_own_role, v_role) and (p_role is null or may_manage_role(v_own_role, p_role)))
  then return 'MAY_NOT'; end if;
  if v_role = 'OWNER' and p_role is distinct from 'OWNER' and not exists (select from memberships m
    where m.organization_id = p_organization_id and m.role = 'OWNER' and m.user_id <> p_user_id)
  then return 'LAST_OWNER'; end if;
  return 'OK';
end $$;

create function change_member_role(p_organization_id uuid, p_by uuid, p_user_id uuid, p_role text) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_answer text := may_change_member(p_organization_id, p_by, p_user_id, p_role);
begin
  if v_answer = 'OK' then
    update memberships m set role = p_role where m.organization_id = p_organization_id and m.user_id = p_user_id;
  end if;
  return v_answer;
end $$;

-- Takes somebody out: their assistants end with all that follows from that, and so do their sessions that look here.
-- Keys that they made belong to the organization and stay. p_now is business time, p_real_now real time.
create function remove_member(p_organization_id uuid, p_by uuid, p_user_id uuid, p_now timestamptz,
  p_real_now timestamptz)
returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_answer text := may_change_member(p_organization_id, p_by, p_user_id, null);
begin
  if v_answer <> 'OK' then return v_answer; end if;
  perform revoke_api_key(p_organization_id, k.id, p_by, 'MEMBER', p_now)
    from (select a.id from api_keys a
           where a.organization_id = p_organization_id and a.created_by = p_user_id and a.client_id is not null
             and a.revoked_at is null
           order by a.id) k;
  delete from memberships m where m.organization_id = p_organization_id and m.user_id = p_user_id;
  update sessions s set revoked_at = p_real_now
    where s.user_id = p_user_id and s.revoked_at is null
      and (s.organization_id = p_organization_id
        -- Nothing is left for them to look at.
        or not exists (select from memberships m where m.user_id = p_user_id));
  return v_answer;
end $$;
grant execute on function may_manage_role, change_member_role, remove_member to :"app_role";

-- Somebody who is invited is nobody yet.
alter table messages
  alter column user_id drop not null,
  drop constraint messages_keep_no_code,
  -- A code or the link of an invitation leaves the table with its message.
  add constraint messages_keep_no_secret
    check (good_until is null or status = 'QUEUED' or (body_text = '' and body_html is null));

alter table notices
  drop constraint notices_kind_check,
  -- MEMBER_JOINED: the subject is the person.
  add constraint notices_kind_check check (kind in ('APPROVAL_ASKED', 'APPROVAL_REMINDER', 'APPROVAL_DECIDED',
    'RULE_RUN_FAILED', 'TRANSFER_RETURNED', 'TRANSFER_REFUSED', 'ENDPOINT_DISABLED', 'KEY_CREATED',
    'ASSISTANT_CONNECTED', 'NEW_DEVICE', 'MEMBER_JOINED'));
