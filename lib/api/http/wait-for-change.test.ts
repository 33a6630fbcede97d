import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { describe, expect, it } from "vitest";
import { createApi } from "@/lib/api/http/app";
import { MAXIMUM_WAITS_OF_A_CALLER } from "@/lib/contract/limits";
import { createAuditWriter } from "@/lib/core/audit/audit-writer";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import { createTestApi, moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestMcp } from "@/lib/testing/mcp";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { waitUntil } from "@/lib/testing/wait-until";

/**
 * Goal: `wait` answers at the next change of a transfer, a run or a proposal, with the same answer and the same checks as
 * without. Method: over HTTP; the change is made once the wait is registered.
 */
const database = useTestDatabase();

async function arrange() {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const pod = (name: string) => organization.addAccount({ name, type: "POD", balanceInCents: 100_000 });
  const [operating, taxes] = [await pod("Operating"), await pod("Taxes")];
  const key = await organization.addKey([
    moveAnything(true),
    ...anythingWithRules(true),
    { type: "READ_ACCOUNTS", accounts: "ALL" },
  ]);
  let watched = 0;
  let left = 0;
  const waits: typeof services.waits = {
    ...services.waits,
    watch: (...of) => {
      const watch = services.waits.watch(...of);
      void watch.seen.then(() => watched++);
      return {
        ...watch,
        end: () => {
          left++;
          watch.end();
        },
      };
    },
  };
  const watching = { ...services, waits };
  const call = createTestApi(watching);
  const body = { sourceAccountId: operating, destinationAccountId: taxes, amountInCents: 10_000 };
  const transferId = String(Object((await call(key.text, "POST", "/transfers", { body })).body).data.id);
  const withdraw = () => call(key.text, "POST", `/transfers/${transferId}/cancel`, { body: {} });
  const isWaiting = (count = 1) => waitUntil("the request waits", () => watched >= count);
  return {
    ...{ services, watching, organization, operating, taxes, key, call, transferId, withdraw, isWaiting },
    left: () => left,
    owner: organization.owner,
  };
}

