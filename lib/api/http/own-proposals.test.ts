import { beforeAll, describe, expect, it } from "vitest";
import type { PermissionInput } from "@/lib/contract/permissions";
import { createTestApi, moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestMcp } from "@/lib/testing/mcp";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, makeActive, runAllRules, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";

/**
 * Goal: a key follows what it proposed itself, and with that alone reads nothing else. Method: keys that only propose, over
 * HTTP and MCP, read their own transfers and runs, those of another key, and those that their runs made.
 */
const database = useTestDatabase();
let world: Awaited<ReturnType<typeof arrange>>;
beforeAll(async () => {
  world = await arrange();
});

const RUNS: PermissionInput = { type: "TRIGGER_RULES", rules: "ALL", approval: { required: false } };

async function arrange() {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const pod = (name: string) => organization.addAccount({ name, type: "POD", balanceInCents: 608_747 });
  const operating = await pod("Operating");
  const taxes = await pod("Taxes");
  const writer = await organization.addKey(anythingWithRules(false));
  const ruleId = await writeRule(services, writer.context, {
    trigger: { type: "MANUAL", accountId: operating },
    steps: [
      {
        actions: [
          {
            type: "PERCENTAGE",
            sourceAccountId: operating,
            destinationAccountId: taxes,
            group: 0,
            percentage: 50,
            of: "SOURCE_BALANCE",
          },
        ],
      },
    ],
  });
  await makeActive(database, ruleId);
  const call = createTestApi(services);
  const mcp = createTestMcp(services);
  const propose = async (key: string) => {
    const body = { sourceAccountId: operating, destinationAccountId: taxes, amountInCents: 12_300 };
    const { body: answer } = await call(key, "POST", "/transfers", { body });
    return `/transfers/${Object(answer).data.id}`;
  };
  const run = async (key: string, body: object = {}) => {
    const { body: answer } = await call(key, "POST", `/rules/${ruleId}/trigger`, { body });
    await runAllRules(services);
    return `/rules/${ruleId}/executions/${Object(answer).data.executionId}`;
  };
  const read = async (key: string, path: string) => {
    const { status, body, text } = await call(key, "GET", path);
    return { status, code: Object(body).error?.code ?? null, data: Object(body).data, text };
  };
  return { organization, call, mcp, propose, run, read };
}

const DENIED = { status: 403, code: "ACCESS_DENIED" };

describe("a key that makes transfers and reads nothing", () => {
  it("reads the transfer that it proposed, and none of another key", async () => {
    const { organization, propose, read } = world;
    const [own, other] = await Promise.all([
      organization.addKey([moveAnything(true)]),
      organization.addKey([moveAnything(true)]),
    ]);
    const path = await propose(own.text);
    expect(await read(own.text, path)).toMatchObject({
      status: 200,
      data: { status: "APPROVAL_PENDING", amountInCents: 12_300 },
    });
    expect(await read(other.text, path)).toMatchObject(DENIED);
  });

  it("reads no list, and no run", async () => {
    const { organization, run, read } = world;
    const [mover, runner] = await Promise.all([
      organization.addKey([moveAnything(true)]),
      organization.addKey([RUNS]),
    ]);
    const { data } = await read(
      (await organization.addKey([{ type: "READ_ACCOUNTS", accounts: "ALL" }])).text,
      "/accounts",
    );
    expect(await read(mover.text, `/transfers?accountId=${data.items[0].id}`)).toMatchObject(DENIED);
    expect(await read(mover.text, await run(runner.text, { simulation: true }))).toMatchObject(DENIED);
  });
});

describe("a key that runs rules and reads nothing", () => {
  it("reads the run that it started, without its transfers, and none of another key", async () => {
    const { organization, run, read } = world;
    const [own, other] = await Promise.all([organization.addKey([RUNS]), organization.addKey([RUNS])]);
    const path = await run(own.text);
    const { status, data } = await read(own.text, path);
    expect([status, data.status, data.transferIds.length]).toEqual([200, "EXECUTED", 1]);
    expect(await read(other.text, path)).toMatchObject(DENIED);
    expect(await read(own.text, `/transfers/${data.transferIds[0]}`)).toMatchObject(DENIED);
    expect(await read(own.text, path.replace(/\/executions.*/, ""))).toMatchObject(DENIED);
  });

  it("learns no balance from a dry run of its own", async () => {
    const { organization, run, read } = world;
    const { text: key } = await organization.addKey([RUNS]);
    const { status, data, text } = await read(key, await run(key, { simulation: true }));
    expect(status).toBe(200);
    expect(data.base.availableInCents).toBeNull();
    expect(text).not.toContain("608747");
  });
});

describe("a key that proposes nothing", () => {
  it("reads nothing with a permission for something else", async () => {
    const { organization, propose, run, read } = world;
    const mover = await organization.addKey([moveAnything(true), RUNS]);
    const paths = [await propose(mover.text), await run(mover.text, { simulation: true })];
    const { text: key } = await organization.addKey([
      { type: "READ_AUDIT_LOGS" },
      { type: "CREATE_ACCOUNTS" },
    ]);
    for (const path of paths) expect(await read(key, path)).toMatchObject(DENIED);
  });
});

describe("tools", () => {
  it("are listed with which a key follows what it proposes, and no other reading ones", async () => {
    const { organization, mcp, propose } = world;
    const { text: key } = await organization.addKey([moveAnything(true)]);
    const names = (await mcp.listTools(key)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["createTransfer", "getTransfer"]));
    expect(names).not.toEqual(expect.arrayContaining(["listTransfers"]));
    expect(names).not.toEqual(expect.arrayContaining(["getRuleExecution"]));
    const id = (await propose(key)).split("/").at(-1);
    const { isError, text } = await mcp.callTool(key, "getTransfer", { id });
    expect(isError).toBe(false);
    expect(text).toContain(`Next: then call getTransfer with id: "${id}"`);
  });
});
