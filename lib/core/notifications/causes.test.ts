import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { noteNewAssistant } from "@/lib/core/keys/connect-assistant";
import { replaceApiKey } from "@/lib/core/keys/replace-api-key";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import { runDueRules } from "@/lib/core/rules/run-due-rules";
import { RETRY_DELAYS_MS } from "@/lib/core/rules/run-result";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { cancelTransfer } from "@/lib/core/transfers/cancel-transfer";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { inTransaction } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { createApiKey, createConfirmedApiKey, madeAtOnce } from "@/lib/testing/as-entered";
import { connectTestAssistant } from "@/lib/testing/assistants";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";
import { linksIn } from "@/lib/testing/message-examples";
import { arrangeNotices } from "@/lib/testing/notices";
import { inOpenTransaction } from "@/lib/testing/overlap";
import { storeRule, storeRun } from "@/lib/testing/rules/rule-runs";
import { anythingWithRules, askRun, runAllRules } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { addEndpoint, createTestWebhooks } from "@/lib/testing/webhooks";

// The workers process all organizations, so each test has its own database.
let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

const DAY_MS = 86_400_000;

async function arrange() {
  const { services, clock } = createTestServices(database);
  const context = await arrangeNotices(database, services);
  const { organization } = context;
  const pod = (name: string, balanceInCents = 0) =>
    organization.addAccount({ name, type: "POD", balanceInCents });
  const outside = (name: string, balanceInCents?: number) =>
    organization.addAccount({
      name,
      type: "EXTERNAL_ACCOUNT",
      ...(balanceInCents === undefined ? {} : { balanceInCents }),
    });
  const bank = createSandboxBank(database.pool);
  const passDays = async (days: number) => {
    for (let day = 0; day < days; day++) {
      clock.advance(DAY_MS);
      await submitDueTransfers(services, bank, 20);
      await collectBankNotices(services, bank, 20);
    }
  };
  const onArrival = (accountId: string) => ({
    type: "ON_FUNDS_TRANSFERRED" as const,
    accountId,
    minimumAmountInCents: null,
  });
  const onDemand = (accountId: string) => ({ type: "MANUAL" as const, accountId });
  const move = (sourceAccountId: string, destinationAccountId: string, more: object, group = 0) => ({
    sourceAccountId,
    destinationAccountId,
    group,
    ...more,
  });
  const key = await organization.addKey([...anythingWithRules(false), moveAnything(false)]);
  return { ...context, services, clock, pod, outside, bank, passDays, onArrival, onDemand, move, key };
}

/** The email that each decider got exactly once. */
function onlyEmail({ mails, recipients, deciders }: Awaited<ReturnType<typeof arrange>>) {
  expect(recipients()).toEqual(deciders);
  const [email] = mails;
  if (!email) throw new Error("No email was sent");
  return { ...email, links: linksIn(email) };
}

