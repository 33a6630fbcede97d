/**
 * Goal: every sentence of the process follows the settings, and a signed review stays what an owner signed. Method: a real
 * PostgreSQL; each setting is changed through its command, and the text is read before and after.
 */
import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { activitySearchSchema } from "@/lib/contract/search/search-schemas";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { readAlerts, readProcess, readReviewState } from "@/lib/core/fraud-monitoring/read-process";
import { remindOfReviews } from "@/lib/core/fraud-monitoring/remind-of-review";
import { signReview } from "@/lib/core/fraud-monitoring/sign-review";
import { setKeyCap } from "@/lib/core/keys/set-key-cap";
import { closeGates } from "@/lib/core/keys/switch-gates";
import { setNewPodFloor } from "@/lib/core/ledger/set-new-pod-floor";
import { savePreference } from "@/lib/core/notifications/save-preference";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import { setPayeeCoolOff } from "@/lib/core/payees/set-cool-off";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { setOutgoingCap } from "@/lib/core/transfers/outgoing-cap";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";
import { listActivity } from "@/lib/views/activity/list-activity";
import { getApproval } from "@/lib/views/approvals/get-approval";
import {
  exportFraudMonitoring,
  readFraudMonitoring,
  readFraudReview,
} from "@/lib/views/fraud-monitoring/read-fraud-monitoring";
import { alertWords } from "@/lib/words/fraud-process";

const database = useTestDatabase();

const DAY_MS = 86_400_000;

