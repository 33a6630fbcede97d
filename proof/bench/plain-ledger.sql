-- The plain ledger transaction: the least that a ledger writes for one move of money, as one function call per move. The
-- first limit of every benchmark: it shares no statement with the product, so it does not get easier when those get
-- heavier. 200 organizations of 8 accounts.
create schema plain_ledger;
set local search_path = plain_ledger;

create table ledgers (
  organization_id uuid not null,
  id              integer not null,
  credits         bigint not null default 0,
  debits          bigint not null default 0,
  held            bigint not null default 0,
  primary key (organization_id, id),
  check (credits - debits - held >= 0)
);
create table transfers (
  organization_id uuid not null,
  id              uuid not null,
  status          text not null,
  source          integer not null,
  destination     integer not null,
  amount          bigint not null check (amount > 0),
  description     text,
  created_at      timestamptz not null,
  primary key (organization_id, id)
);
create index on transfers (organization_id, source, id desc);
create index on transfers (organization_id, destination, id desc);
create table entries (
  organization_id uuid not null,
  id              uuid not null,
  debit           integer not null,
  credit          integer not null,
  amount          bigint not null,
  transfer_id     uuid not null,
  primary key (organization_id, id),
  unique (organization_id, transfer_id)
);
create index on entries (organization_id, debit, id desc);
create index on entries (organization_id, credit, id desc);
create table audit_entries (
  organization_id uuid not null,
  id              uuid not null,
  action          text,
  path            text,
  outcome         text,
  at              timestamptz,
  primary key (organization_id, id)
);
create table idempotency_results (
  organization_id uuid not null,
  caller_id       uuid not null,
  key             text not null,
  status          integer,
  body            jsonb,
  expires_at      timestamptz,
  primary key (organization_id, caller_id, key)
);

insert into ledgers
  select ('00000000-0000-0000-0000-' || lpad((i / 8)::text, 12, '0'))::uuid, i, 1000000000000
    from generate_series(0, 1599) i;

create function move(p_from integer, p_to integer, p_amount bigint) returns void
language plpgsql security definer set search_path = plain_ledger, pg_temp as $$
declare
  v_organization_id uuid := ('00000000-0000-0000-0000-' || lpad((p_from / 8)::text, 12, '0'))::uuid;
  v_id uuid := uuidv7();
begin
  perform 1 from ledgers where organization_id = v_organization_id and id in (p_from, p_to) order by id for update;
  insert into idempotency_results
    values (v_organization_id, v_organization_id, v_id::text, 202, '{"data":{"id":"x","status":"PROCESSING"}}',
      now() + interval '1 day');
  insert into transfers values (v_organization_id, v_id, 'COMPLETE', p_from, p_to, p_amount, 'bench', now());
  update ledgers set debits = debits + p_amount where organization_id = v_organization_id and id = p_from;
  update ledgers set credits = credits + p_amount where organization_id = v_organization_id and id = p_to;
  insert into entries values (v_organization_id, uuidv7(), p_from, p_to, p_amount, v_id);
  insert into audit_entries
    values (v_organization_id, uuidv7(), 'CREATE_TRANSFER', '/transfers', 'SUCCESS', now());
end $$;

grant usage on schema plain_ledger to sluice_app;
