import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import { z } from "zod";
import { readApprovalFacts } from "@/lib/core/approvals/approval-facts";
import { runChecks } from "@/lib/core/approvals/checks";
import { approvalDigest } from "@/lib/core/approvals/digest";
import { createPool } from "@/lib/db/pool";
import { systemClock } from "@/lib/platform/clock";
import { type Measurement, measureUntil } from "@/proof/bench/measurement";
import type { Running } from "@/proof/bench/performance/measure-api";
import {
  apiRequest,
  type Client,
  openClient,
  openSession,
  type Session,
} from "@/proof/bench/performance/session";
import type { Requesters } from "@/proof/bench/performance/world";

const POLL_MS = 2;
const TIMEOUT_MS = 30_000;
/** Warm-up that is not counted: routes are loaded and code is compiled. */
const WARM_UP = 150;

const proposedSchema = z.object({ data: z.object({ id: z.string() }) });

/**
 * Approvals of transfers, from the click on the approval page (its server action, over HTTP) until the transfer is
 * completed. What the page shows is read before the click and not included.
 * @param count of approvals
 * @param concurrency of people who click
 */
export async function measureApprovals(
  { engine, world, fleet }: Running,
  { count, concurrency }: { count: number; concurrency: number },
): Promise<Measurement> {
  const client = openClient(fleet.urls, concurrency);
  // As a role other than the application's, whose statements are counted.
  const pool = createPool(engine.owner);
  const { requesters } = world;
  try {
    const session = await openSession(client, fleet.urls, requesters.decider);
    const waiting = await propose(client, requesters, count + WARM_UP);
    const approve = (proposalId: string) => approveOne(pool, session, requesters, proposalId);
    await together(waiting.slice(0, WARM_UP), concurrency, approve);
    return await measureUntil(
      engine.superuser,
      () => together(waiting.slice(WARM_UP), concurrency, approve),
      async () => undefined,
    );
  } finally {
    await client.close();
    await pool.end();
  }
}

/** @returns the ids of transfers that wait for approval */
async function propose(client: Client, requesters: Requesters, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made++) {
    const keyText = requesters.keyTexts[made % requesters.keyTexts.length] ?? "";
    const route = requesters.routes[made % requesters.routes.length];
    const body = { ...route, amountInCents: 100, reasonForApproval: "bench" };
    const answer = await client.ask(apiRequest(keyText, "POST", "/transfers", body));
    ids.push(proposedSchema.parse(JSON.parse(answer)).data.id);
  }
  return ids;
}

/** Works through a list, several at a time. @returns the milliseconds that each took */
export async function together(
  ids: readonly string[],
  concurrency: number,
  approve: (id: string) => Promise<number>,
): Promise<number[]> {
  const left = [...ids];
  const latenciesMs: number[] = [];
  const person = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) latenciesMs.push(await approve(id));
  };
  await Promise.all(Array.from({ length: concurrency }, person));
  return latenciesMs;
}

/** @returns the milliseconds from the click to the transfer's completion */
async function approveOne(
  pool: Pool,
  session: Session,
  { organizationId }: Requesters,
  proposalId: string,
): Promise<number> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (performance.now() < deadline) {
    const digest = await readDigest(pool, organizationId, proposalId);
    const startedAt = performance.now();
    const answer = await session.press(
      "app/approvals/actions.ts decide",
      `/?approvalTransferId=${proposalId}`,
      { proposalId, decision: "APPROVE", digest, note: null, confirmation: { kind: "NONE" } },
    );
    if (answer.includes('"DECIDED"')) {
      await waitUntilComplete(pool, organizationId, proposalId, deadline);
      return performance.now() - startedAt;
    }
    // Another approval changed what this one showed: viewed again, as a person would.
    if (!answer.includes('"CHANGED"')) throw new Error(`An approval was answered: ${answer.slice(-500)}`);
  }
  throw new Error("An approval was not decided in time");
}

/** The digest of what the approval page shows. */
export async function readDigest(pool: Pool, organizationId: string, proposalId: string): Promise<string> {
  const facts = await readApprovalFacts(pool, organizationId, proposalId, systemClock.now());
  if (!facts) throw new Error("There is no such proposal");
  return approvalDigest(facts, runChecks(facts));
}

/** Polls, since nothing notifies. */
export async function waitUntilComplete(
  pool: Pool,
  organizationId: string,
  transferId: string,
  deadline: number,
): Promise<void> {
  while (performance.now() < deadline) {
    const { rowCount } = await pool.query({
      name: "bench_is_complete",
      text: "select from transfers where organization_id = $1 and id = $2 and status = 'COMPLETE'",
      values: [organizationId, transferId],
    });
    if (rowCount === 1) return;
    await pause(POLL_MS);
  }
  throw new Error("An approved transfer was not completed in time");
}
