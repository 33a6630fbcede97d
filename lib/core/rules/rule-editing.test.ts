import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { toDraft } from "@/lib/contract/rules/definition-to-draft";
import { MAXIMUM_DRAFT_LENGTH, MAXIMUM_NEW_RULE_DRAFTS, type RuleWork } from "@/lib/contract/rules/draft";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { discardDraft, saveDraft } from "@/lib/core/rules/save-draft";
import { saveRuleAsMember } from "@/lib/core/rules/save-rule";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import {
  listNewDrafts,
  readDraft,
  readNewRuleEditor,
  readRuleEditor,
} from "@/lib/views/rules/read-rule-editor";

const database = useTestDatabase();

const ZONE = "America/New_York";

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 500_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const mara = organization.owner;
  const jonas = await organization.addMember("CO_OWNER", "Jonas");
  const vera = await organization.addMember("VIEWER", "Vera");
  const definition = (name: string): RuleDefinition =>
    ruleDefinitionSchema.parse({
      name,
      trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: operating },
      steps: [
        {
          actions: [
            {
              type: "PERCENTAGE",
              sourceAccountId: operating,
              destinationAccountId: taxes,
              group: 0,
              percentage: 27,
              of: "INCOMING_AMOUNT",
            },
          ],
        },
      ],
    });
  const work = (name: string): RuleWork => ({ draft: toDraft(definition(name), ZONE), jsonText: null });
  const save = (changes: Partial<Parameters<typeof saveRuleAsMember>[2]> = {}, member = mara) =>
    saveRuleAsMember(services, member, {
      draftId: randomUUID(),
      ruleId: null,
      expectedVersion: null,
      definition: definition("Set tax aside"),
      reason: null,
      ...changes,
    });
  const keep = (changes: Partial<Parameters<typeof saveDraft>[2]> = {}, member = mara) =>
    saveDraft(services, member, {
      draftId: randomUUID(),
      ruleId: null,
      baseVersion: null,
      work: work("A draft"),
      ...changes,
    });
  const time = { nowAt: clock.now().toISOString(), timeZone: ZONE, locale: "en-US" };
  return { services, organization, operating, taxes, mara, jonas, vera, definition, work, save, keep, time };
}

async function versionsOf(ruleId: string) {
  const { rows } = await database.ownerPool.query<{
    version: number;
    createdByKind: string;
    reason: string;
  }>(
    `select version, created_by_kind as "createdByKind", created_by_name as "createdByName",
        reason from rule_versions where rule_id = $1 order by version`,
    [ruleId],
  );
  return rows;
}

describe("saving a rule as a member", () => {
  it("creates an inactive rule with the member as author and their reason", async () => {
    const { save, services, mara, time } = await arrange();
    const { ruleId, version } = await save({ reason: "The accountant says 27." });
    expect(version).toBe(1);
    expect(await versionsOf(ruleId)).toEqual([
      { version: 1, createdByKind: "MEMBER", createdByName: "Mara", reason: "The accountant says 27." },
    ]);
    const view = await readRuleEditor({ services, context: mara, time }, ruleId);
    expect(view.rule).toMatchObject({ latestVersion: 1, activeVersion: null, nextVersion: 2 });
    expect(view.work.draft).toMatchObject({ name: "Set tax aside" });
  });

  it("refuses a time zone without daylight saving, and suggests one", async () => {
    const { save, definition, operating } = await arrange();
    const inZone = (timeZone: string): RuleDefinition => ({
      ...definition("Monthly"),
      trigger: ruleDefinitionSchema.shape.trigger.parse({
        type: "SCHEDULED",
        accountId: operating,
        schedule: { frequency: "DAILY", startAt: "2026-01-01T00:00:00Z", timeZone },
      }),
    });
    await expect(save({ definition: inZone("EST") })).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
      details: [
        {
          field: "trigger.schedule.timeZone",
          message: "must be the IANA name of an area: write America/New_York for EST",
        },
      ],
    });
    expect(await save({ definition: inZone("America/New_York") })).toMatchObject({ version: 1 });
  });

  it("creates the next version of a rule and leaves the previous one unchanged", async () => {
    const { save, definition } = await arrange();
    const { ruleId } = await save();
    expect(await save({ ruleId, expectedVersion: 1, definition: definition("Renamed") })).toEqual({
      ruleId,
      version: 2,
    });
    expect(await versionsOf(ruleId)).toHaveLength(2);
  });

  it("creates one version from one draft, however often and fast it is sent", async () => {
    const { save } = await arrange();
    const draftId = randomUUID();
    const rules = await Promise.all(Array.from({ length: 4 }, () => save({ draftId })));
    expect(new Set(rules.map(({ ruleId }) => ruleId)).size).toBe(1);
    const ruleId = rules[0]?.ruleId ?? "";
    const again = randomUUID();
    const edits = await Promise.all(
      Array.from({ length: 4 }, () => save({ draftId: again, ruleId, expectedVersion: 1 })),
    );
    expect(edits.map(({ version }) => version)).toEqual([2, 2, 2, 2]);
    expect(await versionsOf(ruleId)).toHaveLength(2);
  });

  it("names the member who saved first and keeps the other's draft", async () => {
    const { save, keep, jonas, mara, services } = await arrange();
    const { ruleId } = await save();
    const draftId = await keep({ ruleId, baseVersion: 1 });
    await save({ ruleId, expectedVersion: 1 }, jonas);
    await expect(save({ draftId, ruleId, expectedVersion: 1 })).rejects.toMatchObject({
      code: "RULE_VERSION_CONFLICT",
      message: "Jonas saved version 2 in the meantime. Nothing was saved; your draft is kept.",
    });
    expect(await readDraft(services.pool, mara, { ruleId })).toMatchObject({ id: draftId, baseVersion: 1 });
    expect(await save({ draftId, ruleId, expectedVersion: 2 })).toMatchObject({ version: 3 });
    expect(await readDraft(services.pool, mara, { ruleId })).toBeNull();
  });

  it("refuses accounts of another organization, and members who may not decide", async () => {
    const { save, vera, definition } = await arrange();
    const elsewhere = await arrange();
    await expect(save({ definition: elsewhere.definition("Foreign") })).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
    });
    await expect(save({ definition: definition("By a viewer") }, vera)).rejects.toMatchObject({
      code: "ACCESS_DENIED",
    });
  });

  it("does not find a rule of another organization", async () => {
    const { save } = await arrange();
    const elsewhere = await arrange();
    const { ruleId } = await elsewhere.save();
    await expect(save({ ruleId, expectedVersion: 1 })).rejects.toMatchObject({ code: "RULE_NOT_FOUND" });
  });
});

