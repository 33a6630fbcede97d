import { v7 as uuidv7 } from "uuid";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  type BankOrder,
  type BankPort,
  type BankStatementPage,
  BankUnavailable,
  MAX_NOTICES,
  MAX_STATEMENT_LINES,
} from "@/lib/ports/bank/bank-port";
import { newOutsideAccount } from "@/lib/testing/bank/outside-account";
import type { OddAnswers } from "@/proof/emulators/switches";

/** An emulated bank of its own, and an adapter that waits for an answer no longer than `TIMEOUT_MS`. */
export interface OddAnswersHarness {
  bank: BankPort;
  now(): Date;
  odd: OddAnswers;
  /** Sends of an order that the bank has received. */
  sends(): number;
  /** So many lines of one cent on the account that the bank keeps for it. */
  addLines(organizationId: string, count: number): Promise<void>;
  /** The fields with which the bank says this of a line. */
  fieldsOf(line: { amountInCents: number; bookedAt: Date }): Record<string, unknown>;
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;
/** Of adapters under test. */
export const TIMEOUT_MS = 2_000;
/** More than any answer of a bank. */
const HUGE = " ".repeat(9 * 1_024 * 1_024);

const page =
  (body: string | null, type: string, status = 200) =>
  () =>
    new Response(body, { status, headers: { "content-type": type } });
const json = (value: unknown) => page(JSON.stringify(value), "application/json");

/** Such answers come from proxies, captive portals, load balancers and pages that announce maintenance. */
const answersOf = (lists: string): [string, () => Response][] => [
  ["a web page", page("<!doctype html><title>Maintenance</title>", "text/html")],
  ["a web page that calls itself JSON", page("<!doctype html>", "application/json")],
  ["an empty body", page("", "application/json")],
  ["no content", page(null, "application/json", 204)],
  ["null", json(null)],
  ["text", json("ok")],
  ["an empty object", json({})],
  ["a bare list", json([])],
  ["a list that is null", json({ [lists]: null, next_cursor: null })],
  ["a list that is an object", json({ [lists]: {}, next_cursor: null })],
  ["half of an answer", page(`{"${lists}": [`, "application/json")],
  [
    "a redirect to another list",
    () => new Response(null, { status: 302, headers: { location: "/nowhere?limit=1" } }),
  ],
  ["more than is read", page(`{"${lists}": [${HUGE}]}`, "application/json")],
  [
    "headers and no body",
    () =>
      new Response(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode("{")) }), {
        headers: { "content-type": "application/json" },
      }),
  ],
];

/**
 * The law of answers: what is not the bank's answer decides nothing. No order counts as never received, no list as
 * empty, no balance as zero because of it.
 */
