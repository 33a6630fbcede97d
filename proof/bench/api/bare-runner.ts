import type { Pool, PoolClient } from "pg";
import { z } from "zod";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { systemClock } from "@/lib/platform/clock";
import { newId } from "@/lib/platform/ids";

/**
 * Sends the statements of one operation in their order and transaction, and does nothing else of the product.
 * @param others the first of these ids in this run; ids unknown to the plan are generated each time
 */
type BareRunner = (operation: string, others?: ReadonlyMap<string, string>) => Promise<unknown[]>;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Starts ahead of the API's own numbers, which count up from the highest existing one. */
const FIRST_VERSION = 1_000_000;

interface Run {
  keyHash: string;
  nextVersion: () => number;
  idOf: (id: string) => string;
}

export function createBareRunner(pool: Pool, plan: BarePlan): BareRunner {
  const known = new Set(plan.knownIds);
  let count = 0;
  let version = 0;

  function begin(others: ReadonlyMap<string, string>): Run {
    const freshIds = new Map(others);
    let ownVersion: number | null = null;
    return {
      keyHash: plan.keyHashes[count++ % plan.keyHashes.length] ?? "",
      // Only when needed: by then the rule is locked, and versions are created in the order of their numbers.
      nextVersion: () => {
        if (ownVersion === null) {
          version = Math.max(version + 1, FIRST_VERSION + Math.round(performance.now() * 10));
          ownVersion = version;
        }
        return ownVersion;
      },
      idOf: (id) => {
        if (known.has(id)) return id;
        const fresh = freshIds.get(id) ?? newId(systemClock.now());
        freshIds.set(id, fresh);
        return fresh;
      },
    };
  }

  return async (operation, others = new Map()) => {
    const statements = plan.operations[operation] ?? [];
    const own = begin(others);
    const before = statements.findIndex(({ isOnClient }) => isOnClient);
    const outside = statements.filter(({ isOnClient }) => !isOnClient);
    const inside = statements.filter(
      ({ isOnClient, text }) => isOnClient && !/^(begin|start transaction|commit)/i.test(text),
    );
    const answers: unknown[] = [];
    for (const statement of before < 0 ? outside : outside.slice(0, before)) {
      answers.push(...(await send(pool, statement, own)));
    }
    if (before < 0) return answers;
    await inTransaction(pool, async (client) => {
      for (const statement of inside) answers.push(...(await send(client, statement, own)));
    });
    for (const statement of outside.slice(before)) answers.push(...(await send(pool, statement, own)));
    return answers;
  };
}

async function send(on: Queryable, { name, text, values }: BareStatement, run: Run): Promise<unknown[]> {
  const own = values.map((value) => restore(value, run));
  const { rows } = await on.query(name === null ? { text, values: own } : { name, text, values: own });
  return rows;
}

function restore(value: BareStatement["values"][number], run: Run): unknown {
  if ("$date" in value) return new Date(value.$date);
  if ("$hex" in value) return Buffer.from(value.$hex, "hex");
  if ("$keyed" in value) return withKeyHash(value.$keyed, run.keyHash);
  if ("$version" in value) return run.nextVersion();
  return withIds(value.$plain, run);
}

const KEY_HASH = "{the hash of the key}";

export function withKeyHash(text: string, keyHash: string): string {
  return text.replace(KEY_HASH, keyHash);
}

function withIds(value: unknown, run: Run): unknown {
  if (typeof value === "string") return value.replace(UUID, run.idOf);
  return Array.isArray(value) ? value.map((each) => withIds(each, run)) : value;
}

/** A value of a statement, in a form that JSON can carry. */
const valueSchema = z.union([
  z.object({ $date: z.iso.datetime() }),
  z.object({ $hex: z.string() }),
  /** A text with the hash of the next key in turn. */
  z.object({ $keyed: z.string() }),
  /** The number of the version that this request creates. */
  z.object({ $version: z.literal(true) }),
  z.object({ $plain: z.unknown() }),
]);
type PlanValue = z.infer<typeof valueSchema>;

const statementSchema = z.object({
  name: z.string().nullable(),
  text: z.string(),
  values: z.array(valueSchema),
  isOnClient: z.boolean(),
});

/** The bare handler's plan: for each operation, the statements that Sluice sent for one request. */
export const barePlanSchema = z.object({
  keyHashes: z.array(z.string()),
  /** Ids that are the same in every request; all others are generated each time. */
  knownIds: z.array(z.string()),
  operations: z.record(z.string(), z.array(statementSchema)),
});
export type BarePlan = z.infer<typeof barePlanSchema>;
export type BareStatement = z.infer<typeof statementSchema>;

/** @param keyHash in hexadecimal; null if no key sent it */
export function toBareStatement(sent: SentStatement, keyHash: string | null): BareStatement {
  const makesVersion = sent.name !== null && MAKES_VERSION.includes(sent.name);
  return {
    ...sent,
    values: sent.values.map((value) =>
      makesVersion && typeof value === "number" ? { $version: true } : toPlanValue(value, keyHash),
    ),
  };
}

/** An edit of a rule creates its next version; repeated with the same number it would be refused. */
const MAKES_VERSION = ["update_rule", "insert_rule_version"];

function toPlanValue(value: unknown, keyHash: string | null): PlanValue {
  if (value instanceof Date) return { $date: value.toISOString() };
  if (value instanceof Uint8Array) return { $hex: Buffer.from(value).toString("hex") };
  if (keyHash !== null && typeof value === "string" && value.includes(keyHash)) {
    return { $keyed: value.replace(keyHash, KEY_HASH) };
  }
  return { $plain: value };
}

/** A statement as it was sent to PostgreSQL. */
export interface SentStatement {
  name: string | null;
  text: string;
  values: unknown[];
  /** Sent inside a transaction on its own connection, not on the pool. */
  isOnClient: boolean;
}

/** The pool, which records what is sent. */
export function noteStatements(pool: Pool, sent: SentStatement[]): Pool {
  return withQuery(pool, sent, false, {
    connect: async () => {
      const client = await pool.connect();
      return withQuery(client, sent, true, { release: (broken?: boolean) => client.release(broken) });
    },
  });
}

function withQuery<T extends Pool | PoolClient>(
  target: T,
  sent: SentStatement[],
  isOnClient: boolean,
  others: Record<string, unknown>,
): T {
  return new Proxy(target, {
    get: (original, name) => {
      if (typeof name === "string" && name in others) return others[name];
      if (name !== "query") return Reflect.get(original, name);
      return (query: unknown, values: unknown[] = []) => {
        sent.push({ ...readQuery(query, values), isOnClient });
        return Reflect.apply(original.query, original, [query, values.length > 0 ? values : undefined]);
      };
    },
  });
}

function readQuery(query: unknown, values: unknown[]): Omit<SentStatement, "isOnClient"> {
  if (typeof query === "string") return { name: null, text: query, values };
  const { name = null, text, values: own = values } = Object(query);
  return { name, text, values: own };
}
