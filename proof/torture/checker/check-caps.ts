import type { OpenedOrganization } from "@/proof/torture/checker/history";
import type { Database, TransferRow } from "@/proof/torture/checker/read-database";
import type { Violation } from "@/proof/torture/checker/violation";

const CAPPED = "a capped key sets no more moving in a day than its cap, with all that follows";
/** No chain of rules of the simulation is longer. */
const LONGEST_CHAIN = 12;

const dayOf = new Intl.DateTimeFormat("en-CA", { timeZone: "America/New_York", dateStyle: "short" });

/** Follows each movement back through runs and what set them off to the key that began it, unless a person came between. */
export function checkCaps(database: Database, opened: readonly OpenedOrganization[]): Violation[] {
  const caps = new Map(opened.flatMap(({ keys }) => keys.map(({ id, capInCents }) => [id, capInCents])));
  const moved = new Map<string, number>();
  const keyBehind = createKeyBehind(database);
  for (const transfer of database.transfers) {
    if (transfer.mode !== "LIVE" || transfer.acceptedAt === null) continue;
    const keyId = keyBehind(transfer);
    if (keyId === null || (caps.get(keyId) ?? null) === null) continue;
    const key = `${keyId} ${dayOf.format(transfer.acceptedAt)}`;
    moved.set(key, (moved.get(key) ?? 0) + transfer.amountInCents);
  }
  return [...moved].flatMap(([key, cents]) => {
    const cap = caps.get(key.split(" ")[0] ?? "") ?? 0;
    return cents <= cap ? [] : [{ promise: CAPPED, what: `key and day ${key}: ${cents}` }];
  });
}

function createKeyBehind({ transfers, executions, proposals }: Database) {
  const byId = new Map(transfers.map((row) => [row.id, row]));
  const runs = new Map(executions.map((row) => [row.id, row]));
  const asked = new Set(proposals.map(({ id }) => id));
  return (first: TransferRow): string | null => {
    let transfer: TransferRow | undefined = first;
    for (let step = 0; step < LONGEST_CHAIN && transfer; step++) {
      if (asked.has(transfer.id)) return null;
      if (transfer.executionId === null) return transfer.byKind === "API_KEY" ? transfer.byId : null;
      const run = runs.get(transfer.executionId);
      if (!run || asked.has(run.id)) return null;
      if (run.startedBy === "API_KEY") return run.startedById;
      transfer = run.causeKind === "TRANSFER" ? byId.get(run.causeId ?? "") : undefined;
    }
    return null;
  };
}
