-- What pages read of an organization of a million transfers stays what they show (docs/pages.md).

-- The tally of a key reads the state of each of its proposals, from the index alone. The state is in the predicate of
-- other indexes already, so a decision writes no more of them than before.
drop index proposals_by_key;
create index proposals_by_key on proposals (organization_id, api_key_id, id desc) include (state);

-- What a rule's runs moved (lib/core/rules/read-rules-page.ts), one look at the index for each run.
drop index transfers_by_execution;
create index transfers_by_execution on transfers (organization_id, rule_execution_id, id)
  include (status, amount_in_cents) where rule_execution_id is not null;

-- What went from one account to another before (lib/core/approvals/transfer-subject.ts): a person who approves waits for
-- it, and of a busy account it was looked for among everything that ever left it.
create index transfers_by_route on transfers (organization_id, source_account_id, destination_account_id, id desc)
  include (amount_in_cents, created_at) where execution_mode = 'LIVE' and status = 'COMPLETE';

-- What has reached an account outside since its bank last told its balance. Only what crosses the border can.
create index transfers_brought_outside on transfers (organization_id, destination_account_id, completed_at)
  include (amount_in_cents) where direction <> 'INTERNAL' and execution_mode = 'LIVE' and status = 'COMPLETE';

-- As in 0025, but that what was taken from an account outside and brought to it is read from an index that holds nothing
-- else: `transfers_taken_outside` and the one above. Between an account outside and another, every transfer crosses the
-- border.
create or replace function read_account_facts(p_organization_id uuid, p_account_ids uuid[])
returns table (
  id uuid, name text, type text, "externalAccountType" text, "isClosed" boolean, "balanceInCents" bigint,
  "availableInCents" bigint, "floorInCents" bigint, "onItsWayInCents" bigint, "nextPaymentMinimumInCents" bigint,
  "lastStatementBalanceInCents" bigint, "interestRatePercentage" double precision
)
language sql stable security definer set search_path = public, pg_temp as $$
  -- Each step is named as in the partial index that holds it, and nothing else is asked for, so that nothing that has
  -- ended is read: an account may have a million transfers that are over.
  with open as materialized (
    select destination_account_id, amount_in_cents from transfers
      where next_step in ('BOOK', 'FAIL') and organization_id = p_organization_id and fails_with is null
    union all
    select destination_account_id, amount_in_cents from transfers
      where next_step in ('SUBMIT', 'ASK') and organization_id = p_organization_id
    union all
    select destination_account_id, amount_in_cents from transfers
      where next_step = 'AWAIT' and organization_id = p_organization_id)
  select a.id, a.name, a.type, a.external_account_type, a.deleted_at is not null,
      coalesce(l.credits_in_cents - l.debits_in_cents, p.balance_in_cents),
      coalesce(l.credits_in_cents - l.debits_in_cents - l.held_in_cents, case when p.refreshed_at is not null then
        coalesce(p.available_balance_in_cents, p.balance_in_cents) - (
          select coalesce(sum(pulled.amount_in_cents), 0)::bigint from transfers pulled
            where pulled.organization_id = a.organization_id and pulled.source_account_id = a.id
              and pulled.direction <> 'INTERNAL' and pulled.execution_mode = 'LIVE'
              and pulled.accepted_at >= p.refreshed_at and pulled.status in ('PROCESSING', 'COMPLETE')) end),
      a.floor_in_cents,
      (select coalesce(sum(o.amount_in_cents), 0)::bigint from open o where o.destination_account_id = a.id)
        + case when p.refreshed_at is null then 0 else (
          -- Settled after the provider's last word, so not in its balance yet.
          select coalesce(sum(s.amount_in_cents), 0)::bigint from transfers s
            where s.organization_id = a.organization_id and s.destination_account_id = a.id
              and s.direction <> 'INTERNAL' and s.execution_mode = 'LIVE' and s.status = 'COMPLETE'
              and s.completed_at >= p.refreshed_at) end,
      p.next_payment_minimum_in_cents, p.last_statement_balance_in_cents,
      p.interest_rate_percentage::double precision
    from accounts a
    left join ledgers l on l.organization_id = a.organization_id and l.id = a.id
    left join provider_balances p on p.organization_id = a.organization_id and p.account_id = a.id
   where a.organization_id = p_organization_id and a.id = any (p_account_ids)
$$;
