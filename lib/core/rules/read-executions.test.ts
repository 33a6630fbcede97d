import { beforeAll, describe, expect, it } from "vitest";
import type { PermissionInput } from "@/lib/contract/permissions";
import { createTestApi } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestMcp } from "@/lib/testing/mcp";
import { createTestOrganization } from "@/lib/testing/organization";
import { makeActive, runAllRules } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";

/**
 * Goal: a key that may not read an account gets no amount of it from a rule's run, whatever its other permissions. Method:
 * keys with every pair of permissions, and with all, write rules that would expose a balance, try them, and read
 * everything; no response over HTTP or MCP may contain the balance or an amount derived from it.
 */

/** No deposit has this amount, so a response that contains it reveals the balance. */
const BALANCE_IN_CENTS = 608_747;
const FLOOR_IN_CENTS = 100_047;
const SECRETS = [
  BALANCE_IN_CENTS,
  BALANCE_IN_CENTS - FLOOR_IN_CENTS,
  FLOOR_IN_CENTS,
  8_747,
  304_373,
  304_374,
];
const written = (cents: number) => [
  new RegExp(`(?<![\\d-])${cents}(?!\\d)`),
  new RegExp(
    `(?<![\\d,])${(cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2 }).replace(".", "\\.")}`,
  ),
];
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-z]{4}(?:-[0-9a-z]{4}){2}\b/g;
/** Among thousands of ids one may contain the digits of an amount by chance. */
const withoutIds = (text: string) => text.replace(ID, "an id");

const database = useTestDatabase();
let world: Awaited<ReturnType<typeof arrange>>;
beforeAll(async () => {
  world = await arrange();
});

async function arrange() {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const secret = await organization.addAccount({ name: "Secret", type: "POD", floorInCents: FLOOR_IN_CENTS });
  await organization.deposit(secret, 400_013);
  await organization.deposit(secret, BALANCE_IN_CENTS - 400_013);
  const open = await organization.addAccount({ name: "Open", type: "POD" });
  const call = createTestApi(services);
  const mcp = createTestMcp(services);
  const route = { sourceAccountId: secret, destinationAccountId: open, group: 0 };
  const definition = (actions: object[], trigger: object = { type: "MANUAL", accountId: secret }) => ({
    name: "Tell me",
    trigger,
    steps: [{ actions }],
  });
  const rules = [
    definition([{ ...route, type: "REMAINDER" }]),
    definition([{ ...route, type: "FIXED", amountInCents: 90_000_000 }]),
    definition([{ ...route, type: "ROUND_DOWN", amountInCents: 600_000 }]),
    definition([{ ...route, type: "PERCENTAGE", percentage: 50, of: "SOURCE_BALANCE" }]),
    definition([{ ...route, type: "FIXED", amountInCents: 90_000_000, upTo: true }], {
      type: "ON_FUNDS_TRANSFERRED",
      accountId: secret,
    }),
    // Exposes the balance as the reason why nothing moves.
    definition([
      {
        ...route,
        sourceAccountId: open,
        destinationAccountId: secret,
        type: "TOP_UP",
        amountInCents: 600_000,
      },
    ]),
    // Exposes the balance of one account as the shortage of another.
    definition([
      {
        ...route,
        sourceAccountId: open,
        destinationAccountId: secret,
        type: "TOP_UP",
        amountInCents: 700_000,
      },
    ]),
  ];
  const owners = await organization.addKey([
    { type: "CREATE_AND_EDIT_RULES", rules: "ALL" },
    { type: "TRIGGER_RULES", rules: "ALL", approval: { required: false } },
  ]);
  const ruleIds: string[] = [];
  const executions: { ruleId: string; id: string }[] = [];
  for (const [index, body] of rules.entries()) {
    const { data } = Object((await call(owners.text, "POST", "/rules", { body })).body);
    ruleIds.push(data.id);
    // One live run that failed for lack of money, and a dry run of each rule.
    if (index === 1) await makeActive(database, data.id);
    for (const simulation of index === 1 ? [true, false] : [true]) {
      const run = await call(owners.text, "POST", `/rules/${data.id}/trigger`, { body: { simulation } });
      executions.push({ ruleId: data.id, id: Object(run.body).data.executionId });
    }
  }
  await runAllRules(services);
  const { rows: transfers } = await database.ownerPool.query<{ id: string }>(
    "select id from transfers where organization_id = $1 and rule_execution_id is not null",
    [organization.organizationId],
  );
  return { organization, secret, open, call, mcp, rules, ruleIds, executions, transfers };
}

