import { describe, expect, it } from "vitest";
import type { Decision } from "@/lib/contract/confirmation/decision";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { approvalPlaceSchema, approvalSearchSchema } from "@/lib/contract/search/search-schemas";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { countWaiting } from "@/lib/core/approvals/read-waiting";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { proofSize } from "@/lib/testing/proof-size";
import {
  activate,
  anythingWithRules,
  askRun,
  deactivate,
  editRule,
  readRun,
  readyToActivate,
  writeRule,
} from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";
import { listProposals } from "@/lib/views/approvals/list-proposals";
import { readRulePage } from "@/lib/views/rules/read-rule-page";
import { readRuns } from "@/lib/views/rules/read-runs";

const database = useTestDatabase();

/** A rule with an active first version and a second one, and a key whose runs wait. */
async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId, owner } = organization;
  const income = await organization.addAccount({ name: "Income", type: "POD", balanceInCents: 1_000_000 });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey(anythingWithRules(true), "zapier-invoices");
  const move = (amountInCents: number): RuleDefinition =>
    ruleDefinitionSchema.parse({
      name: "Set taxes aside",
      trigger: { type: "MANUAL", accountId: income },
      steps: [
        {
          actions: [
            { type: "FIXED", sourceAccountId: income, destinationAccountId: taxes, group: 0, amountInCents },
          ],
        },
      ],
    });
  const ruleId = await writeRule(services, key.context, move(90_000));
  expect(await activate(services, owner, ruleId)).toEqual({ kind: "DONE" });
  await editRule(services, key.context, ruleId, move(100_000));
  const time = () => ({ nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" });
  const ask = (executeAmount?: number) =>
    askRun(services, { ...key.context, now: clock.now() }, ruleId, executeAmount ? { executeAmount } : {});
  const look = async (id: string, member = owner) => {
    const view = await getApproval({ services, context: { ...member, now: clock.now() }, time: time() }, id);
    if (view?.kind !== "RULE_RUN") throw new Error("There is no such run");
    return view;
  };
  const decide = (proposalId: string, decision: Decision, digest: string) =>
    decideProposal(services, owner, {
      proposalId,
      decision,
      digest,
      note: null,
      confirmation: { kind: "NONE" },
    });
  const rulePage = async (version: number) => {
    const page = await readRulePage({ services, context: owner, time: time() }, { ruleId, version });
    if (page?.kind !== "READABLE") throw new Error("The rule cannot be read");
    return page;
  };
  const inbox = () =>
    listProposals(
      { services, context: owner, time: time() },
      approvalSearchSchema.parse({}),
      approvalPlaceSchema.parse({}),
    );
  const waitingCount = () => countWaiting(services.pool, organizationId, clock.now());
  return {
    services,
    clock,
    organization,
    owner,
    key,
    ruleId,
    time,
    ask,
    look,
    decide,
    rulePage,
    inbox,
    waitingCount,
  };
}

describe("activating another version", () => {
  it("says beforehand which waiting runs it ends", async () => {
    const { ask, rulePage } = await arrange();
    const id = await ask();
    expect((await rulePage(2)).endingRuns).toEqual({
      count: 1,
      listed: [
        {
          id,
          href: `/?approvalTransferId=${id}`,
          requesterKind: "API_KEY",
          requesterName: "zapier-invoices",
          amountInCents: 90_000,
          version: 1,
        },
      ],
    });
    for (let more = 0; more < 6; more += 1) await ask();
    const { count, listed } = (await rulePage(2)).endingRuns;
    expect([count, listed.length]).toEqual([7, 5]);
    // Of the active version's page: what deactivating it ends.
    expect((await rulePage(1)).endingRuns.count).toBe(7);
  });

  it("ends them: they leave the list, count as denied, and cannot be decided", async () => {
    const { services, owner, key, ruleId, ask, look, decide, inbox, waitingCount, time } = await arrange();
    const id = await ask();
    const { digest } = await look(id);
    expect(await activate(services, owner, ruleId, 2)).toEqual({ kind: "DONE" });
    expect(await waitingCount()).toBe(0);
    expect(await inbox()).toMatchObject({
      waiting: [],
      decided: { rows: [{ id, status: "RULE_CHANGED", decision: null }] },
    });
    expect(await readRun(services, key.context, ruleId, id)).toMatchObject({
      status: "APPROVAL_DENIED",
      approvalUrl: null,
      transferIds: [],
    });
    for (const decision of ["APPROVE", "DENY"] as const) {
      expect(await decide(id, decision, digest)).toEqual({
        kind: "REFUSED",
        message: "This run ended when its version of the rule stopped running. Nothing was decided.",
      });
    }
    const runs = await readRuns({ services, context: owner, time: time() }, ruleId, {
      page: 1,
      mode: null,
      status: null,
    });
    expect(runs?.rows).toMatchObject([{ id, endedBy: "RULE_CHANGE" }]);
  });

  it("leaves a page that says why, and offers the same run on the new version", async () => {
    const { services, organization, owner, ruleId, ask, look } = await arrange();
    const viewer = await organization.addMember("VIEWER", "Tomas");
    const id = await ask(360_000);
    await activate(services, owner, ruleId, 2);
    const view = await look(id);
    expect(view).toMatchObject({
      status: "RULE_CHANGED",
      runAgain: { version: 2, href: `/rules/${ruleId}/run?amount=%243%2C600.00` },
    });
    expect(view.history.at(-1)).toMatchObject({ kind: "RULE_CHANGED", byName: "Mara", version: 2 });
    expect((await look(id, viewer)).runAgain).toEqual({ version: 2, href: null });
  });

  it("keeps the runs of the version that it activates, and does not count ended ones for their requester", async () => {
    const { services, owner, ruleId, ask, look, waitingCount } = await arrange();
    const first = await ask();
    await database.ownerPool.query(
      `update rules set active_version = null, active_trigger_type = null, active_trigger_account_id = null
        where id = $1`,
      [ruleId],
    );
    await activate(services, owner, ruleId, 1);
    expect(await waitingCount()).toBe(1);
    await activate(services, owner, ruleId, 2);
    const second = await ask();
    expect((await look(first)).status).toBe("RULE_CHANGED");
    expect((await look(second)).requester).toMatchObject({ decidedCount: 0, recent: [] });
  });

  it("leaves an expired run to expire", async () => {
    const { services, clock, owner, ruleId, ask, look } = await arrange();
    const id = await ask();
    clock.advance(24 * 3_600_000);
    await activate(services, { ...owner, now: clock.now() }, ruleId, 2);
    expect((await look(id)).status).toBe("EXPIRED");
  });
});

describe("deactivating a rule", () => {
  it("ends its waiting runs, and their page says that no version is active", async () => {
    const { services, owner, ruleId, ask, look, waitingCount } = await arrange();
    const id = await ask();
    expect(await deactivate(services, owner, ruleId)).toEqual({ kind: "DONE" });
    expect(await waitingCount()).toBe(0);
    const view = await look(id);
    expect(view).toMatchObject({ status: "RULE_CHANGED", runAgain: { version: null, href: null } });
    expect(view.history.at(-1)).toMatchObject({ kind: "RULE_CHANGED", byName: "Mara", version: null });
  });
});

describe("an activation beside decisions and new runs", () => {
  it("ends each run exactly once: approved before it, or ended by it", { timeout: 120_000 }, async () => {
    for (let round = 0; round < proofSize(4, 20); round += 1) {
      const { services, owner, key, ruleId, ask, look, decide, waitingCount } = await arrange();
      const ids = [await ask(), await ask(), await ask()];
      const digests = await Promise.all(ids.map(async (id) => (await look(id)).digest));
      const press = await readyToActivate(services, owner, ruleId, 2);
      const [activation, ...rest] = await Promise.all([
        press(),
        ...ids.map((id, index) => decide(id, index === 2 ? "DENY" : "APPROVE", digests[index] ?? "")),
        ask(),
      ]);
      expect(activation).toEqual({ kind: "DONE" });
      const late = String(rest.at(-1));
      for (const id of [...ids, late]) {
        const { status } = await readRun(services, key.context, ruleId, id);
        const shown = (await look(id)).status;
        // A run that was proposed after the activation waits for a decision on the new version.
        if (status === "APPROVAL_PENDING") expect([id, shown]).toEqual([late, "WAITING"]);
        else if (status === "APPROVAL_DENIED") expect(["RULE_CHANGED", "DENIED"]).toContain(shown);
        else expect(["ON_ITS_WAY", "SETTLED"]).toContain(shown);
      }
      expect(await waitingCount()).toBeLessThanOrEqual(1);
    }
  });
});
