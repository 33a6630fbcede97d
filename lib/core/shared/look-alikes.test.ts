/**
 * Where a person or a program could take one name for another that renders alike, the product says so:
 * pages, HTTP and MCP. Against a real PostgreSQL.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { rulesSearchSchema } from "@/lib/contract/search/search-schemas";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { createProofWorld, type ProofWorld } from "@/lib/testing/api-proof/world";
import { addPayee } from "@/lib/testing/as-entered";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestMcp, type TestMcp } from "@/lib/testing/mcp";
import { readAccountPage } from "@/lib/views/accounts/read-account-page";
import { readAccountsPage } from "@/lib/views/accounts/read-accounts-page";
import { readRuleTemplates } from "@/lib/views/rules/read-rule-editor";
import { readRulesPage } from "@/lib/views/rules/read-rules-page";

const database = useTestDatabase();

const TIME = { nowAt: "2026-03-02T15:00:00.000Z", timeZone: "America/New_York", locale: "en-US" };
const LOOK = { filter: "ALL", days: 30, page: 1, showsAllOnItsWay: false } as const;

let world: ProofWorld;
let mcp: TestMcp;
/** "NORTH Operating" with a no-break space. */
let pod: string;
/** Called like the pod "NORTH Taxes", with a Cyrillic letter. */
let payee: string;
/** Called like the rule "NORTH Another rule", full width. */
let rule: string;

beforeAll(async () => {
  world = await createProofWorld(database);
  mcp = createTestMcp(world.services);
  const { own, services } = world;
  const opened = await ask("POST", "/accounts", { type: "POD", name: "NORTH\u00a0Operating" });
  pod = opened.id;
  const bank = createSandboxBank(database.pool);
  payee = await addPayee(services, bank, own.owner, {
    name: "NORTH T\u0430xes",
    kind: "BUSINESS",
    account: null,
  });
  const written = await ask("POST", "/rules", {
    name: "NORTH \uff21nother rule",
    trigger: { type: "MANUAL", accountId: own.ids.operating },
    steps: [
      {
        actions: [
          {
            type: "FIXED",
            sourceAccountId: own.ids.operating,
            destinationAccountId: own.ids.taxes,
            group: 0,
            amountInCents: 1_000,
          },
        ],
      },
    ],
  });
  rule = written.id;
});

async function ask(method: "GET" | "POST", path: string, body?: Record<string, unknown>) {
  const response = await world.call(await world.keys.next(), method, path, body ? { body } : {});
  expect(response.status).toBeLessThan(300);
  return Object(response.body).data;
}

const call = async (tool: string, input: Record<string, unknown>) =>
  (await mcp.callTool(await world.keys.next(), tool, input)).text;

/** By id, the id of the one that looks the same. */
const alikeOf = (items: { id?: string; accountId?: string; lookAlike: { id: string } | null }[]) =>
  Object.fromEntries(
    items.flatMap(({ id, accountId, lookAlike }) => (lookAlike ? [[id ?? accountId, lookAlike.id]] : [])),
  );

