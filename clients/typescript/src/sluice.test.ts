import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { getRequestListener } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApi } from "@/lib/api/http/app";
import { createAuditWriter } from "@/lib/core/audit/audit-writer";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { projectPath } from "@/lib/platform/project-path";
import { moveAnything, readEverything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { eachItem, Sluice, SluiceError } from "./index.js";

/** The client against the product's own API: real HTTP, real PostgreSQL. */
const database = useTestDatabase();
let server: Server;
let world: Awaited<ReturnType<typeof arrange>>;

async function arrange() {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 500_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey([...readEverything, moveAnything(false)]);
  const asking = await organization.addKey([...readEverything, moveAnything(true)], "asking");
  const api = createApi({ ...services, audit: createAuditWriter(services) });
  server = createServer(getRequestListener(api.fetch, { overrideGlobalObjects: false }));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("A TCP server has a port");
  const baseUrl = `http://127.0.0.1:${address.port}/platform/v1`;
  const clientOf = (apiKey: string) => new Sluice({ baseUrl, apiKey, calledReason: "Tests the client" });
  return {
    services,
    operating,
    taxes,
    baseUrl,
    sluice: clientOf(key.text),
    asking: clientOf(asking.text),
    stranger: clientOf("sluice_0000000000000000000000000000000000000000"),
  };
}
beforeAll(async () => {
  world = await arrange();
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
});

const transfer = (fields: object = {}) => ({
  sourceAccountId: world.operating,
  destinationAccountId: world.taxes,
  amountInCents: 12_500,
  ...fields,
});

describe("against the product", () => {
  it("makes a transfer, waits for it, and reads it and the account", async () => {
    const { sluice } = world;
    const { data: created, status } = await sluice.createTransfer(transfer({ description: "Q4 TAX" }));
    expect([status, created.status, created.description]).toEqual([202, "PROCESSING", "Q4 TAX"]);
    await bookDueTransfers(world.services, 10);
    expect(await sluice.waitForTransfer(created.id)).toMatchObject({ id: created.id, status: "COMPLETE" });
    const { data: account } = await sluice.getAccount({ id: world.operating });
    expect(account.balance?.balanceInCents).toBe(487_500);
  });

  it("gives the first answer again for the same key, and says that it does", async () => {
    const idempotencyKey = randomUUID();
    const first = await world.sluice.createTransfer(transfer(), { idempotencyKey });
    const again = await world.sluice.createTransfer(transfer(), { idempotencyKey });
    expect(again.data.id).toBe(first.data.id);
    expect([first.isReplayed, again.isReplayed]).toEqual([false, true]);
    await expect(
      world.sluice.createTransfer(transfer({ amountInCents: 99_900 }), { idempotencyKey }),
    ).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_MISMATCH", status: 400, idempotencyKey });
  });

  it("gets a proposal where the key asks, with the address where it is decided", async () => {
    const { data } = await world.asking.createTransfer(transfer({ reasonForApproval: "Q4 tax" }));
    expect(data).toMatchObject({ status: "APPROVAL_PENDING", reasonForApproval: "Q4 tax" });
    expect(data.approvalUrl).toContain(data.id);
    const dryRun = await world.asking.createTransfer(transfer({ simulation: true }));
    expect([dryRun.status, dryRun.data.status, dryRun.data.executionMode]).toEqual([
      200,
      "COMPLETE",
      "SIMULATION",
    ]);
  });

  it("reads a list over its pages, each item once", async () => {
    for (let made = 0; made < 5; made++) await world.sluice.createTransfer(transfer({ simulation: true }));
    const { operating, sluice } = world;
    const readPage = (page: number) =>
      sluice.listTransfers({ accountId: [operating], executionMode: "SIMULATION", page, pageSize: 2 });
    const ids: string[] = [];
    for await (const { id } of eachItem(readPage, { maximumItems: 100 })) ids.push(id);
    expect(ids.length).toBeGreaterThanOrEqual(5);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("turns refusals into errors that a program can act on", async () => {
    const failure = await world.sluice
      .createTransfer(transfer({ amountInCents: 99 }))
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SluiceError);
    expect(failure).toMatchObject({
      code: "INVALID_PARAMETERS",
      status: 400,
      requestId: expect.stringMatching(/^[0-9a-z-]{14}$/),
      details: [{ field: "amountInCents", message: "must be at least 100 cents" }],
      retryAfterSeconds: null,
    });
    await expect(world.stranger.listAccounts()).rejects.toMatchObject({ code: "UNAUTHORIZED", status: 401 });
    await expect(world.sluice.getTransfer({ id: randomUUID() })).rejects.toMatchObject({
      code: "TRANSFER_NOT_FOUND",
      status: 404,
    });
  });
});

it("is a package that plain Node can import once it is built", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sluice-client-"));
  try {
    const run = promisify(execFile);
    await run(process.execPath, [
      projectPath("node_modules/typescript/bin/tsc"),
      "-p",
      projectPath("clients/typescript/tsconfig.json"),
      "--outDir",
      folder,
    ]);
    const program = `
      import { Sluice, SluiceError } from ${JSON.stringify(join(folder, "index.js"))};
      const sluice = new Sluice({ baseUrl: ${JSON.stringify(world.baseUrl)}, apiKey: "nonsense" });
      try { await sluice.listAccounts(); } catch (error) { console.log(error instanceof SluiceError, error.code); }`;
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program]);
    expect(stdout.trim()).toBe("true UNAUTHORIZED");
  } finally {
    await rm(folder, { recursive: true });
  }
});
