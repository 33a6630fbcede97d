import type { Pool } from "pg";
import { hasCodeClass } from "@/lib/platform/error-code";

interface Waiting<Item, Row> {
  item: Item;
  resolve: (row: Row) => void;
  reject: (error: unknown) => void;
}

/** A function of the database that writes many items at once and answers one row for each, in order. */
export interface GroupedWrite<Item> {
  name: string;
  /** With one parameter: the items as a JSON array. */
  text: string;
  /** Two groups that lock the same rows lock them in the same order, so that neither waits for the other in a circle. */
  compare: (left: Item, right: Item) => number;
}

/** Items of one transaction, which keeps what it locks until it ends. */
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

type Writer<Item, Row> = (item: Item) => Promise<Row>;

/**
 * Writes one item together with those that are asked for at the same moment: one transaction and one round trip for a
 * group of them (architecture page, "Money"). There is no timer: a group is what came in while the groups before it
 * were written, so a single request waits for nobody. An item that fails takes no other with it.
 */
export function groupWrites<Item, Row extends object>(
  write: GroupedWrite<Item>,
): (pool: Pick<Pool, "query">, item: Item) => Promise<Row> {
  const writers = new WeakMap<Pick<Pool, "query">, Writer<Item, Row>>();
  return (pool, item) => {
    const writer = writers.get(pool) ?? createWriter<Item, Row>(pool, write);
    writers.set(pool, writer);
    return writer(item);
  };
}

function createWriter<Item, Row extends object>(
  pool: Pick<Pool, "query">,
  write: GroupedWrite<Item>,
): Writer<Item, Row> {
  let waiting: Waiting<Item, Row>[] = [];
  let groups = 0;

  async function writeWaiting(): Promise<void> {
    groups += 1;
    while (waiting.length > 0) {
      const group = waiting
        .slice(0, MAXIMUM_GROUP)
        .sort((left, right) => write.compare(left.item, right.item));
      waiting = waiting.slice(MAXIMUM_GROUP);
      await writeGroup(pool, write, group);
    }
    groups -= 1;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= MAXIMUM_WAITING) {
        reject(new Error(`More is asked of ${write.name} than it can write; this one is refused.`));
        return;
      }
      waiting.push({ item, resolve, reject });
      if (groups < MAXIMUM_GROUPS) void writeWaiting();
    });
}

/** Never rejects: each item gets its row or its error. */
async function writeGroup<Item, Row extends object>(
  pool: Pick<Pool, "query">,
  write: GroupedWrite<Item>,
  group: readonly Waiting<Item, Row>[],
): Promise<void> {
  try {
    const { rows } = await pool.query<Row>({
      name: write.name,
      text: write.text,
      values: [JSON.stringify(group.map(({ item }) => item))],
    });
    for (const [index, { resolve, reject }] of group.entries()) {
      const row = rows[index];
      if (row) resolve(row);
      else reject(new Error(`${write.name} answered no row`));
    }
  } catch (error) {
    if (group.length > 1 && hasCodeClass(error, ...UNDONE)) {
      for (const one of group) await writeGroup(pool, write, [one]);
      return;
    }
    for (const { reject } of group) reject(error);
  }
}
