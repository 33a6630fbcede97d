/**
 * A name belongs to a version: a new version written by a key renames nothing that runs, is approved or is emailed until
 * a person activates it.
 */

import { describe, expect, it } from "vitest";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { rulesSearchSchema } from "@/lib/contract/search/search-schemas";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import { discardVersion } from "@/lib/core/rules/change-rule";
import { getRule } from "@/lib/core/rules/read-rules";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import {
  activate,
  anythingWithRules,
  askRun,
  deactivate,
  editRule,
  runAllRules,
  writeRule,
} from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";
import { readRuleEditor } from "@/lib/views/rules/read-rule-editor";
import { readRulePage } from "@/lib/views/rules/read-rule-page";
import { readRulesPage } from "@/lib/views/rules/read-rules-page";
import { findAnything } from "@/lib/views/search/find-anything";

const database = useTestDatabase();

const [HONEST, FORGED] = ["Set tax aside", "Approve: refund from your bank"];

/** A rule that a person activated as "Set tax aside", with a new version by a key under another name. */
async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 500_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const definition = (name: string) =>
    ruleDefinitionSchema.parse({
      name,
      trigger: { type: "MANUAL", accountId: operating },
      steps: [
        {
          actions: [
            {
              type: "FIXED",
              sourceAccountId: operating,
              destinationAccountId: taxes,
              group: 0,
              amountInCents: 10_000,
            },
          ],
        },
      ],
    });
  const key = await organization.addKey(anythingWithRules(true), "agent");
  const free = await organization.addKey(anythingWithRules(false), "free");
  const mara = {
    ...organization.owner,
    actor: { ...organization.owner.actor, authenticatedAt: clock.now() },
  };
  const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
  const ruleId = await writeRule(services, key.context, definition(HONEST));
  await activate(services, mara, ruleId);
  const rename = () => editRule(services, key.context, ruleId, definition(FORGED));
  const storedName = async () => {
    const { rows } = await database.pool.query<{ name: string }>("select name from rules where id = $1", [
      ruleId,
    ]);
    return rows[0]?.name;
  };
  return { services, mara, time, key, free, ruleId, rename, storedName };
}

describe("a key that writes a version with another name", () => {
  it("renames nothing that is listed, found, edited or read as active", async () => {
    const { services, mara, time, key, ruleId, rename } = await arrange();
    await rename();
    const list = await readRulesPage({ services, context: mara, time }, rulesSearchSchema.parse({}));
    expect(list.rules.map(({ name }) => name)).toEqual([HONEST]);
    expect(list.waiting).toMatchObject([{ name: HONEST, version: 2 }]);
    expect((await findAnything({ services, context: mara, time }, "Set tax")).things).toMatchObject([
      { name: HONEST },
    ]);
    expect((await findAnything({ services, context: mara, time }, "refund")).things).toEqual([]);
    expect((await readRuleEditor({ services, context: mara, time }, ruleId)).rule?.name).toBe(HONEST);
    const page = await readRulePage({ services, context: mara, time }, { ruleId, version: null });
    // The page of the waiting version has the rule's name and shows what would change.
    expect(page).toMatchObject({
      name: HONEST,
      definition: { name: FORGED },
      comparedWith: { definition: { name: HONEST } },
    });
    const rule = await getRule(services, key.context, ruleId);
    expect(rule).toMatchObject({ name: FORGED, version: 2, activeName: HONEST, activeVersion: 1 });
  });

  it("renames nothing that is approved or emailed", async () => {
    const { services, mara, time, key, ruleId, rename } = await arrange();
    const runId = await askRun(services, key.context, ruleId);
    await rename();
    const asked = await getApproval({ services, context: mara, time }, runId);
    expect(asked).toMatchObject({ rule: { name: HONEST, version: 1 } });
    await sendNotices(services, { isSandboxBank: true }, 10);
    const { rows } = await database.pool.query<{ text: string }>(
      "select concat_ws(' ', subject, body_text, body_html) as text from messages where organization_id = $1",
      [mara.organizationId],
    );
    const reported = rows.map(({ text }) => text).join("\n");
    expect(reported).toContain(HONEST);
    expect(reported).not.toContain("refund");
  });

  it("renames nothing that runs: its transfers carry the active version's name", async () => {
    const { services, mara, free, ruleId, rename } = await arrange();
    await rename();
    await askRun(services, free.context, ruleId);
    await runAllRules(services);
    await bookDueTransfers(services, 10);
    const { rows } = await database.pool.query(
      "select proposed_by_name as name from transfers where organization_id = $1 and origin = 'RULE'",
      [mara.organizationId],
    );
    expect(rows).toEqual([{ name: HONEST }]);
  });

  it("renames the rule when activated, and discarding it restores the name", async () => {
    const { services, mara, ruleId, rename, storedName } = await arrange();
    await rename();
    await discardVersion(services, mara, { ruleId, version: 2 });
    expect(await storedName()).toBe(HONEST);
    await rename();
    await activate(services, mara, ruleId, 3);
    expect(await storedName()).toBe(FORGED);
    await deactivate(services, mara, ruleId, 3);
    expect(await storedName()).toBe(FORGED);
  });

  it("renames a rule that was never activated, and nothing else can change an active name", async () => {
    const { services, mara, ruleId, rename, storedName } = await arrange();
    await deactivate(services, mara, ruleId);
    await rename();
    expect(await storedName()).toBe(FORGED);
    await activate(services, mara, ruleId, 1);
    expect(await storedName()).toBe(HONEST);
    // As an older Sluice writes it while it still serves during the migration.
    await database.pool.query("update rules set name = 'Older' where id = $1", [ruleId]);
    expect(await storedName()).toBe(HONEST);
  });
});
