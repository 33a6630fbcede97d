/**
 * Goal: the money of a pod with its own account at the bank follows the books there, once per move, under crashes, lost
 * answers and rival workers, and no payment finds the shared account short. Method: the product's commands and due work
 * against Increase's emulator, over HTTP, on a real PostgreSQL.
 */

import fc from "fast-check";
import Increase from "increase";
import { describe, expect, it, onTestFinished } from "vitest";
import { closeGates } from "@/lib/core/keys/switch-gates";
import {
  keepOwnAccounts,
  listOwnBankAccounts,
  readStuckSeconds,
  setOwnBankAccount,
} from "@/lib/core/ledger/own-bank-accounts";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { Outages } from "@/lib/platform/outages";
import { type BankPort, BankUnavailable } from "@/lib/ports/bank/bank-port";
import { createIncreaseBank } from "@/lib/ports/bank/increase/create-increase-bank";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { newOutsideAccount } from "@/lib/testing/bank/outside-account";
import { createTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { readRecordedChanges } from "@/lib/testing/recorded-changes";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";
import { readTransferDetail } from "@/lib/views/movements/read-transfer-detail";
import { openIncreaseEmulator } from "@/proof/emulators/increase/emulator";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const TAXES_IN_CENTS = 300_000;

/** Two pods, Taxes of $3,000 and Operating, with which the bank agrees. */
async function open(operatingInCents = 200_000) {
  const database = await createTestDatabase();
  const { services: plain, clock } = createTestServices(database);
  const emulator = await openIncreaseEmulator({
    startsAt: clock.now(),
    apiKey: "emulated",
    openingInCents: TAXES_IN_CENTS + operatingInCents,
  });
  const bank = createIncreaseBank(database.pool, {
    apiKey: "emulated",
    environment: "sandbox",
    baseUrl: emulator.url,
  });
  const services = { ...plain, bankCapabilities: bank.capabilities };
  const increase = new Increase({ apiKey: "emulated", baseURL: emulator.url, maxRetries: 0 });
  const organization = await createTestOrganization(database, services);
  const { organizationId } = organization;
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD", balanceInCents: TAXES_IN_CENTS });
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: operatingInCents,
  });
  const checking = await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" });
  const registered = await bank.registerOutsideAccount(newOutsideAccount(organizationId, checking));
  const paying: BankPort = {
    ...bank,
    submit: (order, context) =>
      bank.submit({ ...order, outsideAccount: { ...order.outsideAccount, ...registered } }, context),
  };
  const key = await organization.addKey([moveAnything(false)]);
  const move = (sourceAccountId: string, destinationAccountId: string, amountInCents: number) =>
    // `plain`: the account outside is registered by `paying`, not in its tables.
    askTransfer(plain, key.context, { sourceAccountId, destinationAccountId, amountInCents });
  const owner = () => ({
    ...organization.owner,
    actor: { ...organization.owner.actor, authenticatedAt: clock.now() },
    now: clock.now(),
  });
  const setOwn = async (accountId: string, isWanted = true) => {
    await database.ownerPool.query("update sessions set authenticated_at = $1", [clock.now()]);
    await setOwnBankAccount(services, owner(), { accountId, isWanted });
  };
  const outages = new Outages(services, "the bank");
  const keep = (by = bank) => keepOwnAccounts(services, by, 10, outages);
  const pass = async (ms: number) => {
    clock.advance(ms);
    await emulator.advanceTo(clock.now());
  };
  const submit = () => submitDueTransfers(services, paying, 10);
  const collect = () => collectBankNotices(services, bank, 10);
  /** In cents: the shared account and the pods' own. */
  const atBank = async () => {
    const podIds = await listOwnBankAccounts(database.pool, organizationId);
    const asked = { organizationId, businessNow: clock.now() };
    const own = await Promise.all(
      podIds.map((podId) => bank.ownAccounts?.balanceInCents({ organizationId, podId, name: "" })),
    );
    return { shared: (await bank.balance(asked)).currentInCents, own };
  };
  const readTransfer = async (id: string) => {
    const { rows } = await database.ownerPool.query<{ status: string; sent: boolean; error: string | null }>(
      "select status, next_step <> 'SUBMIT' as sent, error_code as error from transfers where id = $1",
      [id],
    );
    return rows[0];
  };
  const movesAtBank = async () => (await increase.accountTransfers.list()).data.length;
  const close = async () => {
    await emulator.close();
    await database.close();
  };
  return {
    close,
    outages,
    ...{
      database,
      services,
      clock,
      emulator,
      bank,
      organization,
      organizationId,
      taxes,
      operating,
      checking,
      paying,
    },
    ...{ move, owner, setOwn, keep, pass, submit, collect, atBank, movesAtBank, readTransfer },
  };
}

