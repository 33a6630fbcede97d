import pg from "pg";
import type { DemoDescription } from "@/lib/contract/demo";
import { openEmbeddedEngine } from "@/lib/db/embedded-engine";

/** What an organization has that an address can name; null if it has none. */
export interface PageFacts {
  organizationId: string;
  /** The managed account with the most movements. */
  accountId: string | null;
  outsideAccountId: string | null;
  payeeId: string | null;
  differenceId: string | null;
  fraudReviewId: string | null;
  connectionId: string | null;
  ruleId: string | null;
  /** A rule with a run that waits for an approval. */
  waitingRuleId: string | null;
  waitingRunId: string | null;
  runId: string | null;
  waitingTransferId: string | null;
  settledTransferId: string | null;
  cardTransactionId: string | null;
  externalTransactionId: string | null;
  keyId: string | null;
  /** Waits for signatures. */
  waitingMandateId: string | null;
  /** In force. */
  usedMandateId: string | null;
  endpointId: string | null;
}

const TEXT = `
  with movements as (
    select t.source_account_id as id, count(*) from transfers t where t.organization_id = $1 group by 1)
  select
    $1::uuid as "organizationId",
    (select a.id from accounts a left join movements m on m.id = a.id
      where a.organization_id = $1 and a.type = 'POD' and a.deleted_at is null
      order by m.count desc nulls last, a.id limit 1) as "accountId",
    (select id from accounts where organization_id = $1 and type = 'EXTERNAL_ACCOUNT' and not is_payee and deleted_at is null
      order by id limit 1) as "outsideAccountId",
    (select id from payees where organization_id = $1 and removed_at is null order by id limit 1) as "payeeId",
    (select id from bank_differences where organization_id = $1 order by state <> 'OPEN', id limit 1) as "differenceId",
    (select id from fraud_reviews where organization_id = $1 order by id limit 1) as "fraudReviewId",
    (select id from connections where organization_id = $1 order by status, id limit 1) as "connectionId",
    (select id from rules where organization_id = $1 and deleted_at is null and active_version is not null
      order by id limit 1) as "ruleId",
    (select e.rule_id from rule_executions e where e.organization_id = $1 and e.status = 'APPROVAL_PENDING'
      order by e.id limit 1) as "waitingRuleId",
    (select e.id from rule_executions e where e.organization_id = $1 and e.status = 'APPROVAL_PENDING'
      order by e.id limit 1) as "waitingRunId",
    (select e.id from rule_executions e join rules r on r.organization_id = e.organization_id and r.id = e.rule_id
      where e.organization_id = $1 and e.status = 'EXECUTED' and r.deleted_at is null and r.active_version is not null
        and r.id = (select id from rules where organization_id = $1 and deleted_at is null
                     and active_version is not null order by id limit 1)
      order by e.id desc limit 1) as "runId",
    (select p.id from proposals p where p.organization_id = $1 and p.state = 'WAITING' and p.kind = 'TRANSFER'
      order by p.id limit 1) as "waitingTransferId",
    (select t.id from transfers t where t.organization_id = $1 and t.status = 'COMPLETE' and t.direction = 'INTERNAL'
        and t.execution_mode = 'LIVE' order by t.id desc limit 1) as "settledTransferId",
    (select id from card_transactions where organization_id = $1 order by id desc limit 1) as "cardTransactionId",
    (select id from external_transactions where organization_id = $1 and vanished_at is null
      order by id desc limit 1) as "externalTransactionId",
    (select id from api_keys where organization_id = $1 and revoked_at is null and client_id is null
      order by id limit 1) as "keyId",
    (select id from mandates where organization_id = $1 and state = 'WAITING' order by id limit 1) as "waitingMandateId",
    (select id from mandates where organization_id = $1 and state = 'IN_FORCE' order by id limit 1) as "usedMandateId",
    (select id from webhook_endpoints where organization_id = $1 and status <> 'DELETED'
      order by id limit 1) as "endpointId"`;

/**
 * Reads what the example addresses name, so that they fit any organization: the demo's and one with a million
 * transfers.
 * @param ownerPool as the owner of the database
 */
export async function readPageFacts(
  ownerPool: Pick<pg.Pool, "query">,
  organizationId: string,
): Promise<PageFacts> {
  const { rows } = await ownerPool.query<PageFacts>(TEXT, [organizationId]);
  const facts = rows[0];
  if (!facts) throw new Error(`There is no organization ${organizationId}`);
  return facts;
}

/**
 * The facts of the demo organization, read from the embedded database of a product that runs on this folder. The demo has
 * no payee without an account, so its key proposes one, once; no difference between bank and books, so it gets a fee that is not booked; no
 * signed review of fraud monitoring, so its owner signs one; and no mandate, so its key gets one that waits and one in force.
 */
