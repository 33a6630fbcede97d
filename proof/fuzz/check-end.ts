import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { auditBooks } from "@/lib/testing/conservation";
import type { Scene } from "@/proof/fuzz/scene";

const SETTLE_WITHIN_MS = 15_000;

/** @returns what is wrong with the product after everything that was sent to it */
export async function checkEnd(scene: Scene, dataDirectory: string): Promise<string[]> {
  const problems = [
    ...(await checkReady(scene)),
    ...(await checkTransfer(scene)),
    ...(await checkBooks(scene)),
    ...(await checkConnections(scene)),
    ...(await checkAudit(scene.root, dataDirectory)),
  ];
  return problems;
}

async function checkReady({ appUrl }: Scene): Promise<string[]> {
  const response = await fetch(`${appUrl}/readyz`);
  return response.status === 200 ? [] : [`/readyz answers ${response.status}`];
}

/** Money still moves, with a key and between pods that no request has seen. */
async function checkTransfer({ own, appUrl, database }: Scene): Promise<string[]> {
  const key = await own.addKey(
    [{ type: "MANUAL_TRANSFER", entries: [{ source: "ANY", target: "ANY" }], approval: { required: false } }],
    "after the fuzz",
  );
  const from = await own.addAccount({ name: "After", type: "POD", balanceInCents: 10_000 });
  const to = await own.addAccount({ name: "Later", type: "POD" });
  const response = await fetch(`${appUrl}/platform/v1/transfers`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${key.text}`,
      "Content-Type": "application/json",
      "Idempotency-Key": randomUUID(),
    },
    body: JSON.stringify({ sourceAccountId: from, destinationAccountId: to, amountInCents: 2_500 }),
  });
  const text = await response.text();
  if (response.status !== 202) return [`a transfer is refused with ${response.status}: ${text}`];
  const deadline = performance.now() + SETTLE_WITHIN_MS;
  while (performance.now() < deadline) {
    const { rows } = await database.ownerPool.query(
      "select from transfers where organization_id = $1 and source_account_id = $2 and status = 'COMPLETE'",
      [own.organizationId, from],
    );
    if (rows.length > 0) return [];
    await pause(100);
  }
  return [`a transfer is not complete after ${SETTLE_WITHIN_MS} ms`];
}

async function checkBooks({ database, own, stranger, demoId }: Scene): Promise<string[]> {
  const problems: string[] = [];
  for (const id of [own.organizationId, stranger.organizationId, demoId]) {
    const books = await auditBooks(database, id);
    const { wrongLedgers, negative, wrongHolds, unbookedCauses } = books;
    const wrong = [wrongLedgers, negative, wrongHolds, unbookedCauses].flat();
    const isConserved = books.managedInCents === books.cameInInCents - books.wentOutInCents;
    // The organization's fixture inserts a card purchase that was never booked.
    const unexpected = wrong.filter(
      (found) => found !== own.ids.cardTransaction && found !== stranger.ids.cardTransaction,
    );
    if (unexpected.length > 0 || !isConserved)
      problems.push(`the books of ${id} do not balance: ${JSON.stringify(books)}`);
  }
  return problems;
}

/** No transaction is left open, and nothing waits for a lock. */
async function checkConnections({ database }: Scene): Promise<string[]> {
  const { rows } = await database.ownerPool.query<{ state: string; n: number }>(
    `select state || coalesce(' ' || wait_event, '') as state, count(*)::int as n from pg_stat_activity
      where usename = 'sluice_app' and (state like 'idle in transaction%' or wait_event_type = 'Lock') group by 1`,
  );
  return rows.map(({ state, n }) => `${n} connections to the database are ${state}`);
}

async function checkAudit(root: string, dataDirectory: string): Promise<string[]> {
  try {
    await promisify(execFile)(process.execPath, [join(root, ".build", "audit-verify.mjs")], {
      cwd: root,
      env: { ...process.env, SLUICE_DATA_DIR: dataDirectory, DATABASE_URL: "", LOG_LEVEL: "error" },
    });
    return [];
  } catch (error) {
    return [`the audit log does not verify: ${error instanceof Error ? error.message : error}`];
  }
}
