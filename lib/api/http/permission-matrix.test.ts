import { beforeAll, describe, expect, it } from "vitest";
import type { Operation } from "@/lib/api/operations/operation";
import { operations } from "@/lib/api/operations/table";
import type { PermissionInput } from "@/lib/contract/permissions";
import type { ApiResponse } from "@/lib/testing/api";
import { expectContract } from "@/lib/testing/api-proof/expect-contract";
import { branchesOf, inputSchemaOf, type SchemaNode } from "@/lib/testing/api-proof/json-schema-node";
import { revokeKey } from "@/lib/testing/api-proof/key-ring";
import { fixturesOf, toWire } from "@/lib/testing/api-proof/operation-fixtures";
import { FOREIGN_IDS } from "@/lib/testing/api-proof/organization-with-everything";
import { type MatrixRow, PERMISSION_MATRIX, permissionOf } from "@/lib/testing/api-proof/permission-matrix";
import { CANARY, createProofWorld, type ProofWorld } from "@/lib/testing/api-proof/world";
import { useTestDatabase } from "@/lib/testing/database";

/**
 * Each of the nine permissions alone, in each reach, and none at all, against every operation. Goal: a key does what
 * the specification grants and not one thing more; a new operation is not open until someone has written who may.
 */
const PERMISSIONS: PermissionInput["type"][] = [
  "READ_ACCOUNTS",
  "CREATE_ACCOUNTS",
  "READ_RULES",
  "TRIGGER_RULES",
  "CREATE_AND_EDIT_RULES",
  "READ_TRANSFERS",
  "MANUAL_TRANSFER",
  "READ_AUDIT_LOGS",
  "CONTROL_SANDBOX",
];
const REACHES = ["all", "listed", "unlisted"] as const;
const rows = operations.map((operation) => [operation.operationId, operation] as const);

const database = useTestDatabase();
let world: ProofWorld;
beforeAll(async () => {
  world = await createProofWorld(database);
});

it("every operation is in the matrix and in the table of foreign ids", () => {
  const names = rows.map(([operationId]) => operationId);
  expect(names.filter((name) => !(name in PERMISSION_MATRIX))).toEqual([]);
  expect(names.filter((name) => !(name in FOREIGN_IDS))).toEqual([]);
});

describe.each(rows)("%s", (operationId, operation) => {
  const ask = async (permissions: PermissionInput[]) => {
    const row = PERMISSION_MATRIX[operationId];
    if (!row) throw new Error(`permission-matrix.ts has no row for ${operationId}: write who may do it`);
    const key = await world.own.addKey(permissions);
    return send(key.text, operation, row.request(world.own.ids));
  };

  it("opens to its own permission as far as that reaches, and to no other", async () => {
    const row = PERMISSION_MATRIX[operationId];
    const found: Record<string, string> = {};
    const expected: Record<string, string> = {};
    for (const type of PERMISSIONS) {
      for (const reach of REACHES) {
        const permission = permissionOf(type, reach, world.own.ids);
        if (!permission) continue;
        found[`${type} ${reach}`] = outcomeOf(await ask([permission]));
        expected[`${type} ${reach}`] = row?.opens === type ? (row[reach] ?? "") : closed(row);
      }
    }
    found.nothing = outcomeOf(await ask([]));
    expected.nothing = closed(row);
    expect(found).toEqual(expected);
  });

  it("treats every id of another organization as nothing", async () => {
    const expected = FOREIGN_IDS[operationId] ?? {};
    const ids = idFieldsOf(inputSchemaOf(operation));
    expect(Object.keys(expected).sort(), "foreign-ids.ts says what each id answers").toEqual(ids.sort());
    // Only the id separates the caller from the other organization.
    const input = PERMISSION_MATRIX[operationId]?.request(world.own.ids) ?? {};
    for (const [field, [kind, answer]] of Object.entries(expected)) {
      const id = world.stranger.ids[kind];
      const value = operation.listFields.includes(field) ? [id] : id;
      const response = await send(await world.keys.next(), operation, { ...input, [field]: value });
      expect([field, outcomeOf(response, answer)]).toEqual([field, answer]);
      expect(response.text).not.toContain(CANARY);
    }
  });

  it("treats an id of another organization as nothing even where the key's own list names it", async () => {
    const own = world.stranger.ids;
    const permissions = PERMISSIONS.flatMap((type) => permissionOf(type, "listed", own) ?? []);
    const keyText = await addUncheckedKey(permissions);
    const row = PERMISSION_MATRIX[operationId];
    const response = await send(keyText, operation, row?.request(own) ?? {});
    expect(response.text).not.toContain(CANARY);
    if (Object.keys(FOREIGN_IDS[operationId] ?? {}).length > 0 && response.status < 400) {
      expect(outcomeOf(response, "200 nothing")).toBe("200 nothing");
    }
  });
});

/**
 * Lists of several accounts' things, which name none of them where the caller does not. `listTransfers` wants an account or
 * a search (lib/api/http/search.test.ts).
 */
const overAccounts = rows.filter(([operationId, operation]) => {
  const { properties = {}, required = [] } = inputSchemaOf(operation);
  return "accountId" in properties && !required.includes("accountId") && operationId !== "listTransfers";
});

