-- Runs by hand, reversals of what a run has moved, and the list of a rule's runs by how they ended.

-- What a member confirmed when they ran a rule by hand, once by the id that the page gave the request: a second click
-- finds the first one's run.
create table run_confirmations (
  organization_id uuid not null,
  request_id      uuid not null,
  rule_id         uuid not null,
  rule_version    integer not null,
  execution_id    uuid not null,
  -- Null: they named none.
  incoming_amount_in_cents bigint check (incoming_amount_in_cents >= 0),
  confirmed_by    uuid not null references users (id),
  method          text not null check (method in ('PASSKEY', 'PASSWORD', 'RECENT_SIGN_IN', 'RECOVERY_CODE')),
  confirmed_at    timestamptz not null,
  primary key (organization_id, request_id),
  -- Written before the run, which must not begin twice.
  foreign key (organization_id, execution_id) references rule_executions (organization_id, id)
    deferrable initially deferred
);

-- Which transfer takes which one back. One that was denied or failed may be followed by another.
create table transfer_reversals (
  organization_id uuid not null,
  transfer_id     uuid not null,
  reversal_id     uuid not null,
  primary key (organization_id, transfer_id, reversal_id),
  foreign key (organization_id, transfer_id) references transfers (organization_id, id),
  foreign key (organization_id, reversal_id) references transfers (organization_id, id)
);

-- The reversal of this transfer that waits, is on its way or is done; null: there is none, and until the commit nobody
-- else makes one.
create function open_reversal(p_organization_id uuid, p_transfer_id uuid) returns uuid
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform 1 from transfers where organization_id = p_organization_id and id = p_transfer_id for no key update;
  return (
    select r.reversal_id from transfer_reversals r
      join transfers t on t.organization_id = p_organization_id and t.id = r.reversal_id
     where r.organization_id = p_organization_id and r.transfer_id = p_transfer_id
       and t.status in ('APPROVAL_PENDING', 'PROCESSING', 'COMPLETE')
     limit 1);
end $$;

-- Nearly all runs end well, and those are found down the list of all; the others would be looked for among them.
create index rule_executions_by_outcome on rule_executions (organization_id, rule_id, status, id desc)
  where status <> 'EXECUTED';

grant select, insert on run_confirmations, transfer_reversals to :"app_role";
grant execute on function open_reversal to :"app_role";
