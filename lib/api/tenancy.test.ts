import { beforeAll, describe, expect, it } from "vitest";
import type { Operation } from "@/lib/api/operations/operation";
import { operations } from "@/lib/api/operations/table";
import { fixturesOf, toWire } from "@/lib/testing/api-proof/operation-fixtures";
import type { Ids } from "@/lib/testing/api-proof/organization-with-everything";
import { CANARY, createProofWorld, type ProofWorld } from "@/lib/testing/api-proof/world";
import { useTestDatabase } from "@/lib/testing/database";
import { comparable, idOfNothing, idsIn, readTenantRows, replaceIds } from "@/lib/testing/foreign-ids";
import { createTestMcp, type TestMcp } from "@/lib/testing/mcp";

/**
 * One organization asks for what is another's: every operation, by HTTP and as a tool of MCP, with an id of the other
 * organization in each place that takes one (path, query, body at any depth), one place at a time and all at once. The
 * answer must be exactly that for an unknown id: it does not even reveal that something exists. What members and
 * browsers ask is in app/tenancy.test.ts and e2e/access/tenancy.spec.ts.
 */
const database = useTestDatabase();
let world: ProofWorld;
let mcp: TestMcp;
beforeAll(async () => {
  world = await createProofWorld(database);
  mcp = createTestMcp(world.services);
});

const rows = operations.map((operation) => [operation.operationId, operation] as const);

describe.each(rows)("%s", (operationId, operation) => {
  it("answers an id of another organization as one of nothing, tells nothing of it and changes nothing there", async () => {
    const before = await readTenantRows(database.ownerPool, world.stranger.organizationId);
    let places = 0;
    for (const { input } of fixturesOf(operationId, world.own)) {
      const mine = idsIn(input);
      const choices = mine.length > 1 ? [...mine.map((id) => [id]), mine] : mine.map((id) => [id]);
      for (const chosen of choices) {
        places += 1;
        const foreignInput = swap(input, chosen, foreignOf);
        const nothingInput = swap(input, chosen, () => idOfNothing(world.clock.now()));
        // Both transports run the same command: the second is asked once for each request.
        for (const ask of chosen === choices.at(-1) ? [askHttp, askTool] : [askHttp]) {
          const foreign = await ask(operation, foreignInput);
          const nothing = await ask(operation, nothingInput);
          expect(comparable(foreign), `${chosen.map(kindOf)}`).toBe(comparable(nothing));
          expect(foreign, `${chosen.map(kindOf)}`).not.toContain(CANARY);
        }
      }
    }
    const takesIds = idsIn(fixturesOf(operationId, world.own).map(({ input }) => input)).length > 0;
    expect(places > 0).toBe(takesIds);
    expect(await readTenantRows(database.ownerPool, world.stranger.organizationId)).toEqual(before);
  });

  it("tells nothing of another organization when it names none", async () => {
    for (const { input } of fixturesOf(operationId, world.own)) {
      expect(await askHttp(operation, input)).not.toContain(CANARY);
    }
  });
});

it("looks for the ids of the other organization in the places of real ones", () => {
  const places = rows.flatMap(([id]) => fixturesOf(id, world.own).flatMap(({ input }) => idsIn(input)));
  const kinds = new Set(places.map(kindOf));
  // Skips places that lists and runs cannot name.
  expect(Object.keys(world.own.ids).filter((kind) => !kinds.has(kind))).toEqual(["income"]);
});

/** Status and body as one text. */
async function askHttp(operation: Operation, input: Record<string, unknown>): Promise<string> {
  const { method, path, body } = toWire(operation, input);
  const { status, text } = await world.call(await world.keys.next(), method, path, { body });
  return `${status} ${text}`;
}

async function askTool(operation: Operation, input: Record<string, unknown>): Promise<string> {
  const params = { name: operation.operationId, arguments: input };
  const { status, text } = await mcp.ask(await world.keys.next(), "tools/call", params);
  return `${status} ${text}`;
}

function swap(input: Record<string, unknown>, chosen: readonly string[], by: (id: string) => string) {
  const replaced = new Map(chosen.map((id) => [id, by(id)]));
  const changed = replaceIds(input, (id) => replaced.get(id) ?? id);
  return Object.fromEntries(Object.entries(Object(changed)));
}

function kindOf(id: string): string {
  return Object.entries(world.own.ids).find(([, own]) => own === id)?.[0] ?? "none";
}

function foreignOf(id: string): string {
  const theirs = new Map<string, string>(Object.entries<string>({ ...world.stranger.ids } satisfies Ids));
  const foreign = theirs.get(kindOf(id));
  if (foreign === undefined)
    throw new Error(`An id in a fixture is of nothing that the organization has: ${id}`);
  return foreign;
}