describe.each(overAccounts)("%s without accountId", (_operationId, operation) => {
  const itemsOf = async (accounts: "ALL" | string[]) => {
    const keyText = await addUncheckedKey([{ type: "READ_TRANSFERS", accounts }]);
    return Object((await send(keyText, operation, {})).body).data.items;
  };

  it("lists what is of the accounts that the key may read", async () => {
    const { operating, checking, income } = world.own.ids;
    expect(await itemsOf("ALL")).not.toEqual([]);
    expect(await itemsOf([operating, checking])).toEqual(await itemsOf("ALL"));
    expect(await itemsOf([income])).toEqual([]);
    expect(await itemsOf([world.stranger.ids.operating, world.stranger.ids.checking])).toEqual([]);
  });
});

describe("a key", () => {
  it.each([
    ["no header", undefined],
    ["an empty header", ""],
    ["the scheme alone", "Bearer"],
    ["the scheme and a space", "Bearer "],
    ["another scheme", "Basic {key}"],
    ["no scheme", "{key}"],
    ["something after it", "Bearer {key} x"],
    ["a comma after it", "Bearer {key}, Bearer {key}"],
    ["quotes around it", 'Bearer "{key}"'],
    ["a letter changed", "Bearer {key}x"],
    ["lower case", "Bearer {lower}"],
    ["a well-formed key that was never made", "Bearer sluice_0000000000000000000000000000000000000000"],
    ["a very long text", `Bearer ${"x".repeat(7_000)}`],
    ["SQL", "Bearer ' or '1'='1"],
  ])("is not accepted as %s", async (_what, form) => {
    const text = await world.keys.next();
    const header = form?.replaceAll("{key}", text).replaceAll("{lower}", text.toLowerCase());
    for (const operation of operations) {
      const { method, path, body } = toWire(operation, fixturesOf(operation.operationId, world.own)[0].input);
      const options = header === undefined ? { body } : { body, headers: { Authorization: header } };
      const response = await world.call(null, method, path, options);
      expect(outcomeOf(response)).toBe("401 UNAUTHORIZED");
      expectContract(operation, response);
    }
  });

  it("that was revoked is unknown from that moment on, to every operation", async () => {
    const key = await world.own.addKey([]);
    await revokeKey(database, world.own.organizationId, key.id);
    for (const operation of operations) {
      const response = await send(key.text, operation, fixturesOf(operation.operationId, world.own)[0].input);
      expect(outcomeOf(response)).toBe("401 UNAUTHORIZED");
    }
  });

  it("moves up to its most generous cap on a route, and not a cent more", async () => {
    const { operating, taxes } = world.own.ids;
    const key = await world.own.addKey([
      {
        type: "MANUAL_TRANSFER",
        entries: [
          { source: operating, target: taxes, max_amount: 500 },
          { source: "ANY", target: taxes, max_amount: 800 },
        ],
        approval: { required: false },
      },
    ]);
    const move = async (amountInCents: number) => {
      const body = { sourceAccountId: operating, destinationAccountId: taxes, amountInCents };
      return outcomeOf(await world.call(key.text, "POST", "/transfers", { body }));
    };
    expect(await Promise.all([move(500), move(800), move(801)])).toEqual([
      "202",
      "202",
      "403 MAXIMUM_AMOUNT_EXCEEDED",
    ]);
  });

  it("reads a transfer from either side, and no other", async () => {
    const { operating, taxes, income, transfer } = world.own.ids;
    for (const [accounts, outcome] of [
      [[operating], "200"],
      [[taxes], "200"],
      [[income], "403 ACCESS_DENIED"],
    ] as const) {
      const key = await world.own.addKey([{ type: "READ_TRANSFERS", accounts: [...accounts] }]);
      expect(outcomeOf(await world.call(key.text, "GET", `/transfers/${transfer}`))).toBe(outcome);
    }
  });

  it("with a list of rules sees those alone", async () => {
    const { rule, otherRule } = world.own.ids;
    const key = await world.own.addKey([{ type: "READ_RULES", rules: [rule] }]);
    const { text } = await world.call(key.text, "GET", "/rules?pageSize=100");
    expect([text.includes(rule), text.includes(otherRule)]).toEqual([true, false]);
  });
});

/** As if the check of a new key's lists had failed: the list alone must open nothing of another organization. */
async function addUncheckedKey(permissions: PermissionInput[]): Promise<string> {
  const { id, text } = await world.own.addKey([]);
  await database.ownerPool.query(
    "update api_keys set permissions = $3 where organization_id = $1 and id = $2",
    [world.own.organizationId, id, JSON.stringify(permissions)],
  );
  return text;
}

const closed = (row: MatrixRow | undefined) =>
  row?.otherwise ?? (row?.opens === null ? "200" : "403 ACCESS_DENIED");

async function send(
  keyText: string,
  operation: Operation,
  input: Record<string, unknown>,
): Promise<ApiResponse> {
  const { method, path, body } = toWire(operation, input);
  const response = await world.call(keyText, method, path, { body });
  expectContract(operation, response);
  return response;
}

/** `202`, `403 ACCESS_DENIED`; and `200 nothing` for an empty list where that is asked. */
function outcomeOf({ status, body }: ApiResponse, asked = ""): string {
  const code = Object(body).error?.code;
  if (code) return `${status} ${code}`;
  const { items } = Object(Object(body).data);
  return asked.endsWith(" nothing") && Array.isArray(items) && items.length === 0
    ? `${status} nothing`
    : String(status);
}

/** The fields that take an id or a list of them. */
function idFieldsOf(schema: SchemaNode): string[] {
  const isId = (node: SchemaNode): boolean =>
    branchesOf(node).some(
      (branch) => branch.format === "uuid" || (branch.items ? isId(branch.items) : false),
    );
  return Object.entries(schema.properties ?? {}).flatMap(([name, node]) => (isId(node) ? [name] : []));
}
