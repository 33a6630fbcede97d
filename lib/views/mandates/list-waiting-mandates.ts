import { readMandates } from "@/lib/core/mandates/read-mandates";
import type { Queryable } from "@/lib/db/transaction";
import { describeMandate, readMandateNames } from "@/lib/views/mandates/describe-mandate";

/** What keys want to do by themselves and waits for signatures, soonest to expire first, and how many. `now`: business time. */
export async function listWaitingMandates(
  database: Queryable,
  context: { organizationId: string; now: Date },
  limit: number,
) {
  const { organizationId, now } = context;
  const all = await readMandates(database, { organizationId, now }, { states: ["WAITING"] });
  const waiting = all
    .filter(({ isExpired }) => !isExpired)
    .toSorted((left, right) => left.expiresAt.getTime() - right.expiresAt.getTime());
  const shown = waiting.slice(0, limit);
  const names = await readMandateNames(
    database,
    organizationId,
    shown.map(({ terms }) => terms),
  );
  return {
    count: waiting.length,
    listed: shown.map((mandate) => ({
      ...describeMandate(mandate, names),
      proposedBy: { kind: mandate.proposedBy.kind, name: mandate.proposedBy.name },
      proposedAt: mandate.createdAt.toISOString(),
    })),
  };
}

export type WaitingMandatesView = Awaited<ReturnType<typeof listWaitingMandates>>;
