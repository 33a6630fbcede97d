import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { operations } from "@/lib/api/operations/table";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import type { ApiResponse } from "@/lib/testing/api";
import { expectContract } from "@/lib/testing/api-proof/expect-contract";
import { ALL_PERMISSIONS, KeyRing } from "@/lib/testing/api-proof/key-ring";
import { readWholeOrganization } from "@/lib/testing/api-proof/organization-with-everything";
import { type RandomRequest, randomRequests } from "@/lib/testing/api-proof/random-request";
import { CANARY, createProofWorld, type ProofWorld } from "@/lib/testing/api-proof/world";
import { auditBooks } from "@/lib/testing/conservation";
import { useTestDatabase } from "@/lib/testing/database";
import { samplePdf } from "@/lib/testing/documents";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";

/**
 * Random requests of every operation, half of them valid, half hostile, some at once; another organization's ids are
 * thrown in everywhere. Goal: no internal error, no answer outside its schema, nothing of the other organization, and
 * books that balance.
 */
const AT_ONCE = 20;
const ROUNDS = proofSize(2_000, 20_000) / AT_ONCE;

const database = useTestDatabase();
let world: ProofWorld;
/** Whatever they move waits for a person, so that it can be withdrawn. */
let askingKeys: KeyRing;
beforeAll(async () => {
  world = await createProofWorld(database);
  askingKeys = new KeyRing(
    world.own,
    ALL_PERMISSIONS.map((permission) =>
      "approval" in permission ? { ...permission, approval: { required: true } } : permission,
    ),
  );
  // Reads that wait answer at once: what they wait for seldom comes.
  world.services.waits.close();
});

it("whatever is asked, the API answers within its contract and keeps organizations apart", {
  timeout: 600_000,
}, async () => {
  const { own, stranger } = world;
  const strangerBefore = await readWholeOrganization(database, stranger.organizationId);
  const outcomes = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(randomRequests(own.ids, stranger.ids), { minLength: AT_ONCE, maxLength: AT_ONCE }),
      async (requests) => {
        const [free, asking] = [await world.keys.take(AT_ONCE), await askingKeys.take(AT_ONCE)];
        const keys = free.map((key, index) => (index % 2 === 0 ? key : (asking[index] ?? key)));
        const responses = await Promise.all(
          requests.map((request, index) => send(keys[index] ?? "", request)),
        );
        const look = (request: RandomRequest | undefined, response: ApiResponse | undefined) => {
          if (!request || !response) return;
          expectInOrder(request, response);
          const outcome = `${request.operationId} ${response.status < 400 ? "done" : "refused"}`;
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        };
        for (const [index, response] of responses.entries()) look(requests[index], response);
        const all = responses.flatMap((response, index) => cancellationOf(response, keys[index] ?? ""));
        const early = all.filter((_, index) => index % 2 === 0);
        for (const { keyText, request } of early) {
          for (const before of beforeCanceling(request)) look(before, await send(keyText, before));
          look(request, await send(keyText, request));
        }
        // While the worker books, so that some are too late.
        const cancels = all.filter((_, index) => index % 2 === 1);
        const [canceled] = await Promise.all([
          Promise.all(cancels.map(({ keyText, request }) => send(keyText, request))),
          bookDueTransfers(world.services, AT_ONCE),
        ]);
        for (const [index, response] of canceled.entries()) look(cancels[index]?.request, response);
      },
    ),
    { numRuns: ROUNDS, seed: proofSeed },
  );
  for (const { organizationId } of [own, stranger]) {
    const books = await auditBooks(database, organizationId);
    expect(books).toMatchObject({ wrongLedgers: [], negative: [], wrongHolds: [] });
    expect(books.managedInCents).toBe(books.cameInInCents - books.wentOutInCents);
  }
  expect(await readWholeOrganization(database, stranger.organizationId)).toEqual(strangerBefore);
  expectReached(outcomes);
});

const INVOICE = samplePdf("An invoice").toString("base64");
const JSON_BODY = { "content-type": "application/json" };