describe("a rule run that fails", () => {
  it("notifies the organization's owners and co-owners once, with reason and link", async () => {
    const arranged = await arrange();
    const { services, organization, owner, pod, onArrival, move, deliver, noticesOf, elsewhere } = arranged;
    const [income, taxes] = [await pod("Income"), await pod("Taxes")];
    const rule = await storeRule(database, owner, {
      name: "Split client payments",
      trigger: onArrival(income),
      steps: [{ actions: [move(income, taxes, { type: "FIXED", amountInCents: 50_000 })] }],
    });
    await organization.deposit(income, 10_000);
    await runAllRules(services);
    expect(await noticesOf()).toEqual(["RULE_RUN_FAILED"]);
    await deliver();
    await deliver();
    const email = onlyEmail(arranged);
    expect(email.subject).toBe("Split client payments failed");
    expect(email.text).toContain("Nothing moved.");
    expect(email.links[0]).toContain(`/rules/${rule.id}/runs/`);
    expect(await noticesOf(elsewhere.organizationId)).toEqual([]);
  });

  it("in part notifies with what moved", async () => {
    const arranged = await arrange();
    const { services, owner, pod, onDemand, move, key, deliver } = arranged;
    const [operating, taxes] = [await pod("Operating", 10_000), await pod("Taxes")];
    const rule = await storeRule(database, owner, {
      trigger: onDemand(operating),
      steps: [
        {
          actions: [
            move(operating, taxes, { type: "FIXED", amountInCents: 8_000 }),
            move(operating, taxes, { type: "FIXED", amountInCents: 8_000 }, 1),
          ],
        },
      ],
    });
    await askRun(services, key.context, rule.id);
    await runAllRules(services);
    await deliver();
    const email = onlyEmail(arranged);
    expect(email.subject).toBe("Split workshop income failed in part");
    expect(email.text).toContain("started by test-key. $80.00 moved in 1 transfer, and stays where it is.");
  });

  it("over an unknown balance notifies after the last attempt only", async () => {
    const { services, clock, owner, pod, outside, onDemand, move, key, noticesOf } = await arrange();
    const [checking, operating] = [await outside("Checking"), await pod("Operating")];
    await database.ownerPool.query("update provider_balances set refreshed_at = null");
    const rule = await storeRule(database, owner, {
      trigger: onDemand(checking),
      steps: [{ actions: [move(checking, operating, { type: "REMAINDER" })] }],
    });
    await askRun(services, key.context, rule.id);
    await runAllRules(services);
    for (const delayMs of RETRY_DELAYS_MS) {
      expect(await noticesOf()).toEqual([]);
      clock.advance(delayMs);
      await runAllRules(services);
    }
    expect(await noticesOf()).toEqual(["RULE_RUN_FAILED"]);
  });

  it("because its chain exceeded ten rules notifies", async () => {
    const { services, organization, owner, pod, onArrival, move, noticesOf } = await arrange();
    const [left, right] = [await pod("Left"), await pod("Right")];
    for (const [from, to] of [
      [left, right],
      [right, left],
    ] as const) {
      await storeRule(database, owner, {
        trigger: onArrival(from),
        steps: [{ actions: [move(from, to, { type: "REMAINDER" })] }],
      });
    }
    await organization.deposit(left, 10_000);
    expect(await runAllRules(services)).toBe(10);
    expect(await noticesOf()).toEqual(["RULE_RUN_FAILED"]);
  });

  it("does not notify if it is a dry run, or was denied or expired", async () => {
    const { services, owner, pod, onDemand, move, noticesOf } = await arrange();
    const [operating, taxes] = [await pod("Operating"), await pod("Taxes")];
    const { id: ruleId } = await storeRule(database, owner, {
      trigger: onDemand(operating),
      steps: [{ actions: [move(operating, taxes, { type: "REMAINDER" })] }],
    });
    const where = { ...owner, now: services.clock.now() };
    await storeRun(database, where, { ruleId, mode: "SIMULATION", status: "FAILED" });
    const waiting = await storeRun(database, where, { ruleId, status: "APPROVAL_PENDING" });
    await database.ownerPool.query("update rule_executions set status = 'APPROVAL_DENIED' where id = $1", [
      waiting,
    ]);
    expect(await noticesOf()).toEqual([]);
    await storeRun(database, where, { ruleId, status: "FAILED" });
    expect(await noticesOf()).toEqual(["RULE_RUN_FAILED"]);
  });

  it("does not notify if a person stopped it: rule deactivated, key revoked, transfer canceled", async () => {
    const arranged = await arrange();
    const { services, owner, pod, outside, onDemand, move, key, noticesOf } = arranged;
    const [operating, taxes] = [await pod("Operating", 50_000), await pod("Taxes")];
    const checking = await outside("Checking", 0);
    const steps = (to: string) => [
      { actions: [move(operating, to, { type: "FIXED", amountInCents: 10_000 })] },
    ];
    const sweep = await storeRule(database, owner, { trigger: onDemand(operating), steps: steps(taxes) });
    const payOut = await storeRule(database, owner, { trigger: onDemand(operating), steps: steps(checking) });
    const now = () => ({ ...owner, now: services.clock.now() });

    await askRun(services, key.context, payOut.id);
    await runAllRules(services);
    const { rows } = await database.pool.query("select id from transfers where rule_id = $1", [payOut.id]);
    await cancelTransfer(services, now(), rows[0].id);

    await askRun(services, key.context, sweep.id);
    await revokeApiKey(services, now(), key.id);

    const other = await arranged.organization.addKey(anythingWithRules(false));
    await askRun(services, other.context, sweep.id);
    await database.ownerPool.query(
      "update rules set active_version = null, active_trigger_type = null, active_trigger_account_id = null where id = $1",
      [sweep.id],
    );
    await runAllRules(services);
    const { rows: ended } = await database.pool.query(
      "select status from rule_executions where organization_id = $1",
      [owner.organizationId],
    );
    expect(ended).toEqual([{ status: "FAILED" }, { status: "FAILED" }, { status: "FAILED" }]);
    expect(await noticesOf()).toEqual([]);
  });

  it("does not notify if the transaction that failed it is rolled back", async () => {
    const { services, owner, pod, onDemand, move, noticesOf } = await arrange();
    const [operating, taxes] = [await pod("Operating"), await pod("Taxes")];
    const { id: ruleId } = await storeRule(database, owner, {
      trigger: onDemand(operating),
      steps: [{ actions: [move(operating, taxes, { type: "REMAINDER" })] }],
    });
    const id = await storeRun(
      database,
      { ...owner, now: services.clock.now() },
      { ruleId, status: "IN_PROGRESS" },
    );
    const inside = await inOpenTransaction(database.ownerPool, async (client) => {
      await client.query("update rule_executions set status = 'FAILED' where id = $1", [id]);
      return client.query("select kind from notices");
    });
    expect(inside.rows).toEqual([{ kind: "RULE_RUN_FAILED" }]);
    expect(await noticesOf()).toEqual([]);
  });
});