/** Holds a step back until another one has come to its place. */
function signal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}

async function arrange() {
  const scene = await open();
  onTestFinished(scene.close);
  return scene;
}

describe("a pod with its own account at the bank", () => {
  it("has its money there, also after moves, and returns it", async () => {
    const { database, organizationId, taxes, operating, setOwn, keep, move, atBank } = await arrange();
    await setOwn(taxes);
    expect(await keep()).toBe(1);
    expect(await atBank()).toEqual({ shared: 200_000, own: [300_000] });
    expect(await keep()).toBe(0);
    await move(taxes, operating, 120_000);
    await keep();
    expect(await atBank()).toEqual({ shared: 320_000, own: [180_000] });
    await move(operating, taxes, 20_000);
    await keep();
    expect(await atBank()).toEqual({ shared: 300_000, own: [200_000] });
    await setOwn(taxes, false);
    await keep();
    expect(await atBank()).toEqual({ shared: 500_000, own: [0] });
    expect(await readRecordedChanges(database, organizationId)).toMatchObject([
      { kind: "OWN_BANK_ACCOUNT", subject: "Taxes", before: "OWN", after: "SHARED" },
      { kind: "OWN_BANK_ACCOUNT", subject: "Taxes", before: "SHARED", after: "OWN" },
    ]);
  });

  it("is moved to once, whatever is lost or killed in between, and however many workers try", async () => {
    const { taxes, operating, setOwn, keep, move, pass, atBank, movesAtBank, emulator, bank, ...rest } =
      await arrange();
    const { clock, outages, organizationId } = rest;
    await setOwn(taxes);
    emulator.loseNextAnswer("POST", "/account_transfers");
    await keep();
    expect(await movesAtBank()).toBe(1);
    // The move is asked about, also when the books want another one by then.
    await move(taxes, operating, 50_000);
    await pass(HOUR_MS);
    await keep();
    expect(await movesAtBank()).toBe(1);
    await keep();
    expect(await atBank()).toEqual({ shared: 250_000, own: [250_000] });

    // Killed after it was recorded and before the bank heard of it.
    await move(taxes, operating, 10_000);
    const dead: BankPort = {
      ...bank,
      ownAccounts: bank.ownAccounts && {
        ...bank.ownAccounts,
        move: () => Promise.reject(new BankUnavailable("killed")),
      },
    };
    await keep(dead);
    expect(await atBank()).toEqual({ shared: 250_000, own: [250_000] });
    // The organization's notices are still collected.
    expect(outages.isBackingOff(taxes, clock.now())).toBe(true);
    expect(outages.isBackingOff(organizationId, clock.now())).toBe(false);
    await pass(HOUR_MS);
    await Promise.all([keep(), keep(), keep()]);
    expect(await atBank()).toEqual({ shared: 260_000, own: [240_000] });
    expect(await movesAtBank()).toBe(3);
  });

  it("lets no payment leave before its money is back where payments leave from", async () => {
    const { taxes, operating, checking, setOwn, keep, move, pass, submit, atBank, emulator } =
      await arrange();
    await setOwn(taxes);
    await keep();
    // From the pod itself, and from another one that got its money.
    await move(taxes, checking, 90_000);
    await move(taxes, operating, 100_000);
    await move(operating, checking, 280_000);
    await pass(BANK_WINDOW_MS);
    await submit();
    expect(emulator.requests).not.toContain("POST /ach_transfers");
    await keep();
    expect(await atBank()).toEqual({ shared: 390_000, own: [110_000] });
    await submit();
    expect(await atBank()).toEqual({ shared: 20_000, own: [110_000] });
  });

  it("takes nothing from the shared account that was promised while the bank was asked", async () => {
    const {
      services,
      bank,
      paying,
      taxes,
      checking,
      setOwn,
      move,
      pass,
      submit,
      keep,
      atBank,
      readTransfer,
    } = await arrange();
    await setOwn(taxes);
    let paymentId = "";
    let sent: Promise<number> | null = null;
    const moved = signal();
    // A payment is approved, and leaves, between the reading of the books and the record of the move; the bank gets it
    // after the move.
    const reading: BankPort = {
      ...bank,
      ownAccounts: bank.ownAccounts && {
        ...bank.ownAccounts,
        balanceInCents: async (pod) => {
          const left = signal();
          paymentId = (await move(taxes, checking, 290_000)).id;
          await pass(BANK_WINDOW_MS);
          const slow: BankPort = {
            ...paying,
            submit: async (order, context) => {
              left.give();
              await moved.given;
              return await paying.submit(order, context);
            },
          };
          sent = submitDueTransfers(services, slow, 10);
          await left.given;
          return (await bank.ownAccounts?.balanceInCents(pod)) ?? 0;
        },
      },
    };
    await keepOwnAccounts(services, reading, 10);
    moved.give();
    await sent;
    await keep();
    await submit();
    expect(await readTransfer(paymentId)).toMatchObject({ status: "PROCESSING", sent: true, error: null });
    expect(await atBank()).toEqual({ shared: 200_000, own: [10_000] });
  });

  it("gets no money of another pod before that is back in the shared account", async () => {
    const { services, bank, paying, organization, taxes, operating, checking, ...scene } = await arrange();
    const { setOwn, move, pass, submit, keep, atBank, readTransfer } = scene;
    const savings = await organization.addAccount({ name: "Savings", type: "POD", balanceInCents: 0 });
    await setOwn(taxes);
    await setOwn(savings);
    await keep();
    // A payment of all that is shared was sent, and the bank never got it.
    const { id } = await move(operating, checking, 200_000);
    await pass(BANK_WINDOW_MS);
    const deaf: BankPort = { ...paying, submit: () => Promise.reject(new BankUnavailable("not reached")) };
    await submitDueTransfers(services, deaf, 10);
    expect(await readTransfer(id)).toMatchObject({ sent: true });

    await move(taxes, savings, 150_000);
    await keepOwnAccounts(services, missing(bank, taxes), 10);
    await pass(HOUR_MS);
    await submit();
    expect(await readTransfer(id)).toMatchObject({ status: "PROCESSING", error: null });
    await keep();
    await pass(HOUR_MS);
    await keep();
    expect(await atBank()).toEqual({ shared: 0, own: [150_000, 150_000] });
  });

  it("waits where the shared account has too little, and is tried again", async () => {
    const { services, organization, setOwn, keep, pass, atBank, clock, bank } = await arrange();
    // The books say more than the bank has: the rest is still on its way there.
    const savings = await organization.addAccount({ name: "Savings", type: "POD", balanceInCents: 600_000 });
    await setOwn(savings);
    await keep();
    expect(await atBank()).toEqual({ shared: 500_000, own: [0] });
    expect(await keep()).toBe(0);
    const { organizationId } = organization;
    const asked = { organizationId, accountId: savings, name: "Savings", businessNow: clock.now() };
    await bank.openAccount(asked);
    await pass(HOUR_MS);
    expect(await keepOwnAccounts(services, bank, 10)).toBe(1);
    expect(await atBank()).toEqual({ shared: 500_000, own: [0] });
  });

  it("counts as stuck from the first refusal until the bank has moved it, and payments behind it say so", async () => {
    const { services, bank, owner, taxes, checking, setOwn, keep, move, pass, clock } = await arrange();
    await setOwn(taxes);
    await keep();
    const { id } = await move(taxes, checking, 290_000);
    await pass(BANK_WINDOW_MS);
    const last = async () => {
      const time = { nowAt: clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
      return (await readTransferDetail({ services, context: owner(), time }, id))?.life.at(-1);
    };
    const waitsFor = { podName: "Taxes", podHref: `/accounts/${taxes}` };
    expect(await last()).toMatchObject({ kind: "LEAVES", waitsFor: { ...waitsFor, isStuck: false } });
    expect(await readStuckSeconds(services)).toBe(0);
    const refusing: BankPort = {
      ...bank,
      ownAccounts: bank.ownAccounts && { ...bank.ownAccounts, move: async () => "REFUSED" },
    };
    await keep(refusing);
    await pass(HOUR_MS);
    await keep(refusing);
    expect(await readStuckSeconds(services)).toBe(HOUR_MS / 1_000);
    expect(await last()).toMatchObject({ waitsFor: { ...waitsFor, isStuck: true } });
    await pass(HOUR_MS);
    await keep();
    expect(await readStuckSeconds(services)).toBe(0);
    expect(await last()).not.toHaveProperty("waitsFor");
  });

  it("is left alone while all gates are closed", async () => {
    const { services, owner, taxes, operating, setOwn, keep, move, atBank } = await arrange();
    await setOwn(taxes);
    await keep();
    await move(taxes, operating, 50_000);
    await closeGates(services, owner());
    expect(await keep()).toBe(0);
    expect(await atBank()).toEqual({ shared: 200_000, own: [300_000] });
  });

  it("is for owners with a fresh confirmation, for open pods, and at a bank that can", async () => {
    const { services, clock, organization, owner, taxes, checking } = await arrange();
    const set = (accountId: string, context = owner(), by = services) =>
      setOwnBankAccount(by, context, { accountId, isWanted: true });
    await expect(set(checking)).rejects.toThrow("Only an open pod can have its own account");
    const viewer = { ...(await organization.addMember("VIEWER", "Kim")), now: clock.now() };
    await expect(set(taxes, viewer)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    const single = { ...services, bankCapabilities: { ...services.bankCapabilities, ownAccounts: false } };
    await expect(set(taxes, owner(), single)).rejects.toThrow("keeps the money of all pods in one account");
    clock.advance(6 * 60_000);
    await expect(set(taxes)).rejects.toThrow(NotConfirmed);
  });

  it("never makes or loses money at the bank, whatever moves in whichever order", {
    timeout: 1_200_000,
  }, async () => {
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 10, maxLength: 30 }), async (steps) => {
        // So little that most payments need money of another account back.
        const scene = await open(20_000);
        const { organization, taxes, operating } = scene;
        const savings = await organization.addAccount({ name: "Savings", type: "POD", balanceInCents: 0 });
        const pods = [taxes, savings, operating] as const;
        for (const one of steps) await take(one, scene, pods);
        for (let round = 0; round < 6; round += 1) {
          await scene.pass(HOUR_MS);
          await scene.keep();
          await scene.keep();
          await scene.submit();
        }
        await scene.pass(5 * DAY_MS);
        await scene.collect();
        await scene.keep();
        await scene.keep();
        sent += await expectAgreement(scene, pods);
        await scene.close();
      }),
      { seed: proofSeed, numRuns: proofSize(4, 60), endOnFailure: true },
    );
    expect(sent).toBeGreaterThan(0);
  });
});