export async function readDemoFacts(
  dataDirectory: string,
  { accounts, apiUrl, apiKey }: DemoDescription,
): Promise<PageFacts> {
  const proposed = await fetch(`${apiUrl}/payees`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${apiKey}`,
      "Content-Type": "application/json",
      "Idempotency-Key": "payee-of-the-page-examples",
    },
    body: JSON.stringify({
      name: "Alder Court Properties",
      kind: "BUSINESS",
      reason: "Rent from December on",
    }),
  });
  if (!proposed.ok) throw new Error(`The payee was not proposed: ${await proposed.text()}`);
  const engine = await openEmbeddedEngine({ dataDirectory });
  const owner = new pg.Client(engine.owner);
  await owner.connect();
  try {
    const { rows } = await owner.query<{ id: string }>(
      "select organization_id as id from accounts where id = $1",
      [accounts[0]?.id],
    );
    const organizationId = rows[0]?.id ?? "";
    await addDifference(owner, organizationId);
    await addReview(owner, organizationId);
    await addMandates(owner, organizationId);
    return await readPageFacts(owner, organizationId);
  } finally {
    await owner.end();
    await engine.leave();
  }
}

/** As a reconciliation after the close of the day would find it. */
async function addDifference(owner: Pick<pg.Client, "query">, organizationId: string): Promise<void> {
  await owner.query(
    `with line as (
       insert into bank_lines (organization_id, line_reference, booked_at, day, amount_in_cents, kind, description, read_at)
       values ($1, 'fee-of-the-page-examples', now(), now()::date, -2500, 'FEE', 'Account fee', now())
       on conflict do nothing returning line_reference)
     insert into bank_differences (organization_id, id, kind, line_reference, bank_in_cents, books_in_cents, day,
         differs_from, found_at, state, opened_at)
       select $1, new_id(now()), 'MISSING_HERE', line_reference, -2500, 0, now()::date, now()::date, now(), 'OPEN', now()
         from line`,
    [organizationId],
  );
}

async function addReview(owner: Pick<pg.Client, "query">, organizationId: string): Promise<void> {
  const text = [
    "# Fraud monitoring of the page examples",
    "What was signed is shown as it was signed.",
    "## Limits",
    "- At most $1,000.00 may leave within 24 hours.",
    "- Not in place: floors. No account keeps an amount back from rules and keys.",
  ].join("\n");
  await owner.query(
    `insert into fraud_reviews (organization_id, id, text, digest, note, signed_by, signed_by_name, signed_at)
     select $1, new_id(now()), $2, sha256(convert_to($2, 'UTF8')), 'Read with the bookkeeper', u.id, u.name, now()
       from memberships m join users u on u.id = m.user_id
      where m.organization_id = $1 and m.role = 'OWNER'
        and not exists (select from fraud_reviews where organization_id = $1)
      order by u.id limit 1`,
    [organizationId, text],
  );
}

/** What its first key asked for and a person narrowed, and what a person signed; between two pods, until far ahead. */
async function addMandates(owner: Pick<pg.Client, "query">, organizationId: string): Promise<void> {
  await owner.query(
    `with terms as (
       select k.id as key_id, k.name, o.time_zone, jsonb_build_object('sourceAccountIds', jsonb_build_array(pods.ids[1]),
           'destinationAccountIds', jsonb_build_array(pods.ids[2]), 'minimumInCents', null, 'maximumInCents', 35000,
           'dayInCents', 70000, 'weekInCents', null, 'monthInCents', 150000, 'thirtyDaysInCents', null,
           'totalInCents', 450000, 'maximumUses', 20, 'recurrence', null, 'from', '2026-01-01', 'until', '2027-12-31',
           'keepsInCents', 100000, 'purpose', 'print invoices') as terms
         from organizations o
         join lateral (select id, name from api_keys where organization_id = o.id and revoked_at is null
                         and client_id is null order by id limit 1) k on true
         cross join lateral (select array_agg(id order by id) as ids from accounts
           where organization_id = o.id and type = 'POD' and deleted_at is null) pods
        where o.id = $1 and not exists (select from mandates where organization_id = $1))
     insert into mandates (organization_id, id, api_key_id, state, terms, asked_terms, reason, proposed_by_kind,
         proposed_by_id, proposed_by_name, time_zone, created_at, expires_at, signed_hash, payee_versions, policy_version,
         signed_at)
       select $1, new_id(now()), key_id, 'WAITING', terms,
           terms || '{"maximumInCents": 50000, "monthInCents": 200000, "totalInCents": null}',
           'Two to three small invoices a week. All were approved since March except one.', 'API_KEY', key_id, name,
           time_zone, now(), now() + interval '700 days', null::text, null::jsonb, null::integer, null::timestamptz from terms
       union all
       select $1, new_id(now()), key_id, 'IN_FORCE', terms, terms, null, 'API_KEY', key_id, name, time_zone, now(),
           now() + interval '1 day', 'of the page examples', '{}', 0, now() from terms`,
    [organizationId],
  );
}