describe("a bank's answer about a transfer", () => {
  it("about the other account's number notifies once, and says what changed", async () => {
    const arranged = await arrange();
    const { services, pod, outside, key, passDays, deliver, noticesOf } = arranged;
    const [operating, checking] = [await pod("Operating", 100_000), await outside("Checking", 0)];
    await database.ownerPool.query("update accounts set account_number_last4 = '8812' where id = $1", [
      checking,
    ]);
    await askTransfer(services, key.context, {
      sourceAccountId: operating,
      destinationAccountId: checking,
      amountInCents: 10_011,
    });
    await passDays(14);
    expect(await noticesOf()).toEqual(["ACCOUNT_CORRECTED"]);
    await deliver();
    const email = onlyEmail(arranged);
    expect(email.subject).toBe("A bank corrected the numbers of Checking");
    expect(email.text).toContain("Checking: its number now ends in 8813 instead of 8812 (C01)");
    expect(email.links[0]).toContain(`/accounts/${checking}`);
  });

  it.each([
    [10_001, "TRANSFER_REFUSED", "The bank refused $100.01", "no account (R03)"],
    [10_002, "TRANSFER_REFUSED", "The bank refused $100.02", "account frozen (R16)"],
    [10_003, "TRANSFER_RETURNED", "The bank returned $100.03", "not authorized (R10)"],
  ])(
    "of %i cents notifies once of %s, with the reason in words",
    async (amountInCents, kind, subject, reason) => {
      const arranged = await arrange();
      const { services, pod, outside, key, passDays, deliver, noticesOf } = arranged;
      const [operating, checking] = [await pod("Operating", 100_000), await outside("Checking", 0)];
      await askTransfer(services, key.context, {
        sourceAccountId: operating,
        destinationAccountId: checking,
        amountInCents,
      });
      await passDays(14);
      expect(await noticesOf()).toEqual([kind]);
      await deliver();
      const email = onlyEmail(arranged);
      expect(email.subject).toBe(`${subject} from Operating to Checking`);
      expect(email.text).toContain(reason);
      expect(email.links[0]).toContain(`/accounts/${operating}`);
    },
  );

  it("does not notify of a settlement, nor if the transfer failed for lack of money before the bank", async () => {
    const { services, pod, outside, key, passDays, noticesOf } = await arrange();
    const [operating, checking] = [await pod("Operating", 20_000), await outside("Checking", 0)];
    const route = { sourceAccountId: operating, destinationAccountId: checking };
    await askTransfer(services, key.context, { ...route, amountInCents: 15_000 });
    await askTransfer(services, key.context, { ...route, amountInCents: 15_000 });
    await bookDueTransfers(services, 20);
    await passDays(5);
    const { rows } = await database.pool.query(
      `select status, error_code as "errorCode" from transfers where proposed_by_kind = 'API_KEY' order by status`,
    );
    expect(rows).toEqual([
      { status: "COMPLETE", errorCode: null },
      { status: "FAILED", errorCode: "INSUFFICIENT_FUNDS" },
    ]);
    expect(await noticesOf()).toEqual([]);
  });

  it("about a rule's transfer notifies of the transfer and not also of the run", async () => {
    const arranged = await arrange();
    const { services, owner, pod, outside, onDemand, move, key, passDays, deliver, noticesOf } = arranged;
    const [operating, checking] = [await pod("Operating", 100_000), await outside("Checking", 0)];
    const rule = await storeRule(database, owner, {
      name: "Pay rent",
      trigger: onDemand(operating),
      steps: [{ actions: [move(operating, checking, { type: "FIXED", amountInCents: 10_001 })] }],
    });
    const runId = await askRun(services, key.context, rule.id);
    await runAllRules(services);
    await passDays(5);
    const { rows } = await database.pool.query("select status from rule_executions where id = $1", [runId]);
    expect(rows).toEqual([{ status: "FAILED" }]);
    expect(await noticesOf()).toEqual(["TRANSFER_REFUSED"]);
    await deliver();
    const email = onlyEmail(arranged);
    expect(email.text).toContain("It was part of a run of Pay rent.");
    expect(email.links[0]).toContain(`/rules/${rule.id}/runs/${runId}`);
  });

  it("that returns money before a rule split it notifies of the transfer and not of the run", async () => {
    const { services, organization, owner, pod, onArrival, move, noticesOf } = await arrange();
    const [income, taxes] = [await pod("Income"), await pod("Taxes")];
    const rule = await storeRule(database, owner, {
      trigger: onArrival(income),
      steps: [{ actions: [move(income, taxes, { type: "REMAINDER" })] }],
    });
    await organization.deposit(income, 100_000);
    const now = services.clock.now();
    const { rows } = await database.pool.query("select id from transfers where origin = 'DIRECT_DEPOSIT'");
    await database.pool.query("select apply_bank_notice($1, 'back', $2, 'RETURNED', 'ACH_R10', $3, $4, $3)", [
      owner.organizationId,
      rows[0].id,
      now,
      newId(now),
    ]);
    await runAllRules(services);
    const { rows: runs } = await database.pool.query(
      "select status from rule_executions where rule_id = $1",
      [rule.id],
    );
    expect(runs).toEqual([{ status: "FAILED" }]);
    expect(await noticesOf()).toEqual(["TRANSFER_RETURNED"]);
  });

  it("that pauses rules names them and links to what they moved", async () => {
    const arranged = await arrange();
    const { services, organization, owner, pod, onArrival, move, deliver, texts, verifyPhone } = arranged;
    await verifyPhone(owner.actor.id, "+12125550131");
    const [income, taxes] = [await pod("Income"), await pod("Taxes")];
    const rule = await storeRule(database, owner, {
      name: "Set aside",
      trigger: onArrival(income),
      steps: [{ actions: [move(income, taxes, { type: "FIXED", amountInCents: 60_000 })] }],
    });
    await organization.deposit(income, 100_000);
    await runDueRules(services, 20);
    const now = services.clock.now();
    const { rows } = await database.pool.query("select id from transfers where origin = 'DIRECT_DEPOSIT'");
    await database.pool.query("select apply_bank_notice($1, 'back', $2, 'RETURNED', 'ACH_R10', $3, $4, $3)", [
      owner.organizationId,
      rows[0].id,
      now,
      newId(now),
    ]);
    await deliver();
    const email = onlyEmail(arranged);
    expect(email.subject).toBe("The bank returned $1,000.00 from Halden Health to Income");
    expect(email.text).toContain("taken back from Income, which is now $600.00 below zero.");
    expect(email.text).toContain("The rule Set aside is paused");
    expect(email.links[0]).toContain(`/rules/${rule.id}/paused`);
    expect(texts.map(({ to, text }) => ({ to, isShort: text.length <= 306 }))).toEqual([
      { to: "+12125550131", isShort: true },
    ]);
  });
});

