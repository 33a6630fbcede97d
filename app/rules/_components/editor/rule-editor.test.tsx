import { describe, expect, it } from "vitest";
import { reduceEditor } from "@/app/rules/_components/editor/editor-state";
import { RuleEditor } from "@/app/rules/_components/editor/rule-editor";
import { Acting } from "@/components/act/acting";
import { saveDraft } from "@/lib/core/rules/save-draft";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { renderInRouter } from "@/lib/testing/render-in-router";
import { act, ruleOf } from "@/lib/testing/rules/example-rules";
import {
  anythingWithRules,
  askRun,
  editRule,
  makeActive,
  runAllRules,
  writeRule,
} from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { type RuleEditorView, readRuleEditor } from "@/lib/views/rules/read-rule-editor";

const database = useTestDatabase();

const onFirst = { fact: "DAY_OF_MONTH", operator: "EQUAL", value: 1 } as const;

const render = (view: RuleEditorView) =>
  renderInRouter(
    <Acting>
      <RuleEditor view={view} />
    </Acting>,
  );

async function arrange() {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const income = await organization.addAccount({ name: "Income", type: "POD", balanceInCents: 50_000 });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey(anythingWithRules(false));
  const rule = (limits: unknown[]) =>
    ruleOf({
      trigger: { type: "MANUAL", accountId: income },
      steps: [
        {
          actions: [
            act({
              type: "FIXED",
              sourceAccountId: income,
              destinationAccountId: taxes,
              amountInCents: 30_000,
              upTo: true,
              ...(limits.length > 0 && { limitId: "taxes" }),
            }),
          ],
        },
      ],
      limits,
    });
  const time = { nowAt: organization.owner.now.toISOString(), timeZone: "America/New_York", locale: "en-US" };
  return {
    services,
    organization,
    key,
    rule,
    open: (ruleId: string) => readRuleEditor({ services, context: organization.owner, time }, ruleId),
  };
}

describe("the editor of a rule", () => {
  it.each(["TRANSFER", "DAY", "WEEK", "MONTH", "YEAR"] as const)(
    "shows a draft with a new limit per %s, as a new limit has used nothing",
    async (period) => {
      const { services, organization, key, rule, open } = await arrange();
      const ruleId = await writeRule(services, key.context, rule([]));
      const view = await open(ruleId);
      const [step] = view.work.draft.steps;
      const edited = reduceEditor(
        { draft: view.work.draft, json: null, notice: null, revision: 0 },
        {
          kind: "EDIT",
          edit: {
            kind: "SET_LIMIT",
            action: step?.actions[0]?.key ?? 0,
            called: "Taxes",
            change: { period, amountInCents: 12_300 },
          },
        },
      );
      await saveDraft(services, organization.owner, {
        draftId: view.draftId,
        ruleId,
        baseVersion: view.rule?.baseVersion ?? null,
        work: { draft: edited.draft, jsonText: null },
      });
      const html = render(await open(ruleId));
      expect(html).toContain("at most $123.00");
      expect(html).toContain('id="it-reads"');
      // The sentence, the limit's word and the trial that it bounds.
      expect(html.match(/\$123\.00/g)?.length).toBeGreaterThanOrEqual(3);
      expect(html).not.toContain("The preview could not be calculated");
    },
  );

  it("leaves a rule as large as a body to the browser: drawn here, it would keep everyone waiting", async () => {
    const { services, key, rule, open } = await arrange();
    const small = rule([]);
    const [step] = small.steps;
    if (!step) throw new Error("The rule has no step");
    const conditions = { any: Array.from({ length: 5 }, () => onFirst) };
    const large = { ...small, steps: Array.from({ length: 20 }, () => ({ ...step, conditions })) };
    expect(render(await open(await writeRule(services, key.context, small)))).toContain('id="it-reads"');
    for (const steps of [
      large.steps,
      [{ ...step, actions: Array.from({ length: 50 }, () => step.actions).flat() }],
    ]) {
      const html = render(await open(await writeRule(services, key.context, { ...small, steps })));
      expect(html).toContain("Opening the rule");
      expect(html.length).toBeLessThan(1_000);
    }
  });

  it("counts what a limit has used in another period, and after a version without it", async () => {
    const { services, key, rule, open } = await arrange();
    const ruleId = await writeRule(
      services,
      key.context,
      rule([{ id: "taxes", period: "MONTH", amountInCents: 10_000 }]),
    );
    await makeActive(database, ruleId);
    await askRun(services, key.context, ruleId);
    await runAllRules(services);
    await editRule(services, key.context, ruleId, rule([]));
    const { limitsUsed } = await open(ruleId);
    expect(limitsUsed.YEAR).toEqual({ taxes: 10_000 });
    expect(limitsUsed.DAY).toEqual({ taxes: 10_000 });
  });
});
