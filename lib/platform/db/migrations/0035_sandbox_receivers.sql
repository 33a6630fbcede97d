-- The sandbox's receiver of webhooks: it plays a customer's server, at an address of this very process.

create table sandbox_receivers (
  organization_id uuid        primary key references organizations (id),
  -- 128 random bits, in its address: whoever knows it may write to what the receiver remembers, and to nothing else.
  token           text        not null unique check (token ~ '^[0-9a-f]{32}$'),
  -- receiverModeSchema (contract/sandbox-receiver.ts).
  mode            text        not null check (mode in ('OK', 'UNAVAILABLE', 'ERROR', 'GONE', 'SILENT', 'FLAKY')),
  -- How many deliveries it has had: the next one's place.
  received        bigint      not null default 0,
  created_at      timestamptz not null
) with (fillfactor = 70);

-- The last twenty deliveries, each in the slot of the one twenty before it: however many come, there are no more rows.
create table sandbox_receipts (
  organization_id uuid        not null references sandbox_receivers (organization_id),
  slot            smallint    not null check (slot between 0 and 19),
  place           bigint      not null,
  -- How it answered then; with the place it says what (core/sandbox/receiver-status.ts).
  mode            text        not null,
  event_id        uuid        not null,
  type            text        not null,
  resource_type   text        not null,
  resource_id     uuid        not null,
  -- Business time, as everything on the page that shows it.
  received_at     timestamptz not null,
  primary key (organization_id, slot),
  check (slot = place % 20)
) with (fillfactor = 70);

-- Gives the endpoints that send to receivers the address at which this process answers: the next start may be on
-- another port. Only an address that ends with its own organization's token is changed. Answers how many were.
-- p_base: what comes before the token.
create function move_sandbox_receivers(p_base text) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_moved integer;
begin
  update webhook_endpoints e set url = p_base || r.token
    from sandbox_receivers r
    where r.organization_id = e.organization_id and e.status <> 'DELETED'
      and e.url like '%/sandbox/receivers/' || r.token and e.url <> p_base || r.token;
  get diagnostics v_moved = row_count;
  return v_moved;
end $$;

grant select, insert on sandbox_receivers, sandbox_receipts to :"app_role";
grant update (mode, received) on sandbox_receivers to :"app_role";
grant update (place, mode, event_id, type, resource_type, resource_id, received_at) on sandbox_receipts to :"app_role";
grant execute on function move_sandbox_receivers to :"app_role";