async function arrange(name?: string) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services, name);
  const { organizationId } = organization;
  const here = (member: Context<MemberActor> = organization.owner) => ({ ...member, now: clock.now() });
  const proveIt = () =>
    database.ownerPool.query("update sessions set authenticated_at = $2 where organization_id = $1", [
      organizationId,
      clock.now(),
    ]);
  const time = () => ({ nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" });
  const text = async () => (await readProcess(database.pool, here())).text;
  const look = (member?: Context<MemberActor>) =>
    readFraudMonitoring({ services, context: here(member), time: time() });
  const sign = async (member?: Context<MemberActor>, note: string | null = null) =>
    signReview(services, here(member), { shownDigest: (await look()).digest, note });
  return { services, clock, organization, organizationId, here, proveIt, time, text, look, sign };
}

describe("the written process", () => {
  it("says what each setting is, and something else once the setting is changed", async () => {
    const { services, organization, organizationId, here, text } = await arrange();
    expect(await text()).toContain("Mara (owner) may approve payments.");
    expect(await text()).toContain("Not in place: a second approver. Mara (owner) alone decides");
    const jonas = await organization.addMember("CO_OWNER", "Jonas");
    expect(await text()).toContain("Jonas (co-owner) and Mara (owner) may approve payments.");
    expect(await text()).toContain("Not in place: a second approval.");

    expect(await text()).toContain(
      "For 24 hours after a confirmation, payments to the payee that together exceed $500.00",
    );
    await setPayeeCoolOff(services, here(), { aboveInCents: 20_000, hours: 48 });
    expect(await text()).toContain(
      "For 48 hours after a confirmation, payments to the payee that together exceed $200.00",
    );
    await setPayeeCoolOff(services, here(), { aboveInCents: 20_000, hours: 0 });
    expect(await text()).toContain("Not in place: a waiting time for payments to new and changed payees.");

    expect(await text()).toContain("Not in place: a default floor for new pods.");
    await setNewPodFloor(services, here(), { floorInCents: 50_000 });
    expect(await text()).toContain("New pods begin with a floor of $500.00.");
    expect(await text()).toContain("Not in place: floors.");
    await organization.addAccount({ name: "Taxes", type: "POD", floorInCents: 120_000 });
    expect(await text()).toContain("leave these amounts untouched: Taxes $1,200.00.");

    expect(await text()).toContain("Not in place: a second factor for every member.");
    await database.ownerPool.query("update organizations set requires_second_factor = true where id = $1", [
      organizationId,
    ]);
    expect(await text()).toContain("Every member signs in with a second factor.");

    expect(await text()).toContain("Every owner and co-owner gets an email when a bank returns");
    await savePreference(services, jonas, { topic: "RETURNS", channel: "EMAIL", isOn: false });
    expect(await text()).toContain(
      "Not in place: emails about returned and refused payments to Jonas, who turned them off.",
    );
  });

  it("names each key that may move money, with its cap, and the rules that run", async () => {
    const { services, organization, here, text } = await arrange();
    expect(await text()).toContain("No API key may move money.");
    const sweep = await organization.addKey([moveAnything(false), ...anythingWithRules(true)], "sweep");
    await organization.addKey([moveAnything(true)], "bookkeeper");
    expect(await text()).toContain("The key bookkeeper may ask to make transfers. Each waits for approval.");
    expect(await text()).toContain(
      "Not in place: an approval or a daily cap for the key sweep. It may make transfers without approval. To run rules, it asks for approval.",
    );
    await setKeyCap(services, here(), { keyId: sweep.id, dailyCapInCents: 250_000 });
    expect(await text()).toContain(
      "The key sweep may make transfers without approval, up to $2,500.00 within 24 hours.",
    );

    const operating = await organization.addAccount({ name: "Operating", type: "POD" });
    const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
    expect(await text()).toContain("No rule is active.");
    const ruleId = await writeRule(services, sweep.context, {
      name: "Set taxes aside",
      trigger: { type: "MANUAL", accountId: operating },
      steps: [
        {
          actions: [
            {
              type: "FIXED",
              amountInCents: 1_000,
              sourceAccountId: operating,
              destinationAccountId: taxes,
              group: 0,
            },
          ],
        },
      ],
    });
    await makeActive(database, ruleId);
    expect(await text()).toContain("run without a further approval: Set taxes aside.");
  });

  it("claims a cap on money out only where real money can leave", async () => {
    const { services, here, text } = await arrange();
    expect(await text()).toContain("This is a sandbox: no real money leaves");
    await database.ownerPool.query(
      "insert into bank_in_use (name, is_production, since) values ('A bank', true, now())",
    );
    try {
      expect(await text()).toContain("At most $1,000.00 may leave within 24 hours");
      await setOutgoingCap(services, here(), { capInCents: null });
      expect(await text()).toContain(
        "Not in place: a cap on what may leave within 24 hours. An owner lifted it.",
      );
    } finally {
      await database.ownerPool.query("delete from bank_in_use");
    }
  });
});

describe("the alerts of the year", () => {
  it("count returns by code, denials, payees and closed gates of the last twelve months, and nothing older", async () => {
    const { services, clock, organization, organizationId, here, proveIt, time } = await arrange();
    const operating = await organization.addAccount({
      name: "Operating",
      type: "POD",
      balanceInCents: 900_000,
    });
    const checking = await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" });
    const moving = await organization.addKey([moveAnything(false)], "moving");
    const asking = await organization.addKey([moveAnything(true)], "asking");
    const bank = createSandboxBank(database.pool);
    // The sandbox bank refuses x.01, and returns x.03 after it has settled.
    for (const [sourceAccountId, destinationAccountId, amountInCents] of [
      [operating, checking, 10_000],
      [operating, checking, 10_001],
      [operating, checking, 10_003],
    ] as const) {
      await askTransfer(services, moving.context, { sourceAccountId, destinationAccountId, amountInCents });
    }
    const { id } = await askTransfer(services, asking.context, {
      sourceAccountId: operating,
      destinationAccountId: checking,
      amountInCents: 5_000,
    });
    const approval = await getApproval({ services, context: here(), time: time() }, id);
    const denial = { decision: "DENY", note: null, confirmation: { kind: "NONE" } } as const;
    const decided = { ...denial, proposalId: id, digest: approval?.digest ?? "" };
    expect(await decideProposal(services, here(), decided)).toEqual({ kind: "DECIDED" });
    for (let day = 0; day < 14; day += 1) {
      clock.advance(BANK_WINDOW_MS);
      await submitDueTransfers(services, bank, 20);
      clock.advance(DAY_MS - BANK_WINDOW_MS);
      await collectBankNotices(services, bank, 20);
    }
    await proveIt();
    await closeGates(services, here());
    const read = async () => {
      const groups = await readAlerts(database.pool, here());
      return Object.fromEntries(groups.map((group) => [group.kind, alertWords(group)]));
    };
    const now = await read();
    expect(now.RETURNED).toMatchObject({ total: "1", details: "R10, not authorized: 1" });
    expect(now.REFUSED).toMatchObject({ total: "1", details: "R03, no account: 1" });
    expect(now.DECISION).toMatchObject({ total: "1", details: "denied: 1" });
    expect(now.GATES).toMatchObject({ total: "1" });
    expect(now.PAYEE).toMatchObject({ total: "0", details: "" });
    expect(await readReviewState(database.pool, here())).toEqual({ kind: "DUE", lastSignedAt: null });

    clock.advance(380 * DAY_MS);
    expect(Object.values(await read()).map(({ total }) => total)).toEqual(Array(9).fill("0"));
    expect(await readReviewState(database.pool, { organizationId, now: clock.now() })).toEqual({
      kind: "NOT_NEEDED",
    });
  });
});

describe("a review", () => {
  it("is kept as it was signed, with who, when and its digest, and says later what has changed since", async () => {
    const { services, clock, organization, here, proveIt, time, look, sign } = await arrange();
    const id = await sign(organization.owner, "Read with Ines");
    const signed = await readFraudReview({ services, context: here(), time: time() }, id);
    const { text, digest } = (
      await database.pool.query<{ text: string; digest: string }>(
        "select text, encode(digest, 'hex') as digest from fraud_reviews where id = $1",
        [id],
      )
    ).rows[0] ?? { text: "", digest: "" };
    expect(hash("sha256", text, "hex")).toBe(digest);
    expect(signed).toMatchObject({ signedByName: "Mara", note: "Read with Ines", digest });
    expect(signed?.document.sections.at(-1)?.title).toBe("Alerts of the twelve months before");
    expect(await look()).toMatchObject({ review: { kind: "SIGNED" }, changes: { removed: [], added: [] } });

    await setPayeeCoolOff(services, here(), { aboveInCents: 50_000, hours: 72 });
    const { changes } = await look();
    expect(changes?.removed).toEqual([expect.stringContaining("For 24 hours")]);
    expect(changes?.added).toEqual([expect.stringContaining("For 72 hours")]);
    expect(await readFraudReview({ services, context: here(), time: time() }, id)).toEqual({
      ...signed,
      time: time(),
    });

    clock.advance(366 * DAY_MS);
    await proveIt();
    expect((await look()).review).toEqual({ kind: "NOT_NEEDED" });
    await sign();
    expect((await look()).reviews).toHaveLength(2);
    const activity = await listActivity(
      { services, context: here(), time: time() },
      activitySearchSchema.parse({ about: "organization" }),
      { before: null, after: null },
    );
    expect(activity.rows.filter((row) => row.activity.kind === "FRAUD_REVIEW_SIGNED")).toMatchObject([
      { byName: "Mara" },
      { byName: "Mara", href: `/settings/fraud-monitoring/${id}` },
    ]);
  });

  it("is signed by an owner alone, with presence, and only as it was shown", async () => {
    const { services, clock, organization, organizationId, here, proveIt, look, sign } = await arrange();
    for (const role of ["CO_OWNER", "ACCOUNTANT", "VIEWER"] as const) {
      await expect(sign(await organization.addMember(role, role))).rejects.toMatchObject({
        code: "ACCESS_DENIED",
      });
    }
    const { digest } = await look();
    await organization.addMember("CO_OWNER", "Jonas");
    await expect(signReview(services, here(), { shownDigest: digest, note: null })).rejects.toThrow(
      /setting changed/,
    );
    clock.advance(10 * 60_000);
    await expect(sign()).rejects.toThrow(/Confirm that it is you/);
    const count = async () =>
      (await database.pool.query("select from fraud_reviews where organization_id = $1", [organizationId]))
        .rowCount;
    expect(await count()).toBe(0);
    await proveIt();
    await sign();
    expect(await count()).toBe(1);
  });

  it("is never changed or removed, not even by the owner of the database, and its digest must be that of its text", async () => {
    const { organizationId, organization, clock, sign } = await arrange();
    await sign();
    for (const change of [
      "update fraud_reviews set note = 'x'",
      "delete from fraud_reviews",
      "truncate fraud_reviews",
    ]) {
      await expect(database.pool.query(change)).rejects.toMatchObject({ code: "42501" });
      await expect(database.ownerPool.query(change)).rejects.toThrow(/append only/);
    }
    await expect(
      database.pool.query(
        `insert into fraud_reviews (organization_id, id, text, digest, signed_by, signed_by_name, signed_at)
         values ($1, gen_random_uuid(), 'Another text', sha256('A text'), $2, 'Mara', $3)`,
        [organizationId, organization.owner.actor.id, clock.now()],
      ),
    ).rejects.toThrow(/fraud_reviews_are_whole/);
  });

  it("is invisible to another organization, and exported to all but viewers", async () => {
    const [northwind, elsewhere] = [await arrange(), await arrange("Elsewhere")];
    const id = await northwind.sign();
    const { services, here, time, organization } = elsewhere;
    expect(await readFraudReview({ services, context: here(), time: time() }, id)).toBeNull();
    expect((await elsewhere.look()).reviews).toEqual([]);
    await expect(exportFraudMonitoring({ services, context: here(), time: time() }, id)).rejects.toThrow(
      /no such review/,
    );
    const viewer = await organization.addMember("VIEWER", "Tomas");
    expect((await elsewhere.look(viewer)).exportHref).toBeNull();
    await expect(
      exportFraudMonitoring({ services, context: here(viewer), time: time() }, null),
    ).rejects.toThrow(/export/);
    const file = await exportFraudMonitoring({ services, context: here(), time: time() }, null);
    expect(file.fileName).toBe("fraud-monitoring-2026-01-15.md");
    expect((await file.lines.next()).value).toMatch(
      /^# Fraud monitoring of Elsewhere\n[\s\S]*Payments returned by a bank: 0/,
    );
  });
});

describe("the reminder of a review", () => {
  /** What was emailed, oldest first. */
  async function arrangeReminders() {
    const scene = await arrange();
    const { services, clock, organization, organizationId, sign, proveIt } = scene;
    const jonas = await organization.addMember("CO_OWNER", "Jonas");
    await organization.addMember("VIEWER", "Tomas");
    const operating = await organization.addAccount({
      name: "Operating",
      type: "POD",
      balanceInCents: 900_000,
    });
    const checking = await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" });
    const key = await organization.addKey([moveAnything(false)]);
    const bank = createSandboxBank(database.pool);
    const pay = async () => {
      const route = { sourceAccountId: operating, destinationAccountId: checking, amountInCents: 10_000 };
      await askTransfer(services, { ...key.context, now: clock.now() }, route);
      clock.advance(BANK_WINDOW_MS);
      await submitDueTransfers(services, bank, 20);
      clock.advance(5 * DAY_MS);
      await collectBankNotices(services, bank, 20);
    };
    const look = async () => {
      await remindOfReviews(services, 50);
      await sendNotices(services, { isSandboxBank: false }, 50);
    };
    const emails = async () => {
      const { rows } = await database.pool.query<{ recipient: string; text: string }>(
        `select recipient, body_text as text from messages
          where organization_id = $1 and kind = 'FRAUD_REVIEW_DUE' and channel = 'EMAIL' order by id`,
        [organizationId],
      );
      return rows;
    };
    const signNow = async () => {
      await proveIt();
      await sign();
    };
    return { ...scene, jonas, pay, look, emails, signNow };
  }

  it("is emailed once to owners and co-owners when it is due, and again a year after they signed", async () => {
    const { clock, pay, look, emails, signNow } = await arrangeReminders();
    await database.ownerPool.query(
      "insert into bank_in_use (name, is_production, since) values ('A bank', true, now())",
    );
    try {
      await look();
      expect(await emails()).toEqual([]);
      clock.advance(DAY_MS);
      await pay();
      await look();
      expect(await emails()).toHaveLength(2);
      expect((await emails())[0]?.text).toContain("has not signed a review yet");
      for (let day = 0; day < 3; day += 1) {
        clock.advance(DAY_MS);
        await look();
      }
      expect(await emails()).toHaveLength(2);
      await signNow();
      clock.advance(200 * DAY_MS);
      await pay();
      await look();
      expect(await emails()).toHaveLength(2);
      clock.advance(170 * DAY_MS);
      await look();
      expect(await emails()).toHaveLength(4);
      expect((await emails())[3]?.text).toContain("The last review was signed");
      clock.advance(DAY_MS);
      await look();
      expect(await emails()).toHaveLength(4);
    } finally {
      await database.ownerPool.query("delete from bank_in_use");
    }
  });

  it("is not sent where no real money moves, or if a review was signed before it left", async () => {
    const { services, organizationId, pay, look, emails, signNow } = await arrangeReminders();
    await pay();
    await look();
    expect(await emails()).toEqual([]);
    await database.ownerPool.query(
      "insert into bank_in_use (name, is_production, since) values ('A bank', true, now())",
    );
    try {
      await remindOfReviews(services, 50);
      const { rowCount } = await database.pool.query(
        "select from notices where organization_id = $1 and kind = 'FRAUD_REVIEW_DUE'",
        [organizationId],
      );
      expect(rowCount).toBe(1);
      await signNow();
      await look();
      expect(await emails()).toEqual([]);
    } finally {
      await database.ownerPool.query("delete from bank_in_use");
    }
  });
});
