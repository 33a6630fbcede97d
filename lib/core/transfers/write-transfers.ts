import type { Pool } from "pg";
import { hasCodeClass } from "@/lib/platform/db/error-code";

/** What `create_transfers` answers for one item. */
export interface OutcomeRow {
  outcome: "CREATED" | "REPLAY" | "IN_PROGRESS" | "KEY_REVOKED";
  replay_status: number | null;
  replay_body: unknown;
  replay_fingerprint: string | null;
}

/** One item of `create_transfers`, whose fields `create-transfer.ts` writes; what matters here is what it locks. */
export interface TransferItem {
  organizationId: string;
  transfer: { sourceAccountId: string | null };
}

interface Waiting {
  item: TransferItem;
  resolve: (outcome: OutcomeRow) => void;
  reject: (error: unknown) => void;
}

/** Transfers of one transaction, which keeps their ledgers locked until it ends. */
const MAXIMUM_GROUP = 32;
/** Two, so that one group is at work while the other waits for the disk. */
const MAXIMUM_GROUPS = 2;
/** Beyond that a caller is refused rather than kept in memory without bound. */
const MAXIMUM_WAITING = 10_000;
/**
 * Data, constraint, conflict, lock and raised errors: PostgreSQL says that it undid everything. After any other, a lost
 * connection above all, the commit may have happened, and nothing may be tried again.
 */
const UNDONE = ["22", "23", "40", "55", "P0"];

const writers = new WeakMap<Pick<Pool, "query">, (item: TransferItem) => Promise<OutcomeRow>>();

/**
 * Writes one transfer, together with those that are asked for at the same moment: one transaction and one round trip
 * for a group of them (architecture page, "Money"). There is no timer: a group is what came in while the groups before
 * it were written, so a single request waits for nobody. An item that fails takes no other with it.
 */
export function writeTransfer(pool: Pick<Pool, "query">, item: TransferItem): Promise<OutcomeRow> {
  const writer = writers.get(pool) ?? createWriter(pool);
  writers.set(pool, writer);
  return writer(item);
}

function createWriter(pool: Pick<Pool, "query">): (item: TransferItem) => Promise<OutcomeRow> {
  let waiting: Waiting[] = [];
  let groups = 0;

  async function writeGroups(): Promise<void> {
    groups += 1;
    while (waiting.length > 0) {
      const group = waiting.slice(0, MAXIMUM_GROUP).sort(bySource);
      waiting = waiting.slice(MAXIMUM_GROUP);
      await writeGroup(pool, group);
    }
    groups -= 1;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= MAXIMUM_WAITING) {
        reject(new Error("Transfers are asked for faster than they can be written; this one is refused."));
        return;
      }
      waiting.push({ item, resolve, reject });
      if (groups < MAXIMUM_GROUPS) void writeGroups();
    });
}

/** Two groups that lock the same sources lock them in the same order, so that neither waits for the other in a circle. */
function bySource({ item: left }: Waiting, { item: right }: Waiting): number {
  const key = ({ organizationId, transfer }: TransferItem) => `${organizationId} ${transfer.sourceAccountId}`;
  return key(left) < key(right) ? -1 : key(left) > key(right) ? 1 : 0;
}

/** Never rejects: each item gets its outcome or its error. */
async function writeGroup(pool: Pick<Pool, "query">, group: readonly Waiting[]): Promise<void> {
  try {
    const outcomes = await callDatabase(pool, group);
    for (const [index, { resolve, reject }] of group.entries()) {
      const outcome = outcomes[index];
      if (outcome) resolve(outcome);
      else reject(new Error("create_transfers answered no row"));
    }
  } catch (error) {
    if (group.length > 1 && hasCodeClass(error, ...UNDONE)) {
      for (const one of group) await writeGroup(pool, [one]);
      return;
    }
    for (const { reject } of group) reject(error);
  }
}

async function callDatabase(pool: Pick<Pool, "query">, group: readonly Waiting[]): Promise<OutcomeRow[]> {
  const { rows } = await pool.query<OutcomeRow>({
    name: "create_transfers",
    text: "select * from write_transfers($1)",
    values: [JSON.stringify(group.map(({ item }) => item))],
  });
  return rows;
}