describe("drafts", () => {
  it("stores one draft per member and rule, which no other member sees", async () => {
    const { save, keep, work, services, mara, jonas, time } = await arrange();
    const { ruleId } = await save();
    const first = await keep({ ruleId, baseVersion: 1 });
    const second = await keep({ ruleId, baseVersion: 1, work: work("Later words") });
    expect(second).toBe(first);
    await keep({ ruleId, baseVersion: 1, work: work("Jonas's words") }, jonas);
    const view = await readRuleEditor({ services, context: mara, time }, ruleId);
    expect(view.work.draft.name).toBe("Later words");
    expect(view.keptAt).not.toBeNull();
    const newDraft = await keep();
    const asJonas = await readNewRuleEditor(
      { services, context: jonas, time },
      newDraft,
      () => work("x").draft,
    );
    expect(asJonas).toBeNull();
    await expect(keep({ draftId: newDraft }, jonas)).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    await discardDraft(services, jonas, { draftId: newDraft, ruleId: null });
    expect(await readDraft(services.pool, mara, { draftId: newDraft })).not.toBeNull();
  });

  it("stores at most twenty drafts of new rules, and discarding one makes room", async () => {
    const { keep, services, mara } = await arrange();
    const ids: string[] = [];
    for (let count = 0; count < MAXIMUM_NEW_RULE_DRAFTS; count++) ids.push(await keep());
    await expect(keep()).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    await keep({ draftId: ids[0] });
    await discardDraft(services, mara, { draftId: ids[1] ?? "", ruleId: null });
    await keep();
    expect(await listNewDrafts({ services, context: mara })).toHaveLength(MAXIMUM_NEW_RULE_DRAFTS);
  });

  it("stores what is not a valid rule yet, and nothing after it was saved as a version", async () => {
    const { keep, save, work, services, mara } = await arrange();
    const unfinished = work("Unfinished");
    unfinished.draft.name = "";
    unfinished.draft.trigger.accountId = null;
    unfinished.jsonText = "{ not json";
    const draftId = await keep({ work: unfinished });
    expect(await readDraft(services.pool, mara, { draftId })).toMatchObject({ work: unfinished });
    await save({ draftId });
    expect(await readDraft(services.pool, mara, { draftId })).toBeNull();
    await expect(keep({ draftId })).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
  });

  it("can be stored by owners and co-owners only", async () => {
    const { keep, vera } = await arrange();
    await expect(keep({}, vera)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  });

  it("refuses a draft above the maximum size before the database does", async () => {
    const { keep, work } = await arrange();
    const large = { ...work("Large"), jsonText: "x".repeat(200_001) };
    await expect(keep({ work: large })).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    const full = work("Just fits");
    const [step] = full.draft.steps;
    const [action] = step?.actions ?? [];
    if (!step || !action) throw new Error("The draft has no action");
    // Numbers take more space in the database than as text.
    while (JSON.stringify(full).length < MAXIMUM_DRAFT_LENGTH - 1_000) {
      full.draft.steps.push({ key: 1, conditions: null, actions: [{ ...action, amountInCents: 1 }, action] });
    }
    await keep({ work: full });
  });
});
