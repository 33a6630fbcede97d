import { v7 as uuidv7 } from "uuid";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { BankUnavailable } from "@/lib/ports/bank/bank-port";
import { createMercuryBank } from "@/lib/ports/bank/mercury/create-mercury-bank";
import { changesOf } from "@/lib/testing/bank/odd-values";
/**
 * Goal: whatever one field of a transaction says, everything else is read, and the transaction is read exactly once as it is once
 * the field is as documented again.
 * Method: a deposit for each field and each odd value, all at once, beside a plain one; then all of them as documented.
 */
import { newOutsideAccount } from "@/lib/testing/bank/outside-account";
import { readBank } from "@/lib/testing/bank/read-bank";
import { createTestDatabase } from "@/lib/testing/database";
import { openMercuryEmulator } from "@/proof/emulators/mercury/emulator";

const FRIDAY = new Date("2026-11-20T15:00:00Z");
const TOKEN = "secret-token:mercury_sandbox_emulated";
const HOUR_MS = 3_600_000;
/** More than the longest wait of what was set aside needs. */
const MAXIMUM_ROUNDS = 200;

/** Another answer that Mercury may give, so it is taken at its word: another account's, or another amount. */
const isTakenAtItsWord = (what: string) => /^accountId (?:"|-?[0-9])|^amount (?:-1|1\.5)$/.test(what);

test("an odd field of a deposit hides no other, and books the deposit once, as it is", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const emulator = await openMercuryEmulator({ startsAt: FRIDAY, token: TOKEN });
  onTestFinished(() => emulator.close());
  const account = emulator.openAccount(0);
  const setting = { token: TOKEN, environment: "sandbox", accountId: account, send: "REQUEST" } as const;
  const bank = createMercuryBank(database.pool, { ...setting, baseUrl: emulator.url });
  const [organizationId, accountId] = [uuidv7(), uuidv7()];
  await bank.openAccount({ organizationId, accountId, name: "Income", businessNow: FRIDAY });
  await emulator.advanceTo(new Date(FRIDAY.getTime() + HOUR_MS));
  const receive = async (amountInCents: number) =>
    await emulator.simulate(`/account/${account}/receive`, { amountInCents });
  const reading = readBank({ bank, emulator, ownerPool: database.ownerPool, organizationId });
  const { seen, readAll } = reading;
  const statement = async () => (await reading.statement()).map(({ amountInCents }) => amountInCents);

  const example = await receive(7);
  const expected = new Map([[7, "plain"]]);
  let amount = 1_000;
  for (const { what, fields } of changesOf({ ...example })) {
    if (isTakenAtItsWord(what)) continue;
    amount += 1;
    const { id } = await receive(amount);
    emulator.odd.alter(id ?? "", fields);
    expected.set(amount, what);
  }
  await readAll(5);
  expect(seen.filter((notice) => notice.kind === "DEPOSITED" && notice.amountInCents === 7)).toHaveLength(1);
  expect((await statement()).filter((cents) => cents === 7)).toHaveLength(1);
  emulator.odd.recover();
  await readAll(MAXIMUM_ROUNDS);
  const booked = seen.map((notice) =>
    notice.kind === "DEPOSITED"
      ? (expected.get(notice.amountInCents) ?? `wrong ${notice.amountInCents}`)
      : notice.kind,
  );
  expect(booked.toSorted()).toEqual([...expected.values()].toSorted());
  expect((await statement()).toSorted((a, b) => a - b)).toEqual(
    [...expected.keys()].toSorted((a, b) => a - b),
  );
}, 120_000);

test.each(["APPROVAL", "PAYMENT"] as const)(
  "an odd field of an order’s %s neither fails the order nor hides that it was sent",
  async (what) => {
    const database = await createTestDatabase();
    onTestFinished(() => database.close());
    const emulator = await openMercuryEmulator({ startsAt: FRIDAY, token: TOKEN });
    onTestFinished(() => emulator.close());
    const account = emulator.openAccount(900_000);
    const setting = { token: TOKEN, environment: "sandbox", accountId: account, send: "REQUEST" } as const;
    const bank = createMercuryBank(database.pool, { ...setting, baseUrl: emulator.url });
    const [organizationId, transferId] = [uuidv7(), uuidv7()];
    await bank.openAccount({ organizationId, accountId: uuidv7(), name: "Income", businessNow: FRIDAY });
    const registered = await bank.registerOutsideAccount(newOutsideAccount(organizationId));
    const outsideAccount = { name: "Print shop", ...registered };
    const order = {
      transferId,
      organizationId,
      direction: "CREDIT",
      amountInCents: 5_000,
      label: null,
    } as const;
    await bank.submit({ ...order, outsideAccount }, { businessNow: FRIDAY });
    const [approval] = emulator.approvals;
    const paid =
      what === "PAYMENT" ? await emulator.simulate(`/request-send-money/${approval?.id}/approve`) : null;
    const id = paid?.id ?? approval?.id ?? "";
    const response = await fetch(`${emulator.url}/${paid ? "transaction" : "request-send-money"}/${id}`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    const example = z.record(z.string(), z.unknown()).parse(await response.json());
    const wrong: string[] = [];
    for (const { what: field, fields } of changesOf(example)) {
      emulator.odd.alter(id, fields);
      const found = await bank
        .find({ organizationId, transferId, businessNow: FRIDAY })
        .catch((error: unknown) => error);
      const isRight =
        found instanceof BankUnavailable ||
        (typeof found === "object" &&
          found !== null &&
          "state" in found &&
          ["PENDING", "SETTLED"].includes(String(found.state)));
      if (!isRight) wrong.push(`${field}: ${JSON.stringify(found) ?? String(found)}`);
      emulator.odd.recover(id);
    }
    expect(wrong).toEqual([]);
  },
  120_000,
);
