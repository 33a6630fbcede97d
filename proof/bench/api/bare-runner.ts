import type { Pool } from "pg";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { systemClock } from "@/lib/platform/clock";
import { newId } from "@/lib/platform/ids";
import type { BarePlan, BareStatement } from "./bare-plan";

/**
 * Sends the statements of one operation, in their order and transaction, and nothing else of the product.
 * @param others what the first of these ids is in this run; ids that the plan does not know are made anew
 */
export type BareRunner = (operation: string, others?: ReadonlyMap<string, string>) => Promise<unknown[]>;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Runs ahead of the API's own, which counts on by one from what it finds. */
const FIRST_VERSION = 1_000_000;

interface Run {
  keyHash: Buffer | undefined;
  nextVersion: () => number;
  idOf: (id: string) => string;
}

export function createBareRunner(pool: Pool, plan: BarePlan): BareRunner {
  const known = new Set(plan.knownIds);
  const keyHashes = plan.keyHashes.map((hash) => Buffer.from(hash, "hex"));
  let count = 0;
  let version = 0;

  function begin(others: ReadonlyMap<string, string>): Run {
    const freshIds = new Map(others);
    let ownVersion: number | null = null;
    return {
      keyHash: keyHashes[count++ % keyHashes.length],
      // Only when it is needed: by then the rule is locked, and versions are made in the order of their numbers.
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
  if ("$keyHash" in value) return run.keyHash;
  if ("$version" in value) return run.nextVersion();
  return withIds(value.$plain, run);
}

function withIds(value: unknown, run: Run): unknown {
  if (typeof value === "string") return value.replace(UUID, run.idOf);
  return Array.isArray(value) ? value.map((each) => withIds(each, run)) : value;
}
