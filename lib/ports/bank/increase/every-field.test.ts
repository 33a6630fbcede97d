import Increase from "increase";
import { v7 as uuidv7 } from "uuid";
import { expect, onTestFinished, test } from "vitest";
import { BankUnavailable } from "@/lib/ports/bank/bank-port";
import { createIncreaseBank } from "@/lib/ports/bank/increase/create-increase-bank";
import { changesOf } from "@/lib/testing/bank/odd-values";
/**
 * Goal: whatever one field of an object says, everything else is read, and the object is read exactly once as it is once the
 * field is as documented again.
 * Method: an object for each field and each odd value, all at once, beside plain ones; then all of them as documented.
 */
import { newOutsideAccount } from "@/lib/testing/bank/outside-account";
import { readBank } from "@/lib/testing/bank/read-bank";
import { createTestDatabase } from "@/lib/testing/database";
import { openIncreaseEmulator } from "@/proof/emulators/increase/emulator";

const FRIDAY = new Date("2026-11-20T15:00:00Z");
const API_KEY = "emulated";
/** More than the longest wait of what was set aside needs. */
const MAXIMUM_ROUNDS = 200;

async function arrange() {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const emulator = await openIncreaseEmulator({
    startsAt: FRIDAY,
    apiKey: API_KEY,
    openingInCents: 90_000_000,
  });
  onTestFinished(() => emulator.close());
  const setting = { apiKey: API_KEY, environment: "sandbox", baseUrl: emulator.url } as const;
  const bank = createIncreaseBank(database.pool, setting);
  const increase = new Increase({ apiKey: API_KEY, baseURL: emulator.url, maxRetries: 0 });
  const organizationId = uuidv7();
  const [accountId, other] = [uuidv7(), uuidv7()];
  for (const id of [accountId, other]) {
    await bank.openAccount({ organizationId, accountId: id, name: "Income", businessNow: FRIDAY });
  }
  const numbers = (await increase.accountNumbers.list()).data;
  // Not the one that a check would go to.
  const number = numbers.find(({ idempotency_key: key }) => key?.endsWith(accountId));
  if (!number) throw new Error("An income source has a number");
  const reading = readBank({ bank, emulator, ownerPool: database.ownerPool, organizationId });
  return { bank, emulator, increase, organizationId, accountId, number, ...reading };
}

