import type { Pool } from "pg";
import { hasCodeClass } from "@/lib/platform/error-code";

interface Waiting<Item, Row> {
  item: Item;
  resolve: (row: Row) => void;
  reject: (error: unknown) => void;
}

/** A database function that writes many items at once and returns one row for each, in order. */
interface GroupedWrite<Item> {
  name: string;
  /** With one parameter: the items as a JSON array. */
  text: string;
  /** Items are sorted by this, so that two groups lock the same rows in the same order and cannot deadlock. */
  compare: (left: Item, right: Item) => number;
}

/** Items per transaction, which keeps its locks until it ends. */
const MAXIMUM_GROUP = 32;
/** Two, so that one group runs while the other waits for the disk. */
const MAXIMUM_GROUPS = 2;
/** Beyond that callers are refused, to bound memory. */
const MAXIMUM_WAITING = 10_000;
/**
 * Data, constraint, conflict, lock and raised errors: PostgreSQL confirms the rollback. After any other error, such as a
 * lost connection, the commit may have happened, and nothing may be retried.
 */
const UNDONE = ["22", "23", "40", "55", "P0"];

type Writer<Item, Row> = (item: Item) => Promise<Row>;

/**
 * Writes one item together with concurrent ones: one transaction and one round trip per group
 * (docs/decisions/0008-group-writes.md). No timer: a group is what arrived while previous groups were written, so a
 * single request waits for none. A failing item does not affect the others.
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
        reject(new Error(`Too many writes wait for ${write.name}; this one is refused.`));
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
      else reject(new Error(`${write.name} returned no row`));
    }
  } catch (error) {
    if (group.length > 1 && hasCodeClass(error, ...UNDONE)) {
      for (const one of group) await writeGroup(pool, write, [one]);
      return;
    }
    for (const { reject } of group) reject(error);
  }
}