describe("an API key made in the dashboard", () => {
  it("notifies every owner and co-owner, its creator included, with its permissions in words", async () => {
    const arranged = await arrange();
    const { services, owner, pod, deliver } = arranged;
    const [operating, taxes] = [await pod("Operating"), await pod("Taxes")];
    const key = await madeAtOnce(
      createConfirmedApiKey(
        services,
        { ...owner, now: services.clock.now() },
        {
          name: "claude-bookkeeping",
          permissions: [
            {
              type: "MANUAL_TRANSFER",
              entries: [{ source: operating, target: taxes, max_amount: 50_000 }],
              approval: { required: false },
            },
          ],
        },
      ),
    );
    await deliver();
    const email = onlyEmail(arranged);
    expect(email.subject).toBe("Mara made the API key claude-bookkeeping");
    expect(email.text).toContain(
      "This key can move up to $500.00 at a time from Operating to Taxes. Nobody is asked before it moves money.",
    );
    expect(email.links[0]).toContain(`/settings/api-keys/${key.id}`);
    expect(email.text).not.toContain(key.text);
  });

  it("that replaces another notifies of the replacement", async () => {
    const arranged = await arrange();
    const { services, owner, key, deliver } = arranged;
    const context = { ...owner, now: services.clock.now() };
    await replaceApiKey(services, context, { keyId: key.id, grace: "ONE_HOUR" });
    await deliver();
    expect(onlyEmail(arranged).subject).toBe("Mara replaced the API key test-key");
  });

  it("does not notify if setup made it, or if the member's confirmation was missing", async () => {
    const { services, clock, owner, noticesOf } = await arrange();
    const input = { name: "bot", permissions: [moveAnything(true)] };
    await createApiKey(services, { ...owner, now: clock.now() }, input);
    clock.advance(DAY_MS / 24);
    await expect(createConfirmedApiKey(services, { ...owner, now: clock.now() }, input)).rejects.toThrow(
      NotConfirmed,
    );
    expect(await noticesOf()).toEqual([]);
  });
});