describe("over HTTP", () => {
  it("accounts name the other account or payee, in lists and single reads", async () => {
    const { operating, taxes } = world.own.ids;
    const expected = { [operating]: pod, [pod]: operating, [taxes]: payee };
    expect(alikeOf((await ask("GET", "/accounts?pageSize=100")).items)).toEqual(expected);
    expect(alikeOf((await ask("GET", "/balances?pageSize=100")).items)).toEqual(expected);
    expect((await ask("GET", `/accounts/${operating}`)).lookAlike).toEqual({
      id: pod,
      kind: "ACCOUNT",
      name: "NORTH\u00a0Operating",
    });
    expect((await ask("GET", `/accounts/${taxes}`)).lookAlike).toMatchObject({ id: payee, kind: "PAYEE" });
    expect((await ask("GET", `/accounts/${world.own.ids.income}`)).lookAlike).toBeNull();
  });

  it("accounts name one of another page too", async () => {
    const pages = [1, 2, 3, 4, 5, 6, 7].map((page) => ask("GET", `/accounts?pageSize=1&page=${page}`));
    const items = (await Promise.all(pages)).flatMap((page) => page.items);
    expect(alikeOf(items)).toMatchObject({ [world.own.ids.operating]: pod, [pod]: world.own.ids.operating });
  });

  it("payees name the account", async () => {
    expect(alikeOf((await ask("GET", "/payees?pageSize=100")).items)).toEqual({
      [payee]: world.own.ids.taxes,
    });
  });

  it("a new account, payee or rule says so at once, and is not refused", async () => {
    const input = { type: "POD", name: "NORTH  Income" };
    expect((await ask("POST", "/accounts", input)).lookAlike.id).toBe(world.own.ids.income);
    const proposed = await ask("POST", "/payees", { name: "NORTH Landl\u043erd", kind: "BUSINESS" });
    expect(proposed.lookAlike).toMatchObject({ kind: "PAYEE", name: "NORTH Landlord" });
  });

  it("rules name the other rule, in the list and alone, when they are read and written", async () => {
    const { otherRule } = world.own.ids;
    const expected = { [rule]: otherRule, [otherRule]: rule };
    expect(alikeOf((await ask("GET", "/rules?pageSize=100")).items)).toEqual(expected);
    expect((await ask("GET", `/rules/${rule}`)).lookAlike).toMatchObject({ id: otherRule, kind: "RULE" });
  });

  it("a rule that the key may not read is not named", async () => {
    const { own } = world;
    const { text } = await own.addKey([{ type: "READ_RULES", rules: [rule] }], "one rule");
    const { status, body } = await world.call(text, "GET", `/rules/${rule}`);
    expect([status, Object(body).data.lookAlike]).toEqual([200, null]);
  });
});

describe("over MCP", () => {
  it.each([
    ["listAccounts", () => ({ pageSize: 100 })],
    ["listBalances", () => ({ pageSize: 100 })],
    ["getAccount", () => ({ id: world.own.ids.operating })],
  ])("%s says which account is another one", async (tool, input) => {
    expect(await call(tool, input())).toMatch(
      new RegExp(
        `name looks the same as that of another account, «NORTH.Operating» \\(id ${pod}\\): ask the`,
        "iu",
      ),
    );
  });

  it("listPayees and the answer to a proposal do", async () => {
    expect(await call("listPayees", { pageSize: 100 })).toContain(
      `another account, «NORTH Taxes» (id ${world.own.ids.taxes})`,
    );
    const proposed = await call("proposePayee", { name: "NORTH Print Sh\u043ep", kind: "BUSINESS" });
    expect(proposed).toContain("Its name looks the same as that of another payee, «NORTH Print Shop»");
  });

  it.each([
    ["listRules", () => ({ pageSize: 100 })],
    ["getRule", () => ({ id: rule })],
  ])("%s says which rule is another one", async (tool, input) => {
    expect(await call(tool, input())).toContain(
      `another rule, «NORTH Another rule» (id ${world.own.ids.otherRule})`,
    );
  });
});

describe("for members", () => {
  it("the pages of accounts say so, and those of rules", async () => {
    const { services, own } = world;
    const reading = { services, context: own.owner, time: TIME };
    const { operating, taxes, otherRule } = own.ids;
    const { lookAlikes } = await readAccountsPage(reading, { only: null, page: 1 });
    expect(lookAlikes[operating]).toMatchObject({ kind: "ACCOUNT", otherId: pod });
    expect(lookAlikes[taxes]).toMatchObject({ kind: "PAYEE", otherId: payee });
    const page = await readAccountPage(reading, taxes, LOOK);
    expect(page?.lookAlike).toMatchObject({ kind: "PAYEE", otherName: "NORTH T\u0430xes" });
    const { rules } = await readRulesPage(reading, rulesSearchSchema.parse({}));
    expect(rules.find(({ id }) => id === otherRule)?.lookAlike).toMatchObject({ otherId: rule });
    const { accounts } = await readRuleTemplates(reading);
    const choices = new Map(accounts.map(({ id, nameToChoose }) => [id, nameToChoose]));
    expect(choices.get(operating)).toContain("another name looks the same");
  });
});
