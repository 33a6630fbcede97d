/**
 * Goal: money that others send arrives on its income source whichever way it comes, with its rail, once, and its return
 * takes it back. Method: the simulations of Increase's sandbox in the emulator.
 */
import Increase from "increase";
import { v7 as uuidv7 } from "uuid";
import { expect, onTestFinished, test } from "vitest";
import { createIncreaseBank } from "@/lib/ports/bank/increase/create-increase-bank";
import { openTestDatabase } from "@/lib/testing/database";
import { openIncreaseEmulator } from "@/proof/emulators/increase/emulator";

/** Friday, 10:00 in New York. */
const FRIDAY = new Date("2026-11-20T15:00:00Z");
const HOLD_ENDS = new Date("2026-11-24T13:30:00Z");

async function arrange() {
  const database = await openTestDatabase();
  const emulator = await openIncreaseEmulator({ startsAt: FRIDAY, apiKey: "emulated", openingInCents: 0 });
  onTestFinished(() => emulator.close());
  const bank = createIncreaseBank(database.pool, {
    apiKey: "emulated",
    environment: "sandbox",
    baseUrl: emulator.url,
  });
  const increase = new Increase({ apiKey: "emulated", baseURL: emulator.url, maxRetries: 0 });
  const [organizationId, accountId] = [uuidv7(), uuidv7()];
  await bank.openAccount({ organizationId, accountId, name: "Client payments", businessNow: FRIDAY });
  const [number] = (await increase.accountNumbers.list()).data;
  if (!number) throw new Error("no account number");
  const notices = () => bank.notices({ organizationId, businessNow: emulator.now(), limit: 100 });
  const lines = async () => {
    const page = await bank.statement({
      organizationId,
      from: FRIDAY,
      cursor: null,
      limit: 100,
      businessNow: emulator.now(),
    });
    return page.lines.map(({ kind, depositReference, rail }) => ({ kind, depositReference, rail }));
  };
  const received = { account_number_id: number.id, amount: 710_000, debtor_name: "Halden Health" };
  return { bank, emulator, increase, organizationId, accountId, number, notices, lines, received };
}

const deposited = { kind: "DEPOSITED", amountInCents: 710_000, payerName: "Halden Health" };

test("a wire arrives at once and is taken back when it is reversed", async () => {
  const { increase, accountId, notices, lines, received } = await arrange();
  const wire = await increase.simulations.inboundWireTransfers.create(received);
  const [arrived] = await notices();
  expect(arrived).toMatchObject({ ...deposited, accountId, rail: "WIRE", occurredAt: FRIDAY });
  await increase.inboundWireTransfers.reverse(wire.id, { reason: "creditor_request" });
  const depositReference = wire.acceptance?.transaction_id;
  expect(await notices()).toMatchObject([
    { kind: "DEPOSITED" },
    { kind: "DEPOSIT_RETURNED", depositReference, code: "R23" },
  ]);
  expect(await lines()).toEqual([
    { kind: "DEPOSIT", depositReference, rail: "WIRE" },
    { kind: "DEPOSIT_RETURN", depositReference, rail: "WIRE" },
  ]);
});

test("an instant payment arrives over either network, and each is one line of the statement", async () => {
  const { increase, accountId, notices, lines, received } = await arrange();
  await increase.simulations.inboundRealTimePaymentsTransfers.create(received);
  await increase.simulations.inboundFednowTransfers.create(received);
  const arrived = await notices();
  expect(arrived).toMatchObject([
    { ...deposited, accountId, rail: "INSTANT" },
    { ...deposited, accountId, rail: "INSTANT" },
  ]);
  const references = arrived.map((notice) => notice.kind === "DEPOSITED" && notice.depositReference);
  expect(await lines()).toEqual(
    references.map((depositReference) => ({ kind: "DEPOSIT", depositReference, rail: "INSTANT" })),
  );
});

async function depositCheck(scene: Awaited<ReturnType<typeof arrange>>) {
  const check = await scene.increase.checkDeposits.create({
    account_id: scene.number.account_id,
    amount: 710_000,
    back_image_file_id: "file_back",
    front_image_file_id: "file_front",
    description: "Halden Health",
  });
  expect(await scene.notices()).toEqual([]);
  return await scene.increase.simulations.checkDeposits.submit(check.id, {});
}

test("a check arrives when its hold ends, on the first income source", async () => {
  const scene = await arrange();
  const { bank, emulator, organizationId, accountId, notices, lines } = scene;
  const check = await depositCheck(scene);
  expect(await notices()).toEqual([]);
  expect(await bank.organizationsWithNotices({ realNow: emulator.now(), limit: 10 })).toEqual([]);
  expect(await bank.balance({ organizationId, businessNow: emulator.now() })).toMatchObject({
    currentInCents: 710_000,
    availableInCents: 0,
  });
  await emulator.advanceTo(HOLD_ENDS);
  expect(await notices()).toMatchObject([{ ...deposited, accountId, rail: "CHECK", occurredAt: HOLD_ENDS }]);
  expect(await bank.organizationsWithNotices({ realNow: emulator.now(), limit: 10 })).toEqual([
    organizationId,
  ]);
  expect(await lines()).toEqual([{ kind: "DEPOSIT", depositReference: check.transaction_id, rail: "CHECK" }]);
});

test("a check that is returned while it is held comes and goes at the end of the hold, in that order", async () => {
  const scene = await arrange();
  const { emulator, increase, notices, lines } = scene;
  const check = await depositCheck(scene);
  expect(await notices()).toEqual([]);
  await increase.simulations.checkDeposits.return(check.id);
  expect(await notices()).toEqual([]);
  await emulator.advanceTo(HOLD_ENDS);
  const depositReference = check.transaction_id;
  expect(await notices()).toMatchObject([
    { kind: "DEPOSITED", depositReference },
    { kind: "DEPOSIT_RETURNED", depositReference, code: "R01" },
  ]);
  expect(await lines()).toEqual([
    { kind: "DEPOSIT", depositReference, rail: "CHECK" },
    { kind: "DEPOSIT_RETURN", depositReference, rail: "CHECK" },
  ]);
});

test("money on a number that Sluice did not make is only on the statement", async () => {
  const { increase, number, notices, lines, received } = await arrange();
  const foreign = await increase.accountNumbers.create({ account_id: number.account_id, name: "Other" });
  await increase.simulations.inboundWireTransfers.create({ ...received, account_number_id: foreign.id });
  expect(await notices()).toEqual([]);
  expect(await lines()).toMatchObject([{ kind: "DEPOSIT" }]);
});