const requestedSchema = z.object({
  data: z.union([
    z.object({ executionId: z.string(), ruleId: z.string() }),
    z.object({ id: z.string(), lines: z.array(z.object({ transferId: z.string() })) }),
    z.object({ id: z.string(), terms: z.object({ until: z.string() }) }),
    z.object({ id: z.string(), amountInCents: z.number() }),
    z.object({ kind: z.literal("RULE_DEACTIVATION") }),
  ]),
});

/** A program cancels only what it requested itself, which no random id is. */
function cancellationOf(
  response: ApiResponse,
  keyText: string,
): { keyText: string; request: RandomRequest }[] {
  if (response.status !== 202) return [];
  const { data } = requestedSchema.parse(response.body);
  if ("kind" in data) return [];
  const [operationId, path] =
    "executionId" in data
      ? ["cancelRuleExecution", `/rules/${data.ruleId}/executions/${data.executionId}/cancel`]
      : "lines" in data
        ? ["cancelTransfer", `/transfers/${data.lines[0]?.transferId}/cancel`]
        : "terms" in data
          ? ["cancelMandate", `/mandates/${data.id}/cancel`]
          : ["cancelTransfer", `/transfers/${data.id}/cancel`];
  return [{ keyText, request: { operationId, method: "POST", path, rawBody: undefined, headers: {} } }];
}

/**
 * What random requests never reach: a document of a transfer that waits, since random bytes are none, and a mandate of the
 * key itself.
 */
function beforeCanceling({ path }: RandomRequest): RandomRequest[] {
  if (path.startsWith("/mandates/")) {
    const at = { path: path.replace(/\/cancel$/, ""), rawBody: undefined };
    return [{ operationId: "getMandate", method: "GET", headers: {}, ...at }];
  }
  if (!path.startsWith("/transfers/")) return [];
  const rawBody = JSON.stringify({ name: "Invoice.pdf", contentBase64: INVOICE });
  const at = { path: path.replace(/cancel$/, "documents"), rawBody };
  return [{ operationId: "addTransferDocument", method: "POST", headers: JSON_BODY, ...at }];
}

function send(keyText: string, { method, path, rawBody, headers }: RandomRequest): Promise<ApiResponse> {
  return world.call(keyText, method, path, { headers, ...(rawBody !== undefined && { rawBody }) });
}

function expectInOrder(request: RandomRequest, response: ApiResponse): void {
  expect(response.status, response.text).toBeLessThan(500);
  expect(response.status, "one key for too many requests").not.toBe(429);
  expectNothingForeign(request, response);
  if (response.headers.get("content-type")?.startsWith("text/plain")) {
    expect([response.status, response.text]).toEqual([404, "Not Found"]);
    return;
  }
  const operation = operationOf(request);
  if (operation) expectContract(operation, response);
}

/** The row whose path and method the request has in the end. */
function operationOf({ method, path }: RandomRequest) {
  const [place = ""] = path.split("?");
  return operations.find(
    (operation) =>
      operation.method === method && new RegExp(`^${operation.path.replace(/:\w+/g, "[^/]+")}$`).test(place),
  );
}

/** Names never; an id only where a refusal, or the audit log, repeats what was asked. */
function expectNothingForeign(request: RandomRequest, response: ApiResponse): void {
  expect(response.text).not.toContain(CANARY);
  const { status } = response;
  const text = response.text.replace(/"path":"[^"]*"/g, "");
  const sent = `${request.path} ${request.rawBody ?? ""}`.toLowerCase();
  for (const id of Object.values(world.stranger.ids)) {
    if (!text.includes(id)) continue;
    expect([status >= 400, sent.includes(id)], `${id} in ${text}`).toEqual([true, true]);
  }
}

/** A fuzz that is refused everywhere proves nothing. */
function expectReached(outcomes: ReadonlyMap<string, number>): void {
  const never = operations
    // This world has no sandbox, so its operations are refused; what they do is in sandbox-control.test.ts.
    .filter(({ path }) => !path.startsWith("/sandbox/"))
    .map(({ operationId }) => `${operationId} done`)
    .filter((outcome) => !outcomes.has(outcome));
  expect(never, JSON.stringify([...outcomes])).toEqual([]);
}
