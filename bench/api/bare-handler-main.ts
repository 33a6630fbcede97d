/**
 * The limit that the API is compared with: a handler in a process of its own that sends the same statements, and does
 * nothing else. Run by `bench/api.ts`, with the plan's file and the connection in its environment.
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { systemClock } from "@/lib/platform/clock";
import { createPool } from "@/lib/platform/db/pool";
import { inTransaction, type Queryable } from "@/lib/platform/db/transaction";
import { newId } from "@/lib/platform/ids";
import { type BareStatement, barePlanSchema } from "./bare-plan";

const environment = z
  .object({ BARE_PLAN: z.string(), BARE_CONNECTION: z.string(), PORT: z.coerce.number() })
  .parse(process.env);
const plan = barePlanSchema.parse(JSON.parse(await readFile(environment.BARE_PLAN, "utf8")));
const pool = createPool(JSON.parse(environment.BARE_CONNECTION));
const known = new Set(plan.knownIds);
const keyHashes = plan.keyHashes.map((hash) => Buffer.from(hash, "hex"));
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
let count = 0;
/** Runs ahead of the API's own, which counts on by one from what it finds. */
const FIRST_VERSION = 1_000_000;
let version = 0;

createServer(async (request, response) => {
  await text(request);
  try {
    const rows = await run(plan.operations[request.url?.slice(1) ?? ""] ?? []);
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(rows));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
}).listen(environment.PORT, "127.0.0.1", () => process.send?.("open"));

async function run(statements: readonly BareStatement[]): Promise<unknown[]> {
  const freshIds = new Map<string, string>();
  const keyHash = keyHashes[count++ % keyHashes.length];
  let ownVersion: number | null = null;
  // Only when it is needed: by then the rule is locked, and versions are made in the order of their numbers.
  const nextVersion = () => {
    if (ownVersion === null) {
      version = Math.max(version + 1, FIRST_VERSION + Math.round(performance.now() * 10));
      ownVersion = version;
    }
    return ownVersion;
  };
  const send = async (on: Queryable, { name, text: sql, values }: BareStatement) => {
    const own = values.map((value) => restore(value, keyHash, nextVersion, freshIds));
    const { rows } = await on.query(
      name === null ? { text: sql, values: own } : { name, text: sql, values: own },
    );
    return rows;
  };
  const answers: unknown[] = [];
  const before = statements.findIndex(({ isOnClient }) => isOnClient);
  const outside = statements.filter(({ isOnClient }) => !isOnClient);
  const inside = statements.filter(({ isOnClient, text: sql }) => isOnClient && !/^(begin|commit)/.test(sql));
  for (const statement of before < 0 ? outside : outside.slice(0, before)) {
    answers.push(...(await send(pool, statement)));
  }
  if (before < 0) return answers;
  await inTransaction(pool, async (client) => {
    for (const statement of inside) answers.push(...(await send(client, statement)));
  });
  for (const statement of outside.slice(before)) answers.push(...(await send(pool, statement)));
  return answers;
}

function restore(
  value: BareStatement["values"][number],
  keyHash: Buffer | undefined,
  nextVersion: () => number,
  freshIds: Map<string, string>,
): unknown {
  if ("$date" in value) return new Date(value.$date);
  if ("$hex" in value) return Buffer.from(value.$hex, "hex");
  if ("$keyHash" in value) return keyHash;
  if ("$version" in value) return nextVersion();
  if (typeof value.$plain !== "string") return value.$plain;
  return value.$plain.replace(UUID, (id) => {
    if (known.has(id)) return id;
    const fresh = freshIds.get(id) ?? newId(systemClock.now());
    freshIds.set(id, fresh);
    return fresh;
  });
}