describe("wait", () => {
  it.each(["transfers", "proposals"])("of %s answers at the next change", async (list) => {
    const { call, key, transferId, isWaiting, withdraw } = await arrange();
    const waiting = call(key.text, "GET", `/${list}/${transferId}?wait=30`);
    await isWaiting();
    await withdraw();
    const { status, body, headers } = await waiting;
    expect(status).toBe(200);
    expect(Object(body).data.decision).toMatchObject({ outcome: "WITHDRAWN" });
    const now = await call(key.text, "GET", `/${list}/${transferId}`);
    expect(Object(body).data).toEqual(Object(now.body).data);
    const remaining = (of: Headers) => Number(/r=(\d+)/.exec(of.get("ratelimit") ?? "")?.[1]);
    expect(remaining(now.headers), "the wait counted once; the cancellation and this read after it").toBe(
      remaining(headers) - 2,
    );
  });

  it("of a run answers at the next change", async () => {
    const { services, call, key, operating, taxes, isWaiting } = await arrange();
    const ruleId = await writeRule(services, key.context, {
      trigger: { type: "MANUAL", accountId: operating },
      steps: [
        {
          actions: [
            {
              type: "FIXED",
              sourceAccountId: operating,
              destinationAccountId: taxes,
              group: 0,
              amountInCents: 500,
            },
          ],
        },
      ],
    });
    await makeActive(database, ruleId);
    const asked = await call(key.text, "POST", `/rules/${ruleId}/trigger`, { body: {} });
    const path = `/rules/${ruleId}/executions/${Object(asked.body).data.executionId}`;
    const waiting = call(key.text, "GET", `${path}?wait=30`);
    await isWaiting();
    await call(key.text, "POST", `${path}/cancel`, { body: {} });
    expect(Object((await waiting).body).data).toMatchObject({ status: "APPROVAL_DENIED" });
  });

  it("answers at once when nothing more happens, and after its time with the present state", async () => {
    const { call, key, transferId, withdraw, left } = await arrange();
    const late = await call(key.text, "GET", `/transfers/${transferId}?wait=1`);
    expect(Object(late.body).data.status).toBe("APPROVAL_PENDING");
    await withdraw();
    const final = await call(key.text, "GET", `/proposals/${transferId}?wait=55`);
    expect(Object(final.body).data.status).toBe("WITHDRAWN");
    expect(left()).toBe(2);
  });

  it("refuses too many at once in words, and other reads of the key go on", async () => {
    const { call, key, transferId, isWaiting, withdraw } = await arrange();
    const path = `/transfers/${transferId}?wait=30`;
    const waiting = Array.from({ length: MAXIMUM_WAITS_OF_A_CALLER }, () => call(key.text, "GET", path));
    await isWaiting(MAXIMUM_WAITS_OF_A_CALLER);
    const refused = await call(key.text, "GET", path);
    expect(refused.status).toBe(429);
    expect(Object(refused.body).error).toMatchObject({
      code: "RATE_LIMIT_EXCEEDED",
      message: expect.stringContaining("already wait for a change"),
    });
    expect((await call(key.text, "GET", `/transfers/${transferId}`)).status).toBe(200);
    await withdraw();
    for (const one of waiting) expect((await one).status).toBe(200);
  });

  it("shows nothing to a key that was revoked meanwhile, and waits for nothing that a key may not read", async () => {
    const { services, organization, call, key, transferId, isWaiting, owner, left } = await arrange();
    const blind = await organization.addKey([moveAnything(true)]);
    expect((await call(blind.text, "GET", `/transfers/${transferId}?wait=30`)).status).toBe(403);
    expect((await call(blind.text, "GET", `/proposals/${transferId}?wait=30`)).status).toBe(404);
    expect(left()).toBe(2);
    const waiting = call(key.text, "GET", `/transfers/${transferId}?wait=30`);
    await isWaiting(3);
    await revokeApiKey(services, owner, key.id);
    expect((await waiting).status).toBe(401);
  });

  it("holds no connection of the pool", async () => {
    const { services, call, key, transferId, isWaiting, withdraw } = await arrange();
    const waiting = call(key.text, "GET", `/transfers/${transferId}?wait=30`);
    await isWaiting();
    await waitUntil("every connection is idle", () => services.pool.totalCount === services.pool.idleCount);
    await withdraw();
    await waiting;
  });

  it("ends with the process, with the present state", async () => {
    const { services, call, key, transferId, isWaiting } = await arrange();
    const waiting = call(key.text, "GET", `/transfers/${transferId}?wait=55`);
    await isWaiting();
    services.waits.close();
    expect(Object((await waiting).body).data.status).toBe("APPROVAL_PENDING");
  });

  it.each(["0", "56", "1.5", "soon", ""])("refuses %j", async (wait) => {
    const { call, key, transferId } = await arrange();
    expect((await call(key.text, "GET", `/transfers/${transferId}?wait=${wait}`)).status).toBe(400);
  });

  it("frees its slot at once when the client disconnects", async () => {
    const { watching, key, transferId, isWaiting, left } = await arrange();
    const api = createApi({ ...watching, audit: createAuditWriter(watching) });
    const server = createServer(getRequestListener(api.fetch, { overrideGlobalObjects: false }));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const leaving = new AbortController();
    const waiting = fetch(`http://127.0.0.1:${port}/platform/v1/transfers/${transferId}?wait=55`, {
      headers: { authorization: `Bearer ${key.text}` },
      signal: leaving.signal,
    });
    await isWaiting();
    leaving.abort();
    await expect(waiting).rejects.toThrow();
    await waitUntil("the slot is free", () => left() === 1);
    await new Promise((resolve) => server.close(resolve));
  });
});

describe("waitForDecision", () => {
  it("answers an agent when the proposal is decided, by the id of its transfer", async () => {
    const { watching, key, transferId, isWaiting, withdraw } = await arrange();
    const { callTool } = createTestMcp(watching);
    const waiting = callTool(key.text, "waitForDecision", { id: transferId, seconds: 30 });
    await isWaiting();
    await withdraw();
    const answer = await waiting;
    expect(answer.structured).toMatchObject({ data: { status: "WITHDRAWN" } });
    const late = await callTool(key.text, "waitForDecision", { id: transferId });
    expect(late.structured).toMatchObject({ data: { status: "WITHDRAWN" } });
  });

  it("is refused by the name of its own argument, and takes that of the reads as well", async () => {
    const { watching, key, transferId } = await arrange();
    const { callTool } = createTestMcp(watching);
    const problemsOf = async (sent: Record<string, unknown>) => {
      const { structured } = await callTool(key.text, "waitForDecision", { id: transferId, ...sent });
      return Object(structured.error).details?.map(({ field }: { field: string }) => field) ?? [];
    };
    expect(await problemsOf({ seconds: 56 })).toEqual(["seconds"]);
    expect(await problemsOf({ seconds: 0, color: "red" })).toEqual(["seconds", "color"]);
    expect(await problemsOf({ wait: 99 })).toEqual(["seconds"]);
    expect(await problemsOf({ wait: 1 })).toEqual([]);
  });
});
