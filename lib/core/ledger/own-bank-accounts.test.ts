/**
 * Goal: the money of a pod with its own account at the bank follows the books there, once per move, under crashes, lost
 * answers and rival workers, and no payment finds the shared account short. Method: the product's commands and due work
 * against Increase's emulator, over HTTP, on a real PostgreSQL.
 */
import fc from "fast-check";
import Increase from "increase";
import { describe, expect, it, onTestFinished } from "vitest";
import { closeGates } from "@/lib/core/keys/switch-gates";
import { keepOwnAccounts, listOwnBankAccounts, setOwnBankAccount } from "@/lib/core/ledger/own-bank-accounts";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { type BankPort, BankUnavailable } from "@/lib/ports/bank/bank-port";
import { createIncreaseBank } from "@/lib/ports/bank/increase/create-increase-bank";
import { openIncreaseEmulator } from "@/lib/ports/bank/increase/emulator";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { createTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { readRecordedChanges } from "@/lib/testing/recorded-changes";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";

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
  const registered = await bank.registerOutsideAccount({
    organizationId,
    outsideAccountId: checking,
    holderName: "Harbor Print Shop LLC",
    holderKind: "BUSINESS",
    accountKind: "CHECKING",
    routingNumber: "101050001",
    accountNumber: "987654321",
    address: null,
  });
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
  const keep = (by = bank) => keepOwnAccounts(services, by, 10);
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
  const movesAtBank = async () => (await increase.accountTransfers.list()).data.length;
  const close = async () => {
    await emulator.close();
    await database.close();
  };
  return {
    close,
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
    },
    ...{ move, owner, setOwn, keep, pass, submit, collect, atBank, movesAtBank },
  };
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
    const { taxes, operating, setOwn, keep, move, pass, atBank, movesAtBank, emulator, bank } =
      await arrange();
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
    timeout: 600_000,
  }, async () => {
    const step = fc.oneof(
      fc.record({
        act: fc.constant("MOVE" as const),
        isOut: fc.boolean(),
        cents: fc.integer({ min: 100, max: 150_000 }),
      }),
      fc.record({ act: fc.constant("PAY" as const), cents: fc.integer({ min: 100, max: 60_000 }) }),
      fc.record({ act: fc.constantFrom("KEEP", "LOSE", "SUBMIT", "OWN", "SHARED", "PASS") }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
        // So little that every payment needs money of Taxes back.
        const scene = await open(20_000);
        const { taxes, operating, checking, emulator, database, organizationId } = scene;
        let paid = 0;
        for (const one of steps) {
          if (one.act === "MOVE" && "isOut" in one) {
            await scene.move(
              ...(one.isOut ? ([taxes, operating] as const) : ([operating, taxes] as const)),
              one.cents,
            );
          } else if (one.act === "PAY" && "cents" in one) {
            const { status } = await scene.move(taxes, checking, one.cents);
            if (status === "PROCESSING") paid += 1;
          } else if (one.act === "LOSE") emulator.loseNextAnswer("POST", "/account_transfers");
          else if (one.act === "SUBMIT") await scene.submit();
          else if (one.act === "OWN" || one.act === "SHARED") await scene.setOwn(taxes, one.act === "OWN");
          else if (one.act === "PASS") await scene.pass(HOUR_MS);
          else await scene.keep();
        }
        for (let round = 0; round < 6; round += 1) {
          await scene.pass(HOUR_MS);
          await scene.keep();
          await scene.submit();
        }
        await scene.pass(5 * DAY_MS);
        await scene.collect();
        await scene.keep();
        const { rows } = await database.ownerPool.query<{
          taxes: number;
          sum: number;
          refused: number;
          own: boolean;
        }>(
          `select sum(l.credits_in_cents - l.debits_in_cents) filter (where l.id = $2)::int as taxes,
              sum(l.credits_in_cents - l.debits_in_cents) filter (where l.id in ($2, $3))::int as sum,
              (select count(*)::int from transfers where organization_id = $1 and error_code like 'ACH%') as refused,
              coalesce((select is_wanted from own_bank_accounts where account_id = $2), false) as own
             from ledgers l where l.organization_id = $1`,
          [organizationId, taxes, operating],
        );
        const [books] = rows;
        const { shared, own } = await scene.atBank();
        expect(shared + (own[0] ?? 0)).toBe(books?.sum);
        expect(own[0] ?? 0).toBe(books?.own ? books.taxes : 0);
        // Every payment found its money.
        expect(books?.refused, `${paid} payments`).toBe(0);
        await scene.close();
      }),
      { seed: proofSeed, numRuns: proofSize(4, 60), endOnFailure: true },
    );
  });
});
