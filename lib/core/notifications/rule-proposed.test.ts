import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { approvalPlaceSchema, approvalSearchSchema } from "@/lib/contract/search/search-schemas";
import { saveRuleAsMember } from "@/lib/core/rules/save-rule";
import { newId } from "@/lib/platform/ids";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";
import { arrangeNotices } from "@/lib/testing/notices";
import { activate, anythingWithRules, editRule, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { listProposals } from "@/lib/views/approvals/list-proposals";
import { readOverview } from "@/lib/views/overview/read-overview";
import { readLive } from "@/lib/views/read-live";

// The workers process all organizations, so each test has its own database.
let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

async function arrange() {
  const { services, clock, woken } = createTestServices(database);
  const world = await arrangeNotices(database, services);
  const { organization, owner } = world;
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 900_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey(anythingWithRules(true), "claude-bookkeeping");
  const define = (amountInCents: number, name = "Set taxes aside"): RuleDefinition =>
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
              amountInCents,
            },
          ],
        },
      ],
    });
  const asKey = (calledReason: string | null = null) => ({ ...key.context, now: clock.now(), calledReason });
  const write = (definition = define(10_000), reason: string | null = null) =>
    writeRule(services, asKey(reason), definition);
  const edit = (ruleId: string, definition: RuleDefinition) =>
    editRule(services, asKey(), ruleId, definition);
  const time = () => ({ nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" });
  const now = () => ({ ...owner, now: clock.now() });
  return { ...world, services, clock, woken, define, write, edit, time, now };
}

describe("a rule that a key writes", () => {
  it("is sent to every owner and co-owner with what it does, why, and the page to activate it", async () => {
    const { write, define, deliver, mails, texts, recipients, deciders, woken } = await arrange();
    const ruleId = await write(define(12_500), "Taxes came out short twice.");
    expect(woken).toContain("send-notices");
    await deliver();
    expect(recipients()).toEqual(deciders);
    const [mail] = mails;
    expect(mail?.subject).toMatch(/claude-bookkeeping.* proposes the rule .*Set taxes aside/);
    expect(mail?.text).toContain("$125.00");
    expect(mail?.text).toContain("Taxes came out short twice.");
    expect(mail?.text).toContain("nothing runs until an owner or co-owner activates it");
    expect(mail?.html).toContain(`href="http://localhost:3000/rules/${ruleId}?version=1"`);
    // By SMS only to who asked for it.
    expect(texts).toEqual([]);
  });

  it("follows each person's choice: an SMS without the caller's words, or no email", async () => {
    const { services, write, deliver, texts, recipients, owner, jonas, choose, verifyPhone } =
      await arrange();
    await verifyPhone(owner.actor.id, "+12125550131");
    await choose(services, owner, { topic: "RULE_PROPOSALS", channel: "SMS", isOn: true });
    await choose(services, jonas, { topic: "RULE_PROPOSALS", channel: "EMAIL", isOn: false });
    const ruleId = await write(undefined, "Reply STOP");
    await deliver();
    expect(recipients()).toEqual([owner.actor.email]);
    expect(texts.map(({ to }) => to)).toEqual(["+12125550131"]);
    expect(texts[0]?.text).toContain("Sluice: a rule was proposed.");
    expect(texts[0]?.text).toContain(ruleId);
    expect(texts[0]?.text).not.toMatch(/STOP|claude|taxes/i);
  });

  it("as a new version says which one runs until then", async () => {
    const { services, clock, owner, write, edit, define, deliver, mails } = await arrange();
    const ruleId = await write();
    await activate(services, owner, ruleId);
    clock.advance(1_000);
    await edit(ruleId, define(20_000));
    await deliver();
    expect(mails.map(({ subject }) => subject)).toEqual(
      Array.from({ length: 2 }, () => expect.stringContaining("proposes version 2 of the rule")),
    );
    expect(mails[0]?.text).toContain(
      "Version 1 keeps running until an owner or co-owner activates this one.",
    );
  });

  it("is not sent once it was activated, or was followed by another version", async () => {
    const { services, clock, owner, write, edit, define, deliver, mails } = await arrange();
    await activate(services, owner, await write());
    await deliver();
    expect(mails).toEqual([]);
    const ruleId = await write(define(10_000, "Another"));
    clock.advance(1_000);
    await edit(ruleId, define(20_000, "Another"));
    await deliver();
    expect(mails).toHaveLength(2);
    expect(mails[0]?.subject).toContain("proposes version 2");
  });

  it("from the sixth within an hour is combined with the next ones", async () => {
    const { clock, write, define, deliver, mails } = await arrange();
    for (let index = 0; index < 8; index += 1) {
      await write(define(10_000 + index, `Rule ${index}`));
      clock.advance(1_000);
      await deliver();
    }
    expect(mails).toHaveLength(10);
    clock.advance(15 * 60_000);
    await deliver();
    expect(mails).toHaveLength(12);
    expect(mails.at(-1)?.subject).toBe("3 more rules were proposed");
    expect(mails.at(-1)?.text).toMatch(/Rule 5.*Rule 6.*Rule 7/s);
  });

  it("is counted, and listed in Approvals and Overview, until someone activates it", async () => {
    const { services, owner, write, time, now } = await arrange();
    const before = await readLive({ services, context: now() });
    expect(before.rulesCount).toBe(0);
    const ruleId = await write();
    const live = await readLive({ services, context: now() });
    expect(live.rulesCount).toBe(1);
    expect(live.stamps.waiting).not.toBe(before.stamps.waiting);
    const search = approvalSearchSchema.parse({});
    const look = async () => {
      const place = approvalPlaceSchema.parse({});
      const [inbox, overview] = await Promise.all([
        listProposals({ services, context: now(), time: time() }, search, place),
        readOverview({ services, context: now(), time: time() }, 30),
      ]);
      return [inbox.rules, overview.proposedRules];
    };
    const expected = {
      count: 1,
      listed: [
        {
          href: `/rules/${ruleId}`,
          name: "Set taxes aside",
          version: 1,
          activeVersion: null,
          proposedBy: { kind: "API_KEY", name: "claude-bookkeeping" },
          proposedAt: now().now.toISOString(),
        },
      ],
    };
    expect(await look()).toEqual([expected, expected]);
    await activate(services, owner, ruleId);
    expect(await look()).toEqual([
      { count: 0, listed: [] },
      { count: 0, listed: [] },
    ]);
    expect((await readLive({ services, context: now() })).rulesCount).toBe(0);
  });
});

describe("a rule that a member writes", () => {
  it("is sent to nobody: they are at work on it", async () => {
    const { services, now, define, deliver, mails } = await arrange();
    await saveRuleAsMember(services, now(), {
      draftId: newId(now().now),
      ruleId: null,
      expectedVersion: null,
      definition: define(10_000),
      reason: null,
    });
    await deliver();
    expect(mails).toEqual([]);
  });
});
