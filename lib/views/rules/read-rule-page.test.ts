import { describe, expect, it } from "vitest";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { deleteRule, discardVersion } from "@/lib/core/rules/change-rule";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { activate, editRule, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { type RuleView, readRulePage } from "@/lib/views/rules/read-rule-page";

const database = useTestDatabase();

const split = (from: string, to: string, percentage: number): RuleDefinition =>
  ruleDefinitionSchema.parse({
    name: `Split ${percentage}`,
    trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: from },
    steps: [
      {
        actions: [
          {
            type: "PERCENTAGE",
            of: "INCOMING_AMOUNT",
            percentage,
            sourceAccountId: from,
            destinationAccountId: to,
            group: 0,
          },
        ],
      },
    ],
  });

async function arrange() {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const income = await organization.addAccount({ name: "Income", type: "INCOME_SOURCE" });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey([{ type: "CREATE_AND_EDIT_RULES", rules: "ALL" }], "claude");
  const context = { ...key.context, calledReason: "Taxes came out short." };
  const ruleId = await writeRule(services, context, split(income, taxes, 25));
  const time = { nowAt: organization.owner.now.toISOString(), timeZone: "America/New_York", locale: "en-US" };
  const read = (version: number | null = null, reader = organization.owner) =>
    readRulePage({ services, context: reader, time }, { ruleId, version });
  const readable = async (version: number | null = null): Promise<RuleView> => {
    const view = await read(version);
    if (view?.kind !== "READABLE") throw new Error(`It reads as ${view?.kind}`);
    return view;
  };
  const edit = (percentage: number) => editRule(services, context, ruleId, split(income, taxes, percentage));
  return { services, organization, income, taxes, ruleId, read, readable, edit };
}

describe("the page of a rule", () => {
  it("shows the latest version, who proposed it and why, and a typical deposit", async () => {
    const { organization, income, taxes, readable } = await arrange();
    for (const amount of [90_000, 620_000, 5_000_000]) await organization.deposit(income, amount);
    const view = await readable();
    expect(view).toMatchObject({
      name: "Split 25",
      shown: {
        number: 1,
        state: "PROPOSED",
        createdBy: { kind: "API_KEY", name: "claude" },
        reason: "Taxes came out short.",
      },
      activeVersion: null,
      comparedWith: null,
      typicalInCents: 620_000,
      names: { [income]: { name: "Income" }, [taxes]: { name: "Taxes" } },
      viewer: { canDecide: true },
      hasPasskey: false,
      runs: [],
      nextRuns: [],
    });
    expect(view.checks.every((check) => check.outcome === "CLEAR")).toBe(true);
  });

  it("compares another version with the active one, and shows each one's status", async () => {
    const { services, organization, ruleId, readable, edit } = await arrange();
    await activate(services, organization.owner, ruleId);
    await edit(27);
    await edit(28);
    await edit(29);
    await activate(services, organization.owner, ruleId, 2);
    await discardVersion(services, organization.owner, { ruleId, version: 4 });
    const latest = await readable();
    // The rule is named after its active version; the waiting version has its own name.
    expect(latest).toMatchObject({
      name: "Split 27",
      definition: { name: "Split 28" },
      latestVersion: 3,
      activeVersion: 2,
    });
    expect(latest.comparedWith?.version).toBe(2);
    expect(latest.versions.map(({ number, state }) => [number, state])).toEqual([
      [4, "DISCARDED"],
      [3, "PROPOSED"],
      [2, "ACTIVE"],
      [1, "PAST"],
    ]);
    expect(latest.events.map(({ kind, version, byName }) => [kind, version, byName])).toEqual([
      ["DISCARDED", 4, "Mara"],
      ["ACTIVATED", 2, "Mara"],
      ["ACTIVATED", 1, "Mara"],
    ]);
    expect(await readable(2)).toMatchObject({ name: "Split 27", comparedWith: null });
    expect((await readable(1)).comparedWith?.version).toBe(2);
  });

  it("is visible to viewers, but not to another organization or for an unknown version", async () => {
    const { organization, read } = await arrange();
    const viewer = await organization.addMember("VIEWER", "Vera");
    expect(await read(null, viewer)).toMatchObject({ kind: "READABLE", viewer: { canDecide: false } });
    expect(await read(2)).toBeNull();
    const { organization: other } = await arrange();
    expect(await read(null, other.owner)).toBeNull();
  });

  it("is a simple page for a version that cannot be represented, and for a deleted rule", async () => {
    const { services, organization, ruleId, read } = await arrange();
    const { organizationId } = organization;
    await database.ownerPool.query(
      `insert into rule_versions (organization_id, rule_id, version, definition, created_by_kind, created_by_id,
          created_by_name, created_at) values ($1, $2, 2, $3, 'MEMBER', $4, 'Mara', now())`,
      [
        organizationId,
        ruleId,
        JSON.stringify({ name: "Of the future", trigger: { type: "ON_FULL_MOON" } }),
        organization.owner.actor.id,
      ],
    );
    await database.ownerPool.query(
      "update rules set latest_version = 2, versions_made = 2, name = 'Of the future' where organization_id = $1 and id = $2",
      [organizationId, ruleId],
    );
    expect(await read()).toMatchObject({ kind: "UNREADABLE", name: "Of the future", shownVersion: 2 });
    expect(await read(1)).toMatchObject({ kind: "READABLE", definition: { name: "Split 25" } });
    await deleteRule(services, organization.owner, ruleId);
    expect(await read()).toMatchObject({ kind: "DELETED" });
    expect(await read(1)).toMatchObject({ kind: "DELETED" });
  });
});