export function describeOddAnswers(
  name: string,
  lists: string,
  createHarness: () => Promise<OddAnswersHarness>,
): void {
  describe(`odd answers of ${name}`, () => {
    const organizationId = uuidv7();
    const accountId = uuidv7();
    // Mercury refuses what looks like an order of the same day.
    let amountInCents = 425_000;
    let harness: OddAnswersHarness;
    beforeAll(async () => {
      harness = await createHarness();
    });
    afterEach(() => harness.odd.recover());
    afterAll(() => harness.close());

    test.each(answersOf(lists))("%s leaves everything unknown", async (_, answer) => {
      const { bank, now, odd, sends } = harness;
      const businessNow = now();
      const account = { organizationId, accountId, name: "Client payments", businessNow };
      await bank.openAccount(account);
      // What the bank has reported is listed while it does not answer.
      const reported = await bank.notices({ organizationId, businessNow, limit: MAX_NOTICES });
      const noticeReferences = reported.map((notice) => notice.noticeReference);
      await bank.acknowledge({ organizationId, noticeReferences, businessNow });
      const party = (outsideAccountId: string) =>
        bank.registerOutsideAccount(newOutsideAccount(organizationId, outsideAccountId));
      const registered = await party(uuidv7());
      const order = (): BankOrder => {
        amountInCents += 1;
        return {
          transferId: uuidv7(),
          organizationId,
          direction: "CREDIT",
          amountInCents,
          label: "RENT",
          outsideAccount: { name: "Harbor Print Shop", ...registered },
        };
      };
      const [sent, next] = [order(), order()];
      await bank.submit(sent, { businessNow });
      const find = ({ transferId }: BankOrder) => bank.find({ organizationId, transferId, businessNow });
      odd.replacement = answer;
      const outside = uuidv7();
      const asked = await Promise.allSettled([
        bank.verify(),
        find(sent),
        bank.submit(next, { businessNow }),
        bank.notices({ organizationId, businessNow, limit: MAX_NOTICES }),
        bank.organizationsWithNotices({ realNow: businessNow, limit: MAX_NOTICES }),
        bank.balance({ organizationId, businessNow }),
        bank.statement({
          organizationId,
          from: new Date(0),
          cursor: null,
          limit: MAX_STATEMENT_LINES,
          businessNow,
        }),
        bank.openAccount({ ...account, accountId: uuidv7() }),
        party(outside),
      ]);
      const concluded = asked.map((one) => (one.status === "rejected" ? one.reason : one.value));
      expect(concluded).toEqual(concluded.map(() => expect.any(BankUnavailable)));
      odd.recover();
      const before = sends();
      expect(await find(sent)).toMatchObject({ state: "PENDING" });
      expect(await find(next)).toBeNull();
      expect(await bank.submit(next, { businessNow })).toMatchObject({ kind: "ACCEPTED" });
      expect(await party(outside)).toMatchObject({ accountNumberLast4: "4321" });
      expect(sends() - before).toBe(1);
    });

    test("a line that the bank changes is read as it is now, under its reference, and the others as before", async () => {
      const { bank, now, odd } = harness;
      const businessNow = now();
      await bank.openAccount({ organizationId, accountId, name: "Client payments", businessNow });
      await harness.addLines(organizationId, 3);
      const read = async () => {
        const asked = {
          organizationId,
          from: new Date(0),
          cursor: null,
          limit: MAX_STATEMENT_LINES,
          businessNow,
        };
        const { lines } = await bank.statement(asked);
        return new Map(lines.map((line) => [line.lineReference, line]));
      };
      const before = await read();
      const changed = [...before.values()].find(({ amountInCents: cents }) => cents === 1);
      if (!changed) throw new Error("A line of one cent was added");
      const stated = { amountInCents: 999_01, bookedAt: new Date(changed.bookedAt.getTime() + 3 * DAY_MS) };
      odd.alter(changed.lineReference, harness.fieldsOf(stated));
      expect(await read()).toEqual(before.set(changed.lineReference, { ...changed, ...stated }));
      odd.recover();
      expect((await read()).get(changed.lineReference)).toEqual(changed);
    });

    test("a statement ends with a full page that names no next one, and its cursors are kept whole", async () => {
      const { bank, now, odd } = harness;
      const businessNow = now();
      await bank.openAccount({ organizationId, accountId, name: "Client payments", businessNow });
      await harness.addLines(organizationId, 6);
      const readBy = async (limit: number, known = 0) => {
        const references: string[] = [];
        let cursor: string | null = null;
        for (let page = 0; page <= known / limit + 1; page += 1) {
          const asked = { organizationId, from: new Date(0), cursor, limit, businessNow };
          const { lines, nextCursor }: BankStatementPage = await bank.statement(asked);
          references.push(...lines.map(({ lineReference }) => lineReference));
          if (nextCursor === null) return references.toSorted();
          cursor = nextCursor;
        }
        throw new Error("The statement has no end");
      };
      const all = await readBy(MAX_STATEMENT_LINES);
      odd.nextCursor = (own) => own ?? undefined;
      for (const limit of [1, 2, 3, all.length]) expect(await readBy(limit, all.length)).toEqual(all);
      odd.nextCursor = (own) => own && `${own} ~`;
      expect(await readBy(2, all.length)).toEqual(all);
    });
  });
}
