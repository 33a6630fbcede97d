-- Who is told of what, by which way (decisions page, "Notifications").

-- What a member has chosen about a topic. Null, as a row that is not there: the default of contract/notifications.ts.
-- What is not theirs to choose there stays so, whatever stands here.
create table notification_preferences (
  organization_id uuid not null,
  user_id         uuid not null,
  topic           text not null
    check (topic in ('APPROVALS', 'DECISIONS', 'RETURNS', 'RULE_RUNS', 'ENDPOINTS', 'SECURITY')),
  email           boolean,
  sms             boolean,
  primary key (organization_id, user_id, topic),
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade
);
grant select, insert, update on notification_preferences to :"app_role";

-- Told together with others of its kind: of one key or hook (0005, 0025: proposals), of one rule (runs), of one
-- organization (transfers, keys), of one person (sign-ins). The name is older than the thing.
comment on column notices.api_key_id is 'Many of one kind from one of these are told together; null: each by itself.';

-- Browsers that somebody has signed in with. Their ids are in cookies; stored is the SHA-256 of 256 random bits.
create table known_browsers (
  user_id       uuid not null references users (id),
  id_hash       bytea not null check (length(id_hash) = 32),
  -- Real time.
  first_seen_at timestamptz not null,
  last_seen_at  timestamptz not null,
  primary key (user_id, id_hash)
);
grant select, insert, update, delete on known_browsers to :"app_role";

-- How a session began, for the person whose it is: `method` and `authenticated_at` move on with every later proof. Null
-- in sessions from before this.
alter table sessions
  add column started_with text check (started_with in ('PASSWORD', 'PASSKEY', 'RECOVERY_CODE')),
  add column started_at timestamptz,
  -- Where from, shortened; null where it is not known.
  add column network text check (length(network) <= 64);

-- Whether a transfer failed because the bank refused or returned it, and not for want of money or an account of ours.
create function is_of_bank(p_error_code text) returns boolean
language sql immutable as $$
  select p_error_code is null or p_error_code like 'ACH\_%'
$$;

-- Whether somebody hears of the end of this run without a notice of its own: because a person made it end, or because
-- the bank did, of whose refusals and returns there is a notice for each transfer.
create function is_end_told(e rule_executions) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select case
      when e.planned_at is null then
        exists (select from rules r where r.organization_id = e.organization_id and r.id = e.rule_id
          and r.active_version is null)
        -- Its key was revoked, or ended, in this transaction.
        or exists (select from api_keys k where k.organization_id = e.organization_id and k.id = e.started_by_id
          and e.started_by_kind = 'API_KEY' and k.revoked_at = e.ended_at)
        -- Other causes are no ids of transfers.
        or case when e.cause_kind = 'TRANSFER' then exists (select from transfers t
          where t.organization_id = e.organization_id and t.id = e.cause_id::uuid and t.status = 'RETURNED')
          else false end
      else
        not exists (select from transfers t where t.organization_id = e.organization_id and t.rule_execution_id = e.id
          and t.status = 'FAILED' and not is_of_bank(t.error_code))
        and exists (select from transfers t where t.organization_id = e.organization_id and t.rule_execution_id = e.id
          and t.status in ('FAILED', 'CANCELLED'))
    end
$$;

-- A run that has failed, or failed in part, is told in the transaction in which it ends: whatever way it came there.
create function note_failed_run() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_now timestamptz := coalesce(new.ended_at, new.created_at);
begin
  if is_end_told(new) then return null; end if;
  insert into notices (organization_id, id, kind, subject_id, api_key_id, created_at, due_at)
    values (new.organization_id, new_id(v_now), 'RULE_RUN_FAILED', new.id, new.rule_id, v_now, v_now);
  return null;
end $$;
-- A chain's eleventh run is written down as failed at once.
create trigger rule_executions_note_stillborn after insert on rule_executions for each row
  when (new.execution_mode = 'LIVE' and new.status in ('FAILED', 'PARTIAL'))
  execute function note_failed_run();
create trigger rule_executions_note_failed after update of status on rule_executions for each row
  when (new.execution_mode = 'LIVE' and new.status in ('FAILED', 'PARTIAL') and old.status is distinct from new.status)
  execute function note_failed_run();

-- What a bank sent back or refused. The argument: the kind of notice.
create function note_bank_answer() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into notices (organization_id, id, kind, subject_id, api_key_id, created_at, due_at)
    values (new.organization_id, new_id(new.updated_at), tg_argv[0], new.id, new.organization_id, new.updated_at,
      new.updated_at);
  return null;
end $$;
create trigger transfers_note_returned after update of status on transfers for each row
  when (new.execution_mode = 'LIVE' and new.status = 'RETURNED' and old.status is distinct from new.status)
  execute function note_bank_answer('TRANSFER_RETURNED');
create trigger transfers_note_refused after update of status on transfers for each row
  when (new.execution_mode = 'LIVE' and new.status = 'FAILED' and old.status is distinct from new.status
    and (new.error_code is null or new.error_code like 'ACH\_%'))
  execute function note_bank_answer('TRANSFER_REFUSED');
