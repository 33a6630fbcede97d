/**
 * Goal: a window of the policy counts what one requester moves to one destination in its days, by whatever way and however it is
 * split. Method: each way to split, beside what must not count.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Policy, PolicyRule, PolicyWindow } from "@/lib/contract/policies/policy";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { moveMoney } from "@/lib/core/approvals/move-money";
import { replaceApiKey } from "@/lib/core/keys/replace-api-key";
import { readMandateSigning } from "@/lib/core/mandates/sign-mandate";
import { writeMandate } from "@/lib/core/mandates/write-mandate";
import { confirmPayee } from "@/lib/core/payees/decide-payee";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { newId } from "@/lib/platform/ids";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { askTransfer, createTestApi, moveAnything, readEverything } from "@/lib/testing/api";
import { addPayee, changePayee } from "@/lib/testing/as-entered";
import { useTestDatabase } from "@/lib/testing/database";
import { signedMandate, termsBetween } from "@/lib/testing/mandates/signed-mandate";
import { createTestOrganization } from "@/lib/testing/organization";
import { overlap } from "@/lib/testing/overlap";
import { anyDeciders, asks, policyOf, putInForce } from "@/lib/testing/policies";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { anythingWithRules, askRun, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";
import { getBatchApproval } from "@/lib/views/approvals/get-batch-approval";
import { readPastProposals } from "@/lib/views/policies/read-past-proposals";
import { previewMove } from "@/lib/views/transfers/read-move-page";

const database = useTestDatabase();
const DAY_MS = 86_400_000;
const WEEK: PolicyWindow = { days: 7, by: ["requester", "destination"] };

const muchIn = (window: PolicyWindow, amountOver = 500_000): PolicyRule => ({
  name: "Much",
  when: { amountOver, window },
  ...asks([anyDeciders(2)]),
});
const policyWith = (...rules: PolicyRule[]): Policy => policyOf(asks([anyDeciders(1)]), ...rules);

/** Mara made the key; Ana is a co-owner. */
async function arrange(policy: Policy) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId, owner: mara } = organization;
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 9_000_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const profit = await organization.addAccount({ name: "Profit", type: "POD" });
  const ana = await organization.addMember("CO_OWNER", "Ana");
  const key = await organization.addKey([...anythingWithRules(true), moveAnything(true)], "claude");
  const publish = (next: Policy) => putInForce(database, organizationId, mara.actor.id, next);
  await publish(policy);
  const at = (member: Context<MemberActor>) => ({
    ...member,
    now: clock.now(),
    actor: { ...member.actor, authenticatedAt: clock.now() },
  });
  const time = () => ({ nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" });
  const propose = async (amountInCents: number, destinationAccountId = taxes, by = key.context) => {
    clock.advance(10);
    const transfer = await askTransfer(
      services,
      { ...by, now: clock.now() },
      { sourceAccountId: operating, destinationAccountId, amountInCents },
    );
    return transfer.id;
  };
  const look = async (id: string, member = ana) => {
    const view = await getApproval({ services, context: at(member), time: time() }, id);
    if (!view) throw new Error("no such proposal");
    return view;
  };
  const approve = async (id: string, digest: string, member = ana) => {
    const { kind } = await decideProposal(services, at(member), {
      proposalId: id,
      decision: "APPROVE",
      digest,
      note: null,
      confirmation: { kind: "NONE" },
    });
    return kind;
  };
  const sign = async (id: string, member = ana) => approve(id, (await look(id, member)).digest, member);
  /** A member's own move; whether it moved at once. */
  const move = async (member: Context<MemberActor>, amountInCents: number, destinationAccountId = taxes) => {
    clock.advance(10);
    const draft = {
      draftId: newId(clock.now()),
      sourceAccountId: operating,
      destinationAccountId,
      amountInCents,
      achLabel: null,
      note: null,
    };
    const { digest } = await previewMove({ services, context: at(member), time: time() }, draft);
    const result = await moveMoney(services, at(member), {
      ...draft,
      digest,
      confirmation: { kind: "NONE" },
    });
    if (result.kind !== "MOVED") throw new Error(`It answered ${result.kind}`);
    const id = new URL(result.href, "http://localhost").searchParams.get("approvalTransferId") ?? "";
    return (await look(id)).status === "SETTLED" ? "MOVED" : "WAITS";
  };
  const past = () =>
    readPastProposals(services.pool, { organizationId, now: clock.now(), timeZone: "America/New_York" }, [
      policyWith(muchIn(WEEK), muchIn({ days: 7, by: ["destination"] })),
    ]);
  return {
    ...{ services, clock, organization, organizationId, operating, taxes, profit, mara, ana, key },
    ...{ publish, at, propose, look, approve, sign, move, past },
  };
}

type Scene = Pick<Awaited<ReturnType<typeof arrange>>, "services" | "mara" | "at">;

const accountAtHarbor = (accountNumber: string) => ({
  holderName: "Harbor Print Shop LLC",
  accountKind: "CHECKING" as const,
  routingNumber: "101050001",
  accountNumber,
});

async function addConfirmedPayee(scene: Scene, name: string, accountNumber: string): Promise<string> {
  const { services, at, mara } = scene;
  const account = accountAtHarbor(accountNumber);
  const payeeId = await addPayee(services, createSandboxBank(database.pool), at(mara), {
    name,
    kind: "BUSINESS",
    account,
  });
  await confirm(scene, payeeId);
  return payeeId;
}

/** Confirms the payee’s account that waits. */
async function confirm({ services, at, mara }: Scene, payeeId: string): Promise<void> {
  const { organizationId } = mara;
  const { rows } = await database.pool.query<{ id: string }>(
    "select id from payee_details where organization_id = $1 and payee_id = $2 and state = 'WAITING'",
    [organizationId, payeeId],
  );
  await database.ownerPool.query("update sessions set authenticated_at = $2 where organization_id = $1", [
    organizationId,
    at(mara).now,
  ]);
  await confirmPayee(services, at(mara), { payeeId, detailsId: rows[0]?.id ?? "", callBackNote: null });
}

describe("an amount that is split", () => {
  it("over several rules of the policy counts in the window of each", async () => {
    const { publish, propose, look, sign, profit } = await arrange(policyWith());
    await publish(
      policyWith(
        { name: "To Profit", when: { destinationAccountIds: [profit] }, ...asks([anyDeciders(1)]) },
        { ...muchIn({ days: 1, by: ["requester"] }, 800_000), name: "Much in a day" },
        muchIn({ days: 7, by: ["requester"] }),
      ),
    );
    // By the first rule, then by none, then by the third and the second, each of which counts those of the other rules.
    const ruleOf = async (id: string) => (await look(id)).signing?.asks.map(({ ruleName }) => ruleName) ?? [];
    expect(await sign(await propose(300_000, profit))).toBe("DECIDED");
    expect(await sign(await propose(150_000))).toBe("DECIDED");
    const third = await propose(51_000);
    expect(await ruleOf(third)).toEqual(["Much"]);
    expect(await sign(await propose(300_000, profit))).toBe("DECIDED");
    const fourth = await propose(100);
    expect(await ruleOf(fourth)).toEqual(["Much in a day"]);
    expect(await sign(fourth)).toBe("SIGNED");
  });

  it("over proposals that are saved up, and approved together later, counts when it is accepted", async () => {
    const { clock, propose, sign, publish } = await arrange(policyWith());
    const slow = { expiresAfterHours: 168 };
    await publish({
      rules: [{ ...muchIn({ days: 1, by: ["requester"] }), ...slow }],
      otherwise: asks([anyDeciders(1)], slow),
    });
    const saved = [await propose(300_000)];
    clock.advance(2 * DAY_MS);
    saved.push(await propose(300_000));
    clock.advance(2 * DAY_MS);
    const last = await propose(300_000);
    expect(await sign(last), "what waits counts, however long").toBe("SIGNED");
    expect(await sign(saved[0] ?? "")).toBe("DECIDED");
    expect(await sign(saved[1] ?? ""), "the first was accepted today").toBe("SIGNED");
    clock.advance(DAY_MS);
    expect(await sign(await propose(100_000)), "its day is not over").toBe("SIGNED");
  });

  it("ends with its days: what was accepted before them does not count", async () => {
    const { clock, propose, sign } = await arrange(policyWith(muchIn(WEEK)));
    expect(await sign(await propose(300_000))).toBe("DECIDED");
    clock.advance(7 * DAY_MS - 1_000);
    expect(await sign(await propose(300_000))).toBe("SIGNED");
    clock.advance(2_000);
    expect(await sign(await propose(200_000)), "one waits with 300,000 from the week").toBe("DECIDED");
  });

  it("over several keys of one member, their own moves and an old key counts as theirs", async () => {
    const scene = await arrange(policyWith(muchIn(WEEK)));
    const { organization, propose, sign, move, taxes, mara, past } = scene;
    const other = await organization.addKey([...readEverything, moveAnything(true)], "another");
    expect(await sign(await propose(200_000))).toBe("DECIDED");
    expect(await sign(await propose(200_000, taxes, other.context))).toBe("DECIDED");
    expect(await move(mara, 100_000)).toBe("MOVED");
    const over = await propose(100, taxes, other.context);
    expect(await sign(over)).toBe("SIGNED");
    const [latest] = (await past()).proposals;
    expect(latest?.facts.windowSums(WEEK), "the backtest counts as the decision does").toBe(500_100);
    expect(await move(mara, 100)).toBe("WAITS");
  });

  it("counts apart for two members, and by another destination", async () => {
    const { propose, sign, move, profit, ana, mara } = await arrange(policyWith(muchIn(WEEK)));
    expect(await sign(await propose(500_000))).toBe("DECIDED");
    expect(await move(ana, 500_000)).toBe("MOVED");
    expect(await move(mara, 500_000, profit)).toBe("MOVED");
  });

  it("over two payees of one bank account, in one batch or one after the other, counts as one destination", async () => {
    const scene = await arrange(policyWith());
    const { services, at, ana, key, operating, propose, publish, sign, past } = scene;
    const payee = (name: string, accountNumber: string) => addConfirmedPayee(scene, name, accountNumber);
    const print = await payee("Harbor Print", "987654321");
    const shop = await payee("Harbor Shop", "987654321");
    const other = await payee("Kiln Studio", "987654322");
    const byDestination: PolicyWindow = { days: 7, by: ["destination"] };
    await publish(policyWith(muchIn(byDestination)));
    await propose(300_000, print);
    expect(await sign(await propose(300_000, other))).toBe("DECIDED");
    const second = await propose(300_000, shop);
    expect((await past()).proposals[0]?.facts.windowSums(byDestination)).toBe(600_000);
    expect(await sign(second)).toBe("SIGNED");
    await publish(policyWith(muchIn(byDestination, 1_000_000)));
    const { body } = await createTestApi(services)(key.text, "POST", "/transfers/batch", {
      body: {
        reasonForApproval: "Prints",
        transfers: [print, shop].map((destinationAccountId) => ({
          sourceAccountId: operating,
          destinationAccountId,
          amountInCents: 210_000,
        })),
      },
    });
    const { id } = Object(body).data;
    const time = { nowAt: at(ana).now.toISOString(), timeZone: "America/New_York", locale: "en-US" };
    const batch = await getBatchApproval({ services, context: at(ana), time }, id);
    expect(batch?.shared.signing?.asks.map(({ ruleName }) => ruleName)).toEqual(["Much"]);
  });

  it("goes on where another member replaces the key", async () => {
    const scene = await arrange(policyWith(muchIn(WEEK)));
    const { services, at, clock, key, propose, sign, taxes, ana } = scene;
    expect(await sign(await propose(400_000))).toBe("DECIDED");
    const made = await replaceApiKey(services, at(ana), { keyId: key.context.actor.id, grace: "NONE" });
    if (made.kind !== "CREATED") throw new Error("It waits");
    clock.advance(10);
    const context = { ...key.context, actor: { ...key.context.actor, id: made.id } };
    expect(await sign(await propose(200_000, taxes, context))).toBe("SIGNED");
  });
});

describe("by whatever way", () => {
  it("uses of a mandate count", async () => {
    const { services, mara, key, operating, taxes, propose, sign } = await arrange(policyWith());
    const terms = termsBetween([operating], [taxes], { maximumInCents: 400_000 });
    await signedMandate(services, mara, key.context.actor.id, terms);
    await propose(400_000);
    await putInForce(database, mara.organizationId, mara.actor.id, policyWith(muchIn(WEEK)));
    expect(await sign(await propose(200_000))).toBe("SIGNED");
  });

  it("runs that a key starts count as its own, and the moves of a rule by the rule's name", async () => {
    const { services, clock, key, operating, taxes, propose, sign } = await arrange(policyWith(muchIn(WEEK)));
    const move = {
      type: "FIXED" as const,
      sourceAccountId: operating,
      destinationAccountId: taxes,
      group: 0,
      amountInCents: 300_000,
      upTo: false,
    };
    const ruleId = await writeRule(services, key.context, {
      name: "Set tax aside",
      trigger: { type: "MANUAL", accountId: operating },
      steps: [{ conditions: null, actions: [move] }],
    });
    await makeActive(database, ruleId);
    const run = async () => {
      clock.advance(10);
      return askRun(services, { ...key.context, now: clock.now() }, ruleId, { reasonForApproval: "Q4" });
    };
    expect(await sign(await run())).toBe("DECIDED");
    expect(await sign(await run())).toBe("SIGNED");
    expect(await sign(await propose(300_000))).toBe("SIGNED");
  });
});

describe("a rule that names a key", () => {
  it("goes on for the key that replaced it, also for its mandates", async () => {
    const scene = await arrange(policyWith());
    const { services, at, clock, mara, key, publish, propose, sign, operating, taxes } = scene;
    const { organizationId } = mara;
    const { id } = key.context.actor;
    await publish(
      policyWith({ name: "Claude", when: { requesters: { ids: [id] } }, ...asks([anyDeciders(2)]) }),
    );
    const made = await replaceApiKey(services, at(mara), { keyId: id, grace: "NONE" });
    if (made.kind !== "CREATED") throw new Error("It waits");
    clock.advance(10);
    const context = { ...key.context, actor: { ...key.context.actor, id: made.id } };
    expect(await sign(await propose(10_000, taxes, context))).toBe("SIGNED");
    const terms = termsBetween([operating], [taxes]);
    const mandate = await writeMandate(services, at(mara), { apiKeyId: made.id, terms });
    const signing = await readMandateSigning(services.pool, { organizationId, now: clock.now() }, mandate.id);
    expect(signing?.requirements.map(({ ruleName }) => ruleName)).toEqual(["Claude"]);
  });
});

const SLOW = { expiresAfterHours: 168 };
const step = fc.record({
  /** Nothing expires in all of them. */
  hours: fc.integer({ min: 0, max: 13 }),
  amountInCents: fc.integer({ min: 100, max: 99_999 }),
  to: fc.constantFrom("taxes" as const, "profit" as const),
  /** Two keys of one member, and another member. */
  by: fc.constantFrom("KEY" as const, "OTHER_KEY" as const, "ANA" as const),
  /** Which of those that wait is approved then; none there: nothing is. */
  approves: fc.nat({ max: 3 }),
});

describe("a policy's backtest", () => {
  it("adds up in every window of what waits, to the cent, what its decision adds up", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const otherwise = policyOf(asks([anyDeciders(1)], SLOW));
        const scene = await arrange(otherwise);
        const { clock, organization, organizationId, services, key, taxes, profit } = scene;
        const { propose, look, sign, move, publish, ana } = scene;
        const other = await organization.addKey([...readEverything, moveAnything(true)], "other");
        let waiting: string[] = [];
        for (const { hours, amountInCents, to, by, approves } of steps) {
          clock.advance(hours * 3_600_000);
          const destination = to === "taxes" ? taxes : profit;
          if (by === "ANA") await move(ana, amountInCents, destination);
          else
            waiting.push(
              await propose(amountInCents, destination, by === "KEY" ? key.context : other.context),
            );
          const approved = waiting[approves];
          if (approved === undefined || (await sign(approved)) !== "DECIDED") continue;
          waiting = waiting.filter((id) => id !== approved);
        }
        const windows: PolicyWindow[] = [
          { days: 1, by: ["requester"] },
          { days: 1, by: ["destination"] },
          { days: 2, by: ["requester", "destination"] },
        ];
        const past = await readPastProposals(
          services.pool,
          { organizationId, now: clock.now(), timeZone: "America/New_York" },
          [policyWith(...windows.map((window) => muchIn(window)))],
        );
        for (const { id, facts } of past.waiting) {
          for (const window of windows) {
            const sum = facts.windowSums(window);
            const ruleAbove = async (amountOver: number) => {
              await publish(policyOf(asks([anyDeciders(1)], SLOW), muchIn(window, amountOver)));
              return (await look(id)).signing?.asks.some(({ ruleName }) => ruleName === "Much") ?? false;
            };
            expect(await ruleAbove(sum - 1), `more than ${sum - 1}`).toBe(true);
            expect(await ruleAbove(sum), `more than ${sum}`).toBe(false);
          }
        }
      }),
      { numRuns: proofSize(4, 60), seed: proofSeed, endOnFailure: true },
    );
  });

  it("sees a payee as it was when it was proposed, and as it is now if it waits", async () => {
    const scene = await arrange(policyOf(asks([anyDeciders(1)], SLOW)));
    const { services, clock, organization, organizationId, at, mara, taxes, propose, sign } = scene;
    const connected = await organization.addAccount({ name: "Harbor Checking", type: "EXTERNAL_ACCOUNT" });
    const print = await addConfirmedPayee(scene, "Harbor Print", "987654321");
    const states = async () => {
      const ofPayees = policyOf(asks([anyDeciders(1)]), {
        name: "New",
        when: { payee: ["NEW"] },
        ...asks([anyDeciders(2)]),
      });
      const { proposals } = await readPastProposals(
        services.pool,
        { organizationId, now: clock.now(), timeZone: "America/New_York" },
        [ofPayees],
      );
      return proposals.map(({ facts }) => facts.payee).reverse();
    };
    const [first, second] = [await propose(10_000, print), await propose(10_000, print)];
    await propose(10_000, taxes);
    await propose(10_000, connected);
    expect(await states()).toEqual(["NEW", "NEW", null, null]);
    expect(await sign(second)).toBe("DECIDED");
    expect(await states(), "the first would pay a known one now").toEqual([null, "NEW", null, null]);
    clock.advance(DAY_MS);
    await changePayee(services, createSandboxBank(database.pool), at(mara), {
      payeeId: print,
      name: "Harbor Print",
      kind: "BUSINESS",
      account: accountAtHarbor("987654399"),
    });
    await confirm(scene, print);
    expect(await states()).toEqual(["CHANGED", "NEW", null, null]);
    clock.advance(1_000);
    const third = await propose(10_000, print);
    expect(await sign(third)).toBe("DECIDED");
    clock.advance(1_000);
    const fourth = await propose(10_000, print);
    expect(await sign(fourth)).toBe("DECIDED");
    expect(await states()).toEqual([null, "NEW", null, null, "CHANGED", null]);
    expect(await sign(first)).toBe("DECIDED");
  });
});

describe("at the same moment", () => {
  it("of two that are together above a window, the later one is not decided by what one person was shown", async () => {
    const { propose, look, approve } = await arrange(policyWith(muchIn(WEEK)));
    const first = await propose(300_000);
    const second = await propose(300_000);
    const digests = [(await look(first)).digest, (await look(second)).digest];
    // Both wait for the same lock, in either order.
    const { result } = await overlap(
      database,
      (client) => client.query("select from ledgers for update"),
      () => Promise.all([approve(first, digests[0] ?? ""), approve(second, digests[1] ?? "")]),
    );
    expect(result[0]).toBe("DECIDED");
    expect(["SIGNED", "CHANGED"]).toContain(result[1]);
  });

  it("what was accepted since one looked is asked for again under the stricter rule", async () => {
    const { propose, look, approve, sign, mara } = await arrange(policyWith(muchIn(WEEK)));
    const first = await propose(300_000);
    const { digest } = await look(first);
    const second = await propose(300_000);
    expect(await sign(second)).toBe("SIGNED");
    expect(await sign(second, mara)).toBe("DECIDED");
    expect(await approve(first, digest)).toBe("CHANGED");
    expect(await sign(first)).toBe("SIGNED");
  });
});
