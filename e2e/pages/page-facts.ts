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
 * no payee, so its key proposes one, once; no difference between bank and books, so it gets a fee that is not booked; and no
 * signed review of fraud monitoring, so its owner signs one.
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
