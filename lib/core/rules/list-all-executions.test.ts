import { describe, expect, it } from "vitest";
import type { PermissionInput } from "@/lib/contract/permissions";
import type { RuleExecutionStatus } from "@/lib/contract/rules/execution";
import { listAllRuleExecutions } from "@/lib/core/rules/read-executions";
import { readEverything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, askRun, makeActive, runAllRules, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 100_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey([...anythingWithRules(false), ...readEverything.slice(0, 1)]);
  const caller = () => ({ ...key.context, now: clock.now() });
  const write = async (
    name: string,
    action: { type: string; amountInCents: number },
    conditions?: object,
  ) => {
    const route = { sourceAccountId: operating, destinationAccountId: taxes, group: 0 };
    const ruleId = await writeRule(services, caller(), {
      name,
      trigger: { type: "MANUAL", accountId: operating },
      steps: [{ ...(conditions && { conditions }), actions: [{ ...route, ...action }] }],
    });
    await makeActive(database, ruleId);
    return ruleId;
  };
  const rules = {
    moves: await write("Moves", { type: "FIXED", amountInCents: 1_000 }),
    fails: await write("Fails", { type: "FIXED", amountInCents: 90_000_000 }),
    skips: await write("Skips", { type: "TOP_UP", amountInCents: 500 }),
    waits: await write(
      "Waits",
      { type: "FIXED", amountInCents: 1_000 },
      { all: [{ fact: "BALANCE", accountId: operating, operator: "GREATER_THAN", value: 90_000_000 }] },
    ),
  };
  const run = async (ruleId: string, simulation = false) => {
    clock.advance(1_000);
    const id = await askRun(services, caller(), ruleId, { simulation });
    await runAllRules(services);
    return id;
  };
  const list = async (
    filter: Partial<Parameters<typeof listAllRuleExecutions>[2]> = {},
    permissions: PermissionInput[] = [{ type: "READ_RULES", rules: "ALL" }, ...readEverything.slice(0, 1)],
  ) => {
    const reader = await organization.addKey(permissions);
    const all = {
      page: 1,
      pageSize: 100,
      executionMode: "LIVE" as const,
      statuses: [],
      from: null,
      to: null,
    };
    return listAllRuleExecutions(services, reader.context, { ...all, ...filter });
  };
  return { services, clock, organization, rules, run, list };
}

describe("the runs of all rules", () => {
  it("are listed newest first, each with why it failed, skipped or did nothing", async () => {
    const { rules, run, list } = await arrange();
    for (const ruleId of [rules.moves, rules.fails, rules.skips, rules.waits]) await run(ruleId);
    const { items } = await list();
    expect(items.map(({ ruleName, status, reason }) => [ruleName, status, reason])).toEqual([
      ["Waits", "EXECUTED", "The conditions of no step were met."],
      ["Skips", "EXECUTED", "Moved nothing from Operating to Taxes: it already holds $10.00."],
      ["Fails", "FAILED", "Could not move $900,000.00 from Operating to Taxes: Operating has only $990.00."],
      ["Moves", "EXECUTED", null],
    ]);
  });

  it("are filtered by status, mode and time, and cut into pages across rules", async () => {
    const { clock, rules, run, list } = await arrange();
    const first = await run(rules.moves);
    const failed = await run(rules.fails);
    const dry = await run(rules.moves, true);
    const since = clock.now();
    const last = await run(rules.skips);
    const ids = async (filter: Parameters<typeof list>[0]) => (await list(filter)).items.map(({ id }) => id);
    const of = (...statuses: RuleExecutionStatus[]) => ids({ statuses });
    expect(await of()).toEqual([last, failed, first]);
    expect(await of("FAILED")).toEqual([failed]);
    expect(await of("EXECUTED")).toEqual([last, first]);
    expect(await of("EXECUTED", "FAILED")).toEqual([last, failed, first]);
    expect(await ids({ executionMode: "SIMULATION" })).toEqual([dry]);
    expect(await ids({ executionMode: "ALL" })).toEqual([last, dry, failed, first]);
    expect(await ids({ from: new Date(since.getTime() + 1) })).toEqual([last]);
    expect(await ids({ to: since })).toEqual([failed, first]);
    expect(await ids({ pageSize: 2 })).toEqual([last, failed]);
    expect(await ids({ pageSize: 2, page: 2 })).toEqual([first]);
    expect((await list({ pageSize: 2 })).pagination.hasNextPage).toBe(true);
  });

  it("of rules outside the key's list, or of another organization, are not listed", async () => {
    const { rules, run, list } = await arrange();
    const other = await arrange();
    await run(rules.moves);
    const failed = await run(rules.fails);
    await other.run(other.rules.moves);
    const listed = await list({}, [{ type: "READ_RULES", rules: [rules.fails] }]);
    expect(listed.items.map(({ id }) => id)).toEqual([failed]);
    expect(listed.items[0]?.reason).toBe(
      "Could not move money from Operating to Taxes: Operating has too little.",
    );
    const reader = await other.organization.addKey([]);
    const permissions = [{ type: "READ_RULES" as const, rules: [rules.moves] }];
    const foreign = await listAllRuleExecutions(
      other.services,
      { ...reader.context, actor: { ...reader.context.actor, permissions } },
      { page: 1, pageSize: 10, executionMode: "ALL", statuses: [], from: null, to: null },
    );
    expect(foreign.items).toEqual([]);
  });
});
