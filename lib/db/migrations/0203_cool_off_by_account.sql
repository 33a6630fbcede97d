-- The cool-off counts by bank account and over all accounts that cool off, not by payee and version.
alter table payee_details add column account_key bytea;
comment on column payee_details.account_key is
'HMAC-SHA-256 of the organization and the routing and account number, under the product''s secret; null: given before it
was kept. Tells whether two payees have one account; the number itself is only at the bank.';
alter table payees add column account_key bytea, add column cools_off_since timestamptz;
comment on column payees.account_key is
'Of this version (account_key_of); null: confirmed before it was kept, or not confirmed.';
comment on column payees.cools_off_since is
'When the bank account of this version began to cool off, as another payee or version too; null: confirmed_at.';
alter table registered_accounts add column account_key bytea, add column cools_off_since timestamptz;
comment on column registered_accounts.account_key is 'As of payees; null: registered before it was kept.';
comment on column registered_accounts.cools_off_since is 'As of payees; null: registered_at.';

create table cool_off_orders (
  organization_id uuid not null,
  transfer_id     uuid not null,
  account_key     bytea not null,
  accepted_at     timestamptz not null,
  cools_off_until timestamptz not null,
  waits           boolean not null,
  primary key (organization_id, transfer_id)
);
comment on table cool_off_orders is
'Payments out that were accepted while their destination cooled off. No foreign key to transfers: it is written before
its transfer, in the same statement.';
comment on column cool_off_orders.account_key is 'Of the destination, as it was accepted (account_key_of).';
comment on column cool_off_orders.waits is 'It leaves after the end, so it takes nothing from what may leave before.';
create index cool_off_orders_by_end on cool_off_orders (organization_id, cools_off_until);
create index cool_off_orders_by_account on cool_off_orders (organization_id, account_key, accepted_at);
grant select on cool_off_orders to :"app_role";

-- What has left already to payees and registered accounts that cool off now. Of accounts of which only four digits are
-- known, those with the same digits count as one (account_key_of).
insert into cool_off_orders (organization_id, transfer_id, account_key, accepted_at, cools_off_until, waits)
  select t.organization_id, t.id, sha256(convert_to(
        'last four|' || coalesce(a.routing_number_last4, '') || '|' || coalesce(a.account_number_last4, ''), 'UTF8')),
      t.accepted_at, c.cools_off_until, t.next_step is not distinct from 'SUBMIT' and t.due_at >= c.cools_off_until
    from (
      select p.organization_id, p.id, p.confirmed_at as since, p.cools_off_until from payees p
      union all
      select r.organization_id, r.account_id, r.registered_at, r.cools_off_until from registered_accounts r) c
    join organizations o on o.id = c.organization_id
    join accounts a on a.organization_id = c.organization_id and a.id = c.id
    join transfers t on t.organization_id = c.organization_id and t.destination_account_id = c.id
   where c.cools_off_until > clock_timestamp() + o.clock_offset_ms * interval '1 millisecond'
     and t.direction = 'MONEY_OUT' and t.execution_mode = 'LIVE' and t.accepted_at >= c.since
     and t.status in ('PROCESSING', 'COMPLETE');
