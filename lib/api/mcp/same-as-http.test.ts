import { beforeAll, describe, expect, it } from "vitest";
import { toolOperations } from "@/lib/api/operations/table";
import type { PermissionInput } from "@/lib/contract/permissions";
import { ALL_PERMISSIONS } from "@/lib/testing/api-proof/key-ring";
import { fixturesOf, toWire } from "@/lib/testing/api-proof/operation-fixtures";
import { FOREIGN_IDS } from "@/lib/testing/api-proof/organization-with-everything";
import { PERMISSION_MATRIX, permissionOf } from "@/lib/testing/api-proof/permission-matrix";
import { CANARY, createProofWorld, type ProofWorld } from "@/lib/testing/api-proof/world";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestMcp, type TestMcp } from "@/lib/testing/mcp";

/**
 * The two transports side by side (specification, Part 5: "It accepts the same API key as a Bearer header, with identical
 * permission effect"): what one refuses the other must not do, and what both do must be the same.
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
];
const rows = toolOperations.map((operation) => [operation.operationId, operation] as const);

const database = useTestDatabase();
let world: ProofWorld;
let mcp: TestMcp;
beforeAll(async () => {
  world = await createProofWorld(database);
  mcp = createTestMcp(world.services);
});

describe.each(rows)("%s", (operationId, operation) => {
  const askBoth = async (input: Record<string, unknown>, keyText: string | null = null) => {
    const { method, path, body } = toWire(operation, input);
    return {
      http: await world.call(keyText ?? (await world.keys.next()), method, path, { body }),
      tool: await mcp.callTool(keyText ?? (await world.keys.next()), operationId, input),
    };
  };

  it("is a tool that lets through and refuses whom HTTP does, for the same reason", async () => {
    const request = PERMISSION_MATRIX[operationId]?.request(world.own.ids) ?? {};
    for (const type of PERMISSIONS) {
      for (const reach of ["all", "listed", "unlisted"] as const) {
        const permission = permissionOf(type, reach, world.own.ids);
        if (!permission) continue;
        const key = await world.own.addKey([permission]);
        const { http, tool } = await askBoth(request, key.text);
        expect([type, reach, codeOf(tool.structured)]).toEqual([type, reach, codeOf(http.body)]);
        expect(tool.isError).toBe(http.status >= 400);
      }
    }
  });

  it("is listed to the callers that it opens to and that can use its answer, and to no other", async () => {
    const { leadsTo } = operation.tool;
    const { opens, own, otherwise } = PERMISSION_MATRIX[operationId] ?? {};
    for (const type of PERMISSIONS) {
      const permission = permissionOf(type, "all", world.own.ids);
      const key = await world.own.addKey(permission ? [permission] : []);
      const names = (await mcp.listTools(key.text)).map(({ name }) => name);
      const isOpen = opens === null || opens === type || own === type || otherwise !== undefined;
      const isOfUse = leadsTo === undefined || leadsTo.some((one) => one === type);
      expect([type, names.includes(operationId)]).toEqual([type, isOpen && isOfUse]);
    }
  });

  it("answers what HTTP answers to the same request", async () => {
    for (const fixture of fixturesOf(operationId, world.own)) {
      // The one that comes second finds what the first has left.
      const { expectedVersion: _, ...input } = fixture.input;
      // What is written by the same name looks like the one before: both answers must have one.
      if (operation.method !== "GET") await askBoth(input);
      const { http, tool } = await askBoth(input);
      expect(tool.isError).toBe(fixture.status >= 400);
      const answers = [tool.structured.data, Object(http.body).data];
      if (operation.method === "GET" && operationId !== "listAuditLog") {
        const [overMcp, overHttp] = answers.map(withoutMoments);
        expect(overMcp).toEqual(overHttp);
      }
      expect(shapeOf(answers[0])).toEqual(shapeOf(answers[1]));
    }
  });

  it("shows nothing of another organization, whatever id it is given", async () => {
    const request = PERMISSION_MATRIX[operationId]?.request(world.own.ids) ?? {};
    for (const [field, [kind]] of Object.entries(FOREIGN_IDS[operationId] ?? {})) {
      const id = world.stranger.ids[kind];
      const value = operation.listFields.includes(field) ? [id] : id;
      const { http, tool } = await askBoth({ ...request, [field]: value });
      expect([field, codeOf(tool.structured)]).toEqual([field, codeOf(http.body)]);
      expect(JSON.stringify(tool)).not.toContain(CANARY);
    }
  });
});

it("one idempotency key is one use of it, whichever transport carries it", async () => {
  const { operating, taxes } = world.own.ids;
  const { text: keyText } = await world.own.addKey(ALL_PERMISSIONS);
  const body = { sourceAccountId: operating, destinationAccountId: taxes, amountInCents: 4_200 };
  const idempotencyKey = "one-transfer-two-transports";
  const first = await mcp.callTool(keyText, "createTransfer", { ...body, idempotencyKey });
  const again = await world.call(keyText, "POST", "/transfers", {
    body,
    headers: { "Idempotency-Key": idempotencyKey },
  });
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(Object(again.body).data).toEqual(first.structured.data);
  const other = await mcp.callTool(keyText, "createTransfer", {
    ...body,
    amountInCents: 4_300,
    idempotencyKey,
  });
  expect(codeOf(other.structured)).toBe("IDEMPOTENCY_KEY_MISMATCH");
});

const codeOf = (body: unknown): string | null => Object(Object(body).error).code ?? null;

/** When an answer was worked out, and how many requests are left, differ from call to call. */
function withoutMoments(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, inner: unknown) =>
      ["generatedAt", "remaining"].includes(name) ? undefined : inner,
    ),
  );
}

/** The names and kinds in an answer. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}