describe("an assistant that a member connects", () => {
  const connect = async ({ services, owner }: Awaited<ReturnType<typeof arrange>>, member = owner) => {
    const by = { ...member, now: services.clock.now() };
    const assistant = await connectTestAssistant(database, by);
    await inTransaction(services.pool, (client) =>
      noteNewAssistant(client, { ...by, id: assistant.id, userId: member.actor.id }),
    );
    return assistant;
  };

  it("notifies every owner and co-owner of who connected it, its redirect host and what it can do", async () => {
    const arranged = await arrange();
    await connect(arranged);
    await arranged.deliver();
    const email = onlyEmail(arranged);
    expect(email.subject).toBe("Mara connected the assistant Claude");
    expect(email.text).toContain("redirected to claude[.]ai. Its name is self-declared.");
    expect(email.text).toContain("Nothing moves until one of you approves.");
    expect(email.links[0]).toContain("/settings/assistants");
    expect(email.text).not.toMatch(/\bkey\b/i);
  });

  it("can only read if its member cannot approve, and the message says so", async () => {
    const arranged = await arrange();
    await connect(arranged, arranged.viewer);
    await arranged.deliver();
    const email = onlyEmail(arranged);
    expect(email.subject).toBe("Tomas connected the assistant Claude");
    expect(email.text).toContain("may neither propose nor change anything");
  });

  it("and proposes is called an assistant, with who connected it, whatever it calls itself", async () => {
    const arranged = await arrange();
    const { services, pod, deliver } = arranged;
    const { context } = await connectTestAssistant(database, arranged.jonas, { name: "Mara" });
    await askTransfer(services, context, {
      sourceAccountId: await pod("Operating", 20_000),
      destinationAccountId: await pod("Taxes"),
      amountInCents: 100,
    });
    await deliver();
    expect(onlyEmail(arranged).text).toContain("The assistant Mara, connected by Jonas, asks.");
  });
});

describe("an endpoint that is switched off automatically", () => {
  it.each([
    [false, "Every attempt to reach it failed for five days."],
    [true, "It answered 410 Gone"],
  ])("notifies with the reason, the waiting events and a link to it (gone: %s)", async (isGone, why) => {
    const arranged = await arrange();
    const { services, clock, owner, pod, key, deliver, mails, noticesOf } = arranged;
    const url = "https://hooks.northwind.example/sluice?token=very-secret";
    const endpoint = await addEndpoint(services, createTestWebhooks(), owner.organizationId, url);
    const [operating, taxes] = [await pod("Operating", 20_000), await pod("Taxes")];
    await askTransfer(services, key.context, {
      sourceAccountId: operating,
      destinationAccountId: taxes,
      amountInCents: 100,
    });
    const fail = async () => {
      const now = clock.now();
      await database.ownerPool.query("select note_endpoint_health($1, $2, 0, 1, $3, $4, $4)", [
        owner.organizationId,
        endpoint.id,
        isGone,
        now,
      ]);
    };
    await fail();
    clock.advance(5 * DAY_MS);
    await fail();
    await fail();
    expect(await noticesOf()).toEqual(["ENDPOINT_DISABLED"]);
    await deliver();
    const email = onlyEmail(arranged);
    expect(email.text).toContain(why);
    expect(email.text).toMatch(/[1-9] events? waits?/);
    expect(email.text).not.toContain("very-secret");
    expect(email.links[0]).toContain(`/settings/webhooks/${endpoint.id}`);
    expect(mails).toHaveLength(2);
  });

  it("does not notify if someone has switched it back on", async () => {
    const { services, clock, owner, deliver, mails } = await arrange();
    const endpoint = await addEndpoint(
      services,
      createTestWebhooks(),
      owner.organizationId,
      "https://hooks.northwind.example",
    );
    await database.ownerPool.query("select note_endpoint_health($1, $2, 0, 1, true, $3, $3)", [
      owner.organizationId,
      endpoint.id,
      clock.now(),
    ]);
    await database.ownerPool.query("update webhook_endpoints set status = 'ENABLED', disabled_at = null");
    await deliver();
    expect(mails).toEqual([]);
  });
});