type Scene = Awaited<ReturnType<typeof open>>;
/** Of Taxes, Savings and Operating; the last one stays in the shared account. */
type Pods = readonly [string, string, string];

const pod = fc.constantFrom(0 as const, 1 as const, 2 as const);
/** A fraction of what the account has; all of it brings the shared account to nothing. */
const part = fc.constantFrom(1, 1, 0.5, 0.1);
const anyStep = fc.oneof(
  fc.record({
    act: fc.constant("MOVE" as const),
    from: pod,
    to: pod,
    part,
  }),
  fc.record({ act: fc.constant("PAY" as const), from: pod, part }),
  fc.record({
    act: fc.constantFrom("OWN" as const, "SHARED" as const),
    pod: fc.constantFrom(0 as const, 1 as const),
  }),
  fc.record({
    act: fc.constantFrom(
      "KEEP" as const,
      "LOSE" as const,
      "MISS" as const,
      "SUBMIT" as const,
      "DEAF" as const,
      "TOGETHER" as const,
      "PASS" as const,
    ),
  }),
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

async function take(step: Step, scene: Scene, pods: Pods): Promise<void> {
  const { services, bank, paying, emulator } = scene;
  switch (step.act) {
    case "MOVE":
      if (step.from !== step.to) await movePart(scene, pods[step.from], pods[step.to], step.part);
      return;
    case "PAY":
      await movePart(scene, pods[step.from], scene.checking, step.part);
      return await scene.pass(BANK_WINDOW_MS);
    case "OWN":
    case "SHARED":
      return await scene.setOwn(pods[step.pod], step.act === "OWN");
    case "KEEP":
      return void (await scene.keep());
    case "LOSE":
      return emulator.loseNextAnswer("POST", "/account_transfers");
    // The bank does not hear of moves out of Taxes.
    case "MISS":
      return void (await keepOwnAccounts(services, missing(bank, pods[0]), 10));
    case "SUBMIT":
      return void (await scene.submit());
    // The bank does not hear of payments.
    case "DEAF": {
      const deaf = { ...paying, submit: () => Promise.reject(new BankUnavailable("not reached")) };
      return void (await submitDueTransfers(services, deaf, 10));
    }
    case "TOGETHER":
      return void (await Promise.all([scene.keep(), scene.submit(), scene.keep()]));
    case "PASS":
      return await scene.pass(HOUR_MS);
  }
}

async function movePart({ database, move }: Scene, from: string, to: string, share: number): Promise<void> {
  const { rows } = await database.ownerPool.query<{ cents: number }>(
    "select (credits_in_cents - debits_in_cents - held_in_cents)::int as cents from ledgers where id = $1",
    [from],
  );
  const cents = Math.floor((rows[0]?.cents ?? 0) * share);
  if (cents > 0) await move(from, to, cents);
}

/** A bank that moves of this pod do not reach. */
function missing(bank: BankPort, podId: string): BankPort {
  return {
    ...bank,
    ownAccounts: bank.ownAccounts && {
      ...bank.ownAccounts,
      move: async (one) => {
        if (one.podId === podId) throw new BankUnavailable("not reached");
        return (await bank.ownAccounts?.move(one)) ?? "REFUSED";
      },
    },
  };
}

/** @returns how many payments the bank got */
async function expectAgreement({ database, organizationId, bank, clock }: Scene, pods: Pods) {
  const { rows } = await database.ownerPool.query<{ id: string; cents: number; isOwn: boolean | null }>(
    `select l.id, (l.credits_in_cents - l.debits_in_cents)::int as cents, o.is_wanted as "isOwn"
       from ledgers l left join own_bank_accounts o on o.organization_id = $1 and o.account_id = l.id
      where l.organization_id = $1 and l.id = any ($2) order by l.id`,
    [organizationId, pods],
  );
  let ownInCents = 0;
  for (const { id, cents, isOwn } of rows) {
    if (isOwn === null) continue;
    const held = await bank.ownAccounts?.balanceInCents({ organizationId, podId: id, name: "" });
    expect(held, `pod ${id}`).toBe(isOwn ? cents : 0);
    ownInCents += held ?? 0;
  }
  const shared = await bank.balance({ organizationId, businessNow: clock.now() });
  expect(shared.currentInCents + ownInCents).toBe(rows.reduce((sum, { cents }) => sum + cents, 0));
  // Every payment found its money.
  const { rows: paid } = await database.ownerPool.query<{ status: string; error: string | null }>(
    `select status, error_code as error from transfers
      where organization_id = $1 and direction = 'MONEY_OUT'
        -- Others had not enough money in the books and were not promised.
        and (status = 'COMPLETE' or next_step <> 'FAIL' or error_code like 'ACH%')`,
    [organizationId],
  );
  for (const one of paid) expect(one).toEqual({ status: "COMPLETE", error: null });
  return paid.length;
}