/** Another legitimate answer, so it is taken at its word. */
const isTakenAtItsWord = (what: string) => /^(?:idempotency_key (?:null|")|settlement null$)/.test(what);

type Kind =
  | "inbound_ach_transfers"
  | "inbound_wire_transfers"
  | "inbound_real_time_payments_transfers"
  | "inbound_fednow_transfers";

test.each<Kind>([
  "inbound_ach_transfers",
  "inbound_wire_transfers",
  "inbound_real_time_payments_transfers",
  "inbound_fednow_transfers",
])(
  "an odd field of %s hides no other deposit, and books the deposit once, as it is",
  async (kind) => {
    const { emulator, increase, organizationId, accountId, number, seen, readAll, statement } =
      await arrange();
    const create = async (amount: number): Promise<Record<string, unknown> & { id: string }> =>
      await increase.post(`/simulations/${kind}`, { body: { account_number_id: number.id, amount } });
    const [example] = [await create(7)];
    if (!example) throw new Error("A deposit was made");
    const expected = new Map([[7, "plain"]]);
    let amount = 1_000;
    for (const { what, fields } of changesOf(example)) {
      if (isTakenAtItsWord(what)) continue;
      amount += 1;
      const { id } = await create(amount);
      emulator.odd.alter(id, fields);
      expected.set(amount, what);
    }
    await readAll(5);
    expect(seen.filter((notice) => notice.kind === "DEPOSITED" && notice.amountInCents === 7)).toHaveLength(
      1,
    );
    expect((await statement()).filter(({ amountInCents }) => amountInCents === 7)).toHaveLength(1);
    emulator.odd.recover();
    await readAll(MAXIMUM_ROUNDS);
    const booked = seen.flatMap((notice) =>
      notice.kind === "DEPOSITED"
        ? [[expected.get(notice.amountInCents) ?? "wrong amount", notice.accountId, notice.organizationId]]
        : [notice.kind],
    );
    const wanted = [...expected.values()].map((what) => [what, accountId, organizationId]);
    expect(booked.map(String).toSorted()).toEqual(wanted.map(String).toSorted());
  },
  120_000,
);

test("an odd field of an order hides no other, fails none, and settles it once", async () => {
  const { bank, emulator, increase, organizationId, seen, readAll, statement } = await arrange();
  const registered = await bank.registerOutsideAccount(newOutsideAccount(organizationId));
  const outsideAccount = { name: "Print shop", ...registered };
  const send = async (amountInCents: number) => {
    const transferId = uuidv7();
    const order = {
      transferId,
      organizationId,
      direction: "CREDIT",
      amountInCents,
      label: null,
      outsideAccount,
    } as const;
    await bank.submit(order, { businessNow: FRIDAY });
    const [sent] = (await increase.achTransfers.list({ idempotency_key: transferId })).data;
    if (!sent) throw new Error("An order was sent");
    await increase.simulations.achTransfers.submit(sent.id);
    await increase.simulations.achTransfers.settle(sent.id, {});
    return { transferId, id: sent.id };
  };
  const plain = await send(7);
  const example = await increase.achTransfers.retrieve(plain.id);
  const expected = new Map([[plain.transferId, "plain"]]);
  const odd: string[] = [];
  let amount = 1_000;
  for (const { what, fields } of changesOf({ ...example })) {
    if (isTakenAtItsWord(what)) continue;
    amount += 1;
    const { id, transferId } = await send(amount);
    emulator.odd.alter(id, fields);
    expected.set(transferId, what);
    odd.push(transferId);
  }
  await readAll(5);
  const settled = () => seen.flatMap((notice) => (notice.kind === "SETTLED" ? [notice.transferId] : []));
  expect(settled()).toContain(plain.transferId);
  const concluded = await Promise.allSettled(
    odd.map((transferId) => bank.find({ organizationId, transferId, businessNow: FRIDAY })),
  );
  const wrong = concluded.flatMap((one, place) => {
    const of = expected.get(odd[place] ?? "");
    if (one.status === "rejected") {
      return one.reason instanceof BankUnavailable ? [] : [`${of}: ${String(one.reason)}`];
    }
    return one.value === null || ["REFUSED", "RETURNED"].includes(one.value.state)
      ? [`${of}: ${one.value?.state}`]
      : [];
  });
  expect(wrong).toEqual([]);
  expect((await statement()).length).toBeGreaterThan(odd.length);
  emulator.odd.recover();
  await readAll(MAXIMUM_ROUNDS);
  expect(seen.filter(({ kind }) => kind !== "SETTLED")).toEqual([]);
  expect(
    settled()
      .map((id) => expected.get(id))
      .toSorted(),
  ).toEqual([...expected.values()].toSorted());
}, 120_000);

/** Sources whose objects are asked for by the ids that they name. */
const SOURCES: [string, Record<string, unknown>][] = [
  ["ach_transfer_intention", { transfer_id: "ach_transfer_none" }],
  ["ach_transfer_return", { transfer_id: "ach_transfer_none" }],
  [
    "account_transfer_intention",
    { source_account_id: "account_none", destination_account_id: "account_none" },
  ],
  ["inbound_ach_transfer_return_intention", { inbound_ach_transfer_id: "inbound_ach_transfer_none" }],
  ["inbound_wire_transfer_reversal", { inbound_wire_transfer_id: "inbound_wire_transfer_none" }],
  ["check_deposit_return", { check_deposit_id: "check_deposit_none" }],
  ["inbound_ach_transfer", { transfer_id: "inbound_ach_transfer_none" }],
];

test.each(SOURCES)(
  "an odd field of a transaction of %s hides no other line, and its own line for no longer than it is odd",
  async (category, source) => {
    const { emulator, increase, number, statement } = await arrange();
    const receive = async (amount: number) =>
      await increase.simulations.inboundACHTransfers.create({ account_number_id: number.id, amount });
    await receive(7);
    const example = (await increase.transactions.list()).data.find((one) => one.amount === 7);
    const changes = changesOf({ ...example, source: { category, [category]: source } });
    for (const [place] of changes.entries()) await receive(1_001 + place);
    const transactions: Increase.Transaction[] = [];
    for await (const one of increase.transactions.list({ limit: 100 })) transactions.push(one);
    for (const [place, { fields }] of changes.entries()) {
      const { id } = transactions.find((one) => one.amount === 1_001 + place) ?? { id: "" };
      emulator.odd.alter(id, fields);
    }
    expect((await statement()).filter(({ amountInCents }) => amountInCents === 7)).toHaveLength(1);
    emulator.odd.recover();
    const after = (await statement()).map(({ amountInCents }) => amountInCents);
    expect(changes.filter((_, place) => !after.includes(1_001 + place)).map(({ what }) => what)).toEqual([]);
  },
  120_000,
);

test("an odd field of a return leaves the order returned or unknown, and takes its money back once", async () => {
  const { bank, emulator, increase, organizationId, seen, readAll } = await arrange();
  const registered = await bank.registerOutsideAccount(newOutsideAccount(organizationId));
  const send = async (amountInCents: number) => {
    const transferId = uuidv7();
    const outsideAccount = { name: "Print shop", ...registered };
    const order = { transferId, organizationId, direction: "CREDIT", amountInCents, label: null } as const;
    await bank.submit({ ...order, outsideAccount }, { businessNow: FRIDAY });
    const [sent] = (await increase.achTransfers.list({ idempotency_key: transferId })).data;
    if (!sent) throw new Error("An order was sent");
    await increase.simulations.achTransfers.submit(sent.id);
    await increase.simulations.achTransfers.settle(sent.id, {});
    await increase.simulations.achTransfers.return(sent.id, { reason: "no_account" });
    return { transferId, id: sent.id };
  };
  const { id: exampleId } = await send(7);
  const example = await increase.achTransfers.retrieve(exampleId);
  const changes = changesOf({ return: { ...example.return } });
  const sent = [];
  for (const [place, { what, fields }] of changes.entries()) {
    const order = await send(1_001 + place);
    emulator.odd.alter(order.id, fields);
    sent.push({ ...order, what });
  }
  const wrong: string[] = [];
  for (const { transferId, what } of sent) {
    const found = await bank
      .find({ organizationId, transferId, businessNow: FRIDAY })
      .catch((error: unknown) => error);
    const isRight =
      found instanceof BankUnavailable ||
      (typeof found === "object" && found !== null && "state" in found && found.state === "RETURNED");
    if (!isRight) wrong.push(`${what}: ${String(found)}`);
  }
  expect(wrong).toEqual([]);
  await readAll(5);
  emulator.odd.recover();
  await readAll(MAXIMUM_ROUNDS);
  for (const kind of ["SETTLED", "RETURNED"]) {
    expect(seen.filter((notice) => notice.kind === kind)).toHaveLength(sent.length + 1);
  }
}, 120_000);
