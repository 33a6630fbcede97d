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
const WARM_UP = 160;

const proposedSchema = z.object({ data: z.object({ id: z.string() }) });

/**
 * Approvals of transfers, from the click on the approval page (its server action, over HTTP) until the transfer is
 * completed. People view one proposal of each route, then approve these; only approving is measured.
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
    const approve = (viewed: Viewed) => approveOne(pool, session, requesters, viewed);
    const waiting = await propose(client, requesters, count + WARM_UP);
    let seconds = 0;
    const approveAll = async (ids: readonly string[]) => {
      const latenciesMs: number[] = [];
      for (let start = 0; start < ids.length; start += requesters.routes.length) {
        const viewed: Viewed[] = [];
        for (const proposalId of ids.slice(start, start + requesters.routes.length)) {
          viewed.push({
            proposalId,
            digest: await readDigest(pool, requesters.organizationId, proposalId),
          });
        }
        const startedAt = performance.now();
        latenciesMs.push(...(await together(viewed, concurrency, approve)));
        seconds += (performance.now() - startedAt) / 1_000;
      }
      return latenciesMs;
    };
    await approveAll(waiting.slice(0, WARM_UP));
    seconds = 0;
    const measured = await measureUntil(
      engine.superuser,
      () => approveAll(waiting.slice(WARM_UP)),
      async () => undefined,
    );
    return { ...measured, seconds };
  } finally {
    await client.close();
    await pool.end();
  }
}

/** A proposal, with the digest of what its page showed. */
interface Viewed {
  proposalId: string;
  digest: string;
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
export async function together<Item>(
  items: readonly Item[],
  concurrency: number,
  approve: (item: Item) => Promise<number>,
): Promise<number[]> {
  const left = [...items];
  const latenciesMs: number[] = [];
  const person = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift())
      latenciesMs.push(await approve(item));
  };
  await Promise.all(Array.from({ length: concurrency }, person));
  return latenciesMs;
}

/** @returns the milliseconds from the click to the transfer's completion */
async function approveOne(
  pool: Pool,
  session: Session,
  { organizationId }: Requesters,
  { proposalId, digest }: Viewed,
): Promise<number> {
  const startedAt = performance.now();
  const answer = await session.press(
    "app/approvals/actions.ts decide",
    `/?approvalTransferId=${proposalId}`,
    { proposalId, decision: "APPROVE", digest, note: null, confirmation: { kind: "NONE" } },
  );
  if (!answer.includes('"DECIDED"')) throw new Error(`An approval was answered: ${answer.slice(-500)}`);
  await waitUntilComplete(pool, organizationId, proposalId, startedAt + TIMEOUT_MS);
  return performance.now() - startedAt;
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