/** Every response that a key can get, over both transports. */
async function everythingReported(permissions: PermissionInput[]): Promise<string[]> {
  const { organization, secret, open, call, mcp, rules, ruleIds, executions, transfers } = world;
  const { text: key } = await organization.addKey(permissions);
  const { text: otherKey } = await organization.addKey(permissions);
  const reported: string[] = [];
  const ask = async (
    operationId: string,
    method: string,
    path: string,
    input: Record<string, unknown> = {},
  ) => {
    const isRead = method === "GET";
    const response = await call(key, method, path, isRead ? {} : { body: input });
    const ids = /^\/(rules|transfers|accounts)\/([0-9a-f-]{36})(?:\/executions\/([0-9a-f-]{36}))?/.exec(path);
    const named = ids?.[3] ? { ruleId: ids[2], id: ids[3] } : ids ? { id: ids[2] } : {};
    const query = Object.fromEntries(new URL(path, "http://localhost").searchParams);
    const lists = "accountId" in query ? { accountId: [query.accountId] } : {};
    const tool = await mcp.callTool(otherKey, operationId, { ...query, ...lists, ...named, ...input });
    reported.push(...[response.text, tool.text, JSON.stringify(tool.structured)].map(withoutIds));
    return Object(response.body).data;
  };
  for (const ruleId of ruleIds) {
    for (const body of [{ simulation: true }, { simulation: true, simulatedIncomingFunds: 100 }]) {
      const tried = await ask("triggerRule", "POST", `/rules/${ruleId}/trigger`, body);
      if (tried) await ask("getRuleExecution", "GET", `/rules/${ruleId}/executions/${tried.executionId}`);
    }
  }
  for (const body of rules) {
    const made = await ask("createRule", "POST", "/rules", body);
    if (made) await ask("triggerRule", "POST", `/rules/${made.id}/trigger`, { simulation: true });
  }
  for (const { ruleId, id } of executions) {
    await ask("getRuleExecution", "GET", `/rules/${ruleId}/executions/${id}`);
  }
  await ask("listAllRuleExecutions", "GET", "/rule-executions?executionMode=ALL&pageSize=100");
  await ask("listBalances", "GET", "/balances?pageSize=100");
  await ask("whoami", "GET", "/whoami");
  for (const { id } of transfers) await ask("getTransfer", "GET", `/transfers/${id}`);
  for (const accountId of [secret, open]) {
    for (const executionMode of ["LIVE", "SIMULATION"]) {
      const page = `accountId=${accountId}&executionMode=${executionMode}&pageSize=100`;
      await ask("listTransfers", "GET", `/transfers?${page}`);
    }
    await ask("getAccount", "GET", `/accounts/${accountId}`);
  }
  const route = { sourceAccountId: secret, destinationAccountId: open };
  await ask("createTransfer", "POST", "/transfers", {
    ...route,
    amountInCents: 90_000_000,
    simulation: true,
  });
  return reported;
}

const POWERS: PermissionInput[] = [
  { type: "READ_RULES", rules: "ALL" },
  { type: "TRIGGER_RULES", rules: "ALL", approval: { required: false } },
  { type: "CREATE_AND_EDIT_RULES", rules: "ALL" },
  { type: "READ_TRANSFERS", accounts: "ALL" },
  { type: "MANUAL_TRANSFER", entries: [{ source: "ANY", target: "ANY" }], approval: { required: false } },
  { type: "READ_AUDIT_LOGS" },
  { type: "CREATE_ACCOUNTS" },
];
const SETS: [string, PermissionInput[]][] = [
  ...POWERS.flatMap((one, index) =>
    POWERS.slice(index + 1).map((other): [string, PermissionInput[]] => [
      `${one.type} and ${other.type}`,
      [one, other],
    ]),
  ),
  ["everything", POWERS],
];

it("an id that contains the digits of an amount is none", () => {
  const ids = "01890a5d-ac96-774b-bcce-b8747b87c47f, request 8747-8mvb-j4g4";
  for (const form of SECRETS.flatMap(written)) expect(withoutIds(ids)).not.toMatch(form);
});

describe("a key that may not read an account", () => {
  it.each(SETS)("gets no amount of it with %s", { timeout: 120_000 }, async (_, permissions) => {
    // The key may read another account of the same rules.
    const reported = await everythingReported([
      ...permissions,
      { type: "READ_ACCOUNTS", accounts: [world.open] },
    ]);
    for (const text of reported) for (const form of SECRETS.flatMap(written)) expect(text).not.toMatch(form);
  });

  it("gets no amount of it with everything else, and no READ_ACCOUNTS at all", {
    timeout: 120_000,
  }, async () => {
    const reported = await everythingReported(POWERS);
    for (const text of reported) for (const form of SECRETS.flatMap(written)) expect(text).not.toMatch(form);
  });
});

it("a key that may read the accounts gets their amounts", async () => {
  const reported = await everythingReported([...POWERS, { type: "READ_ACCOUNTS", accounts: "ALL" }]);
  const all = reported.join("\n");
  for (const cents of [BALANCE_IN_CENTS, BALANCE_IN_CENTS - FLOOR_IN_CENTS]) {
    for (const form of written(cents)) expect(all).toMatch(form);
  }
  expect(all).toMatch(/has only \$5,087\.00 above its floor of \$1,000\.47/);
  expect(all).toContain("Moved nothing from Open to Secret: it already holds $6,087.47.");
});

it("a run that failed says so without amounts to a key that may not read them", async () => {
  const [rules, runs] = POWERS;
  if (!rules || !runs) throw new Error("no powers");
  const reported = await everythingReported([rules, runs]);
  expect(reported.join("\n")).toContain("Could not move money from Secret to Open: Secret has too little.");
  expect(reported.join("\n")).toContain("Moved nothing from Open to Secret: nothing to add.");
});
