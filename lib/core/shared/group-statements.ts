import type { Queryable } from "@/lib/db/transaction";
import { hasCodeClass } from "@/lib/platform/error-code";

interface Waiting<Item, Row> {
  item: Item;
  arrivedAt: number;
  resolve: (row: Row) => void;
  reject: (error: unknown) => void;
}

/** A statement that reads or writes many items at once and returns one row for each, in order. */
interface GroupedStatement<Item> {
  name: string;
  /** With one parameter: the items as a JSON array. */
  text: string;
  /** Items are sorted by this, so that two groups lock the same rows in the same order and cannot deadlock. */
  compare: (left: Item, right: Item) => number;
  /** Items per transaction, which keeps its locks until it ends. */
  maximumGroup?: number;
}

const MAXIMUM_GROUP = 32;
/** Two, so that one group runs while the other is parsed, answered, or waits for the disk. */
const MAXIMUM_GROUPS = 2;
/** A group that takes longer waits for a lock, and others must not wait for that. */
const PATIENCE_MS = 25;
/** Also bounds what the pool does not: waiting for a connection, then for the answer, then once more for each item. */
const GROUP_DEADLINE_MS = 30_000;
/** An item that waited this long for its group is refused: its caller has left, and others wait behind it. */
const LONGEST_WAIT_MS = 20_000;
/** Beyond that callers are refused, to bound memory. */
const MAXIMUM_WAITING = 10_000;
/**
 * Data, constraint, conflict, lock and raised errors: PostgreSQL confirms the rollback. After any other error, such as a
 * lost connection, the commit may have happened, and nothing may be retried.
 */
const UNDONE = ["22", "23", "40", "55", "P0"];

/** No answer in time. Each item may or may not have been carried out: only a retry with the same key may find out. */
class UnknownOutcome extends Error {
  override readonly name = "UnknownOutcome";

  constructor(statement: string) {
    super(
      `${statement} was not answered within ${GROUP_DEADLINE_MS / 1_000} seconds. ` +
        "It may or may not have taken effect: look it up, or retry with the same key.",
    );
  }
}

type Sender<Item, Row> = (item: Item) => Promise<Row>;

/**
 * Reads or writes one item together with concurrent ones: one transaction and one round trip per group
 * (docs/decisions/0008-group-writes.md). A group is what arrived at once, or while the previous group was running, so a
 * single request waits for none. A failing item does not affect the others.
 */
export function groupStatements<Item, Row extends object>(
  statement: GroupedStatement<Item>,
): (pool: Queryable, item: Item) => Promise<Row> {
  const senders = new WeakMap<Queryable, Sender<Item, Row>>();
  return (pool, item) => {
    const sender = senders.get(pool) ?? createSender<Item, Row>(pool, statement);
    senders.set(pool, sender);
    return sender(item);
  };
}

function createSender<Item, Row extends object>(
  pool: Queryable,
  statement: GroupedStatement<Item>,
): Sender<Item, Row> {
  const { maximumGroup = MAXIMUM_GROUP } = statement;
  let waiting: Waiting<Item, Row>[] = [];
  let groups = 0;
  let isGathering = false;
  let isPatient = false;

  /**
   * A group that is half full leaves at once: if it waited until all that arrived is parsed, PostgreSQL and this process
   * would work by turns. A smaller one is worth its statement only if no other is running.
   */
  function sendWhatWaits(): void {
    while (groups < MAXIMUM_GROUPS && waiting.length >= maximumGroup / 2) void sendGroupOfWaiting();
    if (waiting.length === 0 || groups >= MAXIMUM_GROUPS) return;
    if (groups === 0) gather();
    else waitPatiently();
  }

  /**
   * Until all requests that arrived with this one are parsed, and those that arrived while they were: the first would
   * otherwise be a group of its own. Turns of the event loop, not milliseconds: without others they take no time.
   */
  function gather(): void {
    if (isGathering) return;
    isGathering = true;
    setImmediate(() =>
      setImmediate(() => {
        isGathering = false;
        if (groups === 0 && waiting.length > 0) void sendGroupOfWaiting();
      }),
    );
  }

  function waitPatiently(): void {
    if (isPatient) return;
    isPatient = true;
    setTimeout(() => {
      isPatient = false;
      if (groups < MAXIMUM_GROUPS && waiting.length > 0) void sendGroupOfWaiting();
    }, PATIENCE_MS);
  }

  async function sendGroupOfWaiting(): Promise<void> {
    refuseLate();
    const group = waiting
      .slice(0, maximumGroup)
      .sort((left, right) => statement.compare(left.item, right.item));
    waiting = waiting.slice(maximumGroup);
    if (group.length === 0) return;
    groups += 1;
    await withinDeadline(statement.name, group, (isOver) => sendGroup(pool, statement, group, isOver));
    groups -= 1;
    sendWhatWaits();
  }

  /** Arrivals are in order, so that the first that is in time ends the look. */
  function refuseLate(): void {
    const latest = performance.now() - LONGEST_WAIT_MS;
    const late = waiting.findIndex(({ arrivedAt }) => arrivedAt >= latest);
    for (const { reject } of waiting.splice(0, late === -1 ? waiting.length : late))
      reject(new Error(`${statement.name} was not sent within ${LONGEST_WAIT_MS / 1_000} seconds.`));
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= MAXIMUM_WAITING) {
        reject(new Error(`Too many wait for ${statement.name}; this one is refused.`));
        return;
      }
      waiting.push({ item, arrivedAt: performance.now(), resolve, reject });
      sendWhatWaits();
    });
}

/**
 * Never rejects. At the deadline each item without an answer gets `UnknownOutcome`, and the next group begins; what was
 * sent may still be carried out.
 * @param send must begin nothing more once `isOver`
 */
async function withinDeadline<Item, Row>(
  name: string,
  group: readonly Waiting<Item, Row>[],
  send: (isOver: () => boolean) => Promise<void>,
): Promise<void> {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      isOver = true;
      // Those that have their answer ignore this.
      for (const { reject } of group) reject(new UnknownOutcome(name));
      resolve();
    }, GROUP_DEADLINE_MS);
  });
  await Promise.race([send(() => isOver), deadline]);
  clearTimeout(timer);
}

/** Never rejects: each item gets its row or its error. */
async function sendGroup<Item, Row extends object>(
  pool: Queryable,
  statement: GroupedStatement<Item>,
  group: readonly Waiting<Item, Row>[],
  isOver: () => boolean,
): Promise<void> {
  try {
    const { rows } = await pool.query<Row>({
      name: statement.name,
      text: statement.text,
      values: [JSON.stringify(group.map(({ item }) => item))],
    });
    for (const [index, { resolve, reject }] of group.entries()) {
      const row = rows[index];
      if (row) resolve(row);
      else reject(new Error(`${statement.name} returned no row`));
    }
  } catch (error) {
    if (group.length > 1 && hasCodeClass(error, ...UNDONE)) {
      for (const one of group) if (!isOver()) await sendGroup(pool, statement, [one], isOver);
      return;
    }
    for (const { reject } of group) reject(error);
  }
}
