import fc from "fast-check";
import type { Pool } from "pg";
import { v7 as uuidv7 } from "uuid";
import { describe, expect, test } from "vitest";
import { type BankNotice, type BankPort, BankUnavailable, MAX_NOTICES } from "@/lib/ports/bank/bank-port";
import { EVENTS_PER_PAGE } from "@/lib/ports/bank/event-feed";
import type { OddAnswers } from "@/proof/emulators/switches";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Sequences of events. */
const PROPERTY_RUNS = 20;
/** What is set aside is tried again at least this often. */
const RETRIED_EVERY_MS = HOUR_MS;

/** An emulated bank of its own, whose events can be disturbed, and an adapter with a database of its own. */
export interface BankEventsHarness {
  bank: BankPort;
  pool: Pool;
  now(): Date;
  advanceTo(now: Date): Promise<void>;
  odd: OddAnswers;
  /** Money arrives on an account that the bank opened for it. @returns the object that its events are about */
  deposit(input: { organizationId: string; accountId: string; amountInCents: number }): Promise<string>;
  /** A field of such an object that no notice is possible without. */
  neededField: string;
  /** Fields of such an object that may be null or of a value that nobody knows: it is reported regardless. */
  oddFields: Record<string, unknown>;
  /** Such an object then says that money arrived, and not what or when. */
  unsaidFields: readonly [Record<string, unknown>, ...Record<string, unknown>[]];
  /** So many events of this moment, about something that nobody here knows. */
  burst(count: number): void;
  /** An event that becomes visible now, about this object. */
  emit(objectId: string, createdAt: Date): void;
  /** An event without what every event has. */
  emitUnreadable(): void;
  /** An event as the bank lists it, with these values in place of its own. */
  rawEvent(values: { id?: unknown; at?: unknown; objectId?: unknown }): unknown;
  /** Whether its lists have cursors of their own, beside the ids of events. */
  hasCursors: boolean;
  /** How many requests the bank has answered. */
  requests(): number;
  close(): Promise<void>;
}

/**
 * The law of reading: any sequence of events leaves every readable notice reported once within a bounded number of
 * rounds, and what cannot be read is set aside, counted and tried again, never in the way of the others.
 */
export function describeBankEvents(name: string, createHarness: () => Promise<BankEventsHarness>): void {
  async function arrange() {
    const harness = await createHarness();
    const { bank, pool } = harness;
    const organizationId = uuidv7();
    const accountId = uuidv7();
    await bank.openAccount({
      organizationId,
      accountId,
      name: "Client payments",
      businessNow: harness.now(),
    });
    await pass(harness, MINUTE_MS);
    const deposit = (amountInCents: number) => harness.deposit({ organizationId, accountId, amountInCents });
    /** As the product does: what is reported is acknowledged. @returns the amounts of deposits */
    async function round(): Promise<number[]> {
      const businessNow = harness.now();
      const asked = await bank.organizationsWithNotices({ realNow: businessNow, limit: MAX_NOTICES });
      if (!asked.includes(organizationId)) return [];
      const notices = await bank.notices({ organizationId, businessNow, limit: MAX_NOTICES });
      const noticeReferences = notices.map((notice) => notice.noticeReference);
      await bank.acknowledge({ organizationId, noticeReferences, businessNow });
      return notices.flatMap((notice: BankNotice) =>
        notice.kind === "DEPOSITED" ? notice.amountInCents : [],
      );
    }
    async function rounds(count: number): Promise<number[]> {
      const amounts: number[] = [];
      for (let made = 0; made < count; made += 1) amounts.push(...(await round()));
      return amounts;
    }
    async function setAside(): Promise<number> {
      const { rows } = await pool.query<{ count: number }>(
        "select count(*)::int as count from bank_unread_objects",
      );
      return rows[0]?.count ?? 0;
    }
    await rounds(1);
    return { ...harness, organizationId, deposit, round, rounds, setAside };
  }

  const pass = (harness: Pick<BankEventsHarness, "now" | "advanceTo">, ms: number) =>
    harness.advanceTo(new Date(harness.now().getTime() + ms));

  describe(`events of ${name}`, () => {
    test.each([2_300, 1_000])(
      "a deposit after %d events of one second is reported, and requests return to normal",
      async (count) => {
        const { deposit, rounds, burst, requests, close, ...rest } = await arrange();
        burst(count);
        await deposit(710_000);
        expect(await rounds(40)).toEqual([710_000]);
        await pass(rest, 5_000);
        await deposit(5_000);
        expect(await rounds(3)).toEqual([5_000]);
        const before = requests();
        await rounds(20);
        expect(requests() - before).toBeLessThanOrEqual(2 * 20 + 5);
        await close();
      },
    );

    test.each([
      ["left out", undefined],
      ["an object", {}],
    ])("a cursor that is %s ends the list, also after a page that is full", async (_, atEnd) => {
      const { deposit, rounds, odd, burst, close } = await arrange();
      odd.nextCursor = (own) => own ?? atEnd;
      burst(EVENTS_PER_PAGE - 1);
      await deposit(710_000);
      expect(await rounds(3)).toEqual([710_000]);
      burst(EVENTS_PER_PAGE + 50);
      await deposit(5_000);
      expect(await rounds(3)).toEqual([5_000]);
      await close();
    });

    test.each(["\0", "\ud800"])(
      "a cursor that no address or database can hold, as with %j, stops no news",
      async (odd) => {
        const { deposit, rounds, burst, close, ...rest } = await arrange();
        rest.odd.nextCursor = (own) => own && `${own}${odd}`;
        for (let minutes = 0; minutes < 5; minutes += 1) {
          burst(60);
          await pass(rest, MINUTE_MS);
        }
        await deposit(5_000);
        expect(await rounds(10)).toEqual([5_000]);
        await close();
      },
    );

    test("a cursor that is longer than is kept is set aside, and stops no news, until it is a short one", async () => {
      const { deposit, rounds, odd, burst, setAside, pool, hasCursors, close, ...rest } = await arrange();
      odd.cursorPadding = 2_000;
      for (let minutes = 0; minutes < 30; minutes += 1) {
        burst(80);
        await pass(rest, MINUTE_MS);
      }
      await deposit(710_000);
      expect(await rounds(10)).toEqual([710_000]);
      const { rows } = await pool.query("select reason from bank_unread_objects where about = 'list:cursor'");
      const reason = "the cursor of its list has more than 1000 characters";
      expect(rows).toEqual(hasCursors ? [{ reason }] : []);
      await pass(rest, 10 * MINUTE_MS);
      await deposit(5_000);
      expect(await rounds(10)).toEqual([5_000]);
      odd.cursorPadding = 0;
      await pass(rest, 20 * MINUTE_MS);
      await deposit(6_000);
      expect(await rounds(10)).toEqual([6_000]);
      await pass(rest, MINUTE_MS);
      await rounds(10);
      expect(await setAside()).toBe(0);
      await close();
    });

    test.each([404, 500] as const)(
      "what answers %d is set aside while others arrive, and reported once when it can be read",
      async (status) => {
        const { deposit, rounds, odd, setAside, close, ...rest } = await arrange();
        const poison = await deposit(1_000);
        odd.fail(poison, status);
        await deposit(2_000);
        expect(await rounds(3)).toEqual([2_000]);
        expect(await setAside()).toBe(1);
        for (let hour = 0; hour < 5; hour += 1) {
          await pass(rest, RETRIED_EVERY_MS);
          expect(await rounds(2)).toEqual([]);
        }
        expect(await setAside()).toBe(1);
        odd.recover(poison);
        await pass(rest, RETRIED_EVERY_MS);
        expect(await rounds(2)).toEqual([1_000]);
        expect(await setAside()).toBe(0);
        await pass(rest, RETRIED_EVERY_MS);
        expect(await rounds(2)).toEqual([]);
        await close();
      },
    );

    test("many things that answer 500 delay nothing, neither when they are read first nor when they are tried again", async () => {
      const { deposit, rounds, odd, setAside, close, ...rest } = await arrange();
      for (let made = 0; made < 8; made += 1) odd.fail(await deposit(1_000), 500);
      await deposit(2_000);
      expect(await rounds(1)).toEqual([2_000]);
      expect(await setAside()).toBe(8);
      await pass(rest, RETRIED_EVERY_MS);
      await deposit(3_000);
      expect(await rounds(1)).toEqual([3_000]);
      odd.recover();
      await pass(rest, RETRIED_EVERY_MS);
      expect(await rounds(1)).toEqual(Array(8).fill(1_000));
      await close();
    });

    test("what lacks a field that it needs is set aside, and one with odd fields is reported", async () => {
      const { deposit, rounds, odd, oddFields, neededField, setAside, close, ...rest } = await arrange();
      const unreadable = await deposit(1_000);
      odd.alter(unreadable, { [neededField]: null });
      // Two without a name would otherwise be one.
      for (const amountInCents of [1_100, 1_200]) odd.alter(await deposit(amountInCents), { id: null });
      const strange = await deposit(2_000);
      odd.alter(strange, oddFields);
      await deposit(3_000);
      expect(await rounds(3)).toEqual([2_000, 3_000]);
      expect(await setAside()).toBe(3);
      odd.recover();
      await pass(rest, RETRIED_EVERY_MS);
      expect((await rounds(2)).toSorted()).toEqual([1_000, 1_100, 1_200]);
      await close();
    });

    test("what says that money arrived, and not what or when, is set aside, and reported once it can be read", async () => {
      const { deposit, rounds, odd, unsaidFields, setAside, close, ...rest } = await arrange();
      const amounts: number[] = [];
      const depositUnread = async (fields: Record<string, unknown>) => {
        amounts.push(1_000 + amounts.length);
        odd.alter(await deposit(amounts.at(-1) ?? 0), fields);
      };
      for (const fields of unsaidFields) await depositUnread(fields);
      // As if it were another one.
      await depositUnread({ id: await deposit(2_000) });
      await deposit(3_000);
      expect(await rounds(3)).toEqual([2_000, 3_000]);
      expect(await setAside()).toBe(amounts.length);
      odd.recover();
      await pass(rest, RETRIED_EVERY_MS);
      expect((await rounds(2)).toSorted()).toEqual(amounts);
      expect(await setAside()).toBe(0);
      await close();
    });

    test("an event that cannot be read is set aside, and others arrive", async () => {
      const { deposit, rounds, emitUnreadable, setAside, close } = await arrange();
      emitUnreadable();
      await deposit(2_000);
      expect(await rounds(3)).toEqual([2_000]);
      expect(await setAside()).toBe(1);
      await close();
    });

    test("events of any shape and date delay no other, and are set aside once", async () => {
      const { deposit, rounds, odd, rawEvent, setAside, requests, close, ...rest } = await arrange();
      const longText = Array.from({ length: 250 }, () => uuidv7()).join("");
      odd.strangeEvents = [
        ...[null, 7, "an event", [], {}],
        ...[null, "", 7, {}, "with\u0000zero", longText].map((id) => rawEvent({ id })),
        ...[null, "yesterday", "2026-11-20", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", -1, {}].map(
          (at, place) => rawEvent({ at, id: `strange-date-${place}` }),
        ),
        ...[null, "", "with\u0000zero", longText, {}].map((objectId, place) =>
          rawEvent({ objectId, id: `strange-object-${place}` }),
        ),
      ];
      await deposit(2_000);
      expect(await rounds(3)).toEqual([2_000]);
      const count = await setAside();
      expect(count).toBeGreaterThan(10);
      for (let day = 0; day < 3; day += 1) {
        await pass(rest, 24 * HOUR_MS);
        await deposit(3_000 + day);
        expect(await rounds(2)).toEqual([3_000 + day]);
      }
      expect(await setAside()).toBe(count);
      const before = requests();
      await rounds(20);
      expect(requests() - before).toBeLessThanOrEqual(2 * 20 + 5);
      await close();
    });

    test("a list that never ends is read to its end, and asked no more often", async () => {
      const { deposit, rounds, odd, requests, close } = await arrange();
      odd.isListEndless = true;
      await deposit(2_000);
      expect(await rounds(3)).toEqual([2_000]);
      const before = requests();
      await rounds(20);
      expect(requests() - before).toBeLessThanOrEqual(20 + 5);
      await deposit(3_000);
      expect(await rounds(3)).toEqual([3_000]);
      await close();
    });

    test("an event that appears late, dated hours before others, is read; a repeated one changes nothing", async () => {
      const { deposit, rounds, odd, emit, burst, close, ...rest } = await arrange();
      const start = rest.now();
      const late = await deposit(1_000);
      odd.fail(late);
      await rounds(2);
      odd.recover(late);
      // As if that event had never been visible: its object is known by the late one alone.
      await rest.pool.query("delete from bank_unread_objects");
      await pass(rest, 3 * HOUR_MS);
      burst(500);
      await rounds(10);
      emit(late, start);
      for (let minutes = 0; minutes < 15; minutes += 1) {
        await pass(rest, MINUTE_MS);
        if ((await rounds(2)).includes(1_000)) break;
      }
      emit(late, rest.now());
      expect(await rounds(3)).toEqual([]);
      const { rows } = await rest.pool.query(
        "select 1 from bank_inbox where (notice ->> 'amountInCents')::int = 1000 and acknowledged_at is not null",
      );
      expect(rows).toHaveLength(1);
      await close();
    });

    test("any sequence of events leaves each readable deposit reported once, and the rest set aside", {
      timeout: 180_000,
    }, async () => {
      const act = fc.oneof(
        fc.record({
          act: fc.constant("deposit" as const),
          state: fc.constantFrom("PLAIN", "ODD", "GONE", "BROKEN", "UNSAID"),
        }),
        fc.record({ act: fc.constant("burst" as const), count: fc.integer({ min: 1, max: 250 }) }),
        fc.record({ act: fc.constant("repeat" as const), which: fc.nat(20), agoMs: fc.nat(12 * HOUR_MS) }),
        fc.record({ act: fc.constant("unreadable" as const) }),
        fc.record({ act: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: 2 * HOUR_MS }) }),
        fc.record({ act: fc.constant("round" as const) }),
        fc.record({ act: fc.constant("endless" as const), isEndless: fc.boolean() }),
      );
      const {
        deposit,
        rounds,
        odd,
        oddFields,
        neededField,
        unsaidFields,
        emit,
        emitUnreadable,
        burst,
        ...rest
      } = await arrange();
      let amountInCents = 1_000;
      await fc.assert(
        fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 15 }), async (acts) => {
          const objects: string[] = [];
          const reported: number[] = [];
          const expected = { now: [] as number[], later: [] as number[] };
          for (const step of acts) {
            switch (step.act) {
              case "deposit": {
                amountInCents += 1;
                const id = await deposit(amountInCents);
                objects.push(id);
                if (step.state === "ODD") odd.alter(id, oddFields);
                if (step.state === "GONE") odd.fail(id);
                if (step.state === "BROKEN") odd.alter(id, { [neededField]: null });
                if (step.state === "UNSAID") {
                  odd.alter(id, unsaidFields[amountInCents % unsaidFields.length] ?? unsaidFields[0]);
                }
                const isReadable = step.state === "PLAIN" || step.state === "ODD";
                (isReadable ? expected.now : expected.later).push(amountInCents);
                break;
              }
              case "burst":
                burst(step.count);
                break;
              case "repeat": {
                const id = objects[step.which % Math.max(objects.length, 1)];
                if (id) emit(id, new Date(rest.now().getTime() - step.agoMs));
                break;
              }
              case "unreadable":
                emitUnreadable();
                break;
              case "pass":
                await pass(rest, step.ms);
                break;
              case "endless":
                odd.isListEndless = step.isEndless;
                break;
              case "round":
                reported.push(...(await rounds(1)));
            }
          }
          reported.push(...(await rounds(12)));
          expect(reported.toSorted()).toEqual(expected.now.toSorted());
          odd.recover();
          await pass(rest, RETRIED_EVERY_MS);
          reported.push(...(await rounds(4)));
          expect(reported.toSorted()).toEqual([...expected.now, ...expected.later].toSorted());
        }),
        // One bank for all runs: each continues where the one before left it, so a smaller example proves nothing.
        { numRuns: PROPERTY_RUNS, endOnFailure: true },
      );
      await rest.close();
    });

    test("while the bank answers nothing, what it reported before is still listed", async () => {
      const { bank, organizationId, deposit, odd, close, ...rest } = await arrange();
      await deposit(2_000);
      const asked = { organizationId, businessNow: rest.now(), limit: MAX_NOTICES };
      expect(await bank.notices(asked)).toHaveLength(1);
      odd.isDown = true;
      expect(await bank.organizationsWithNotices({ realNow: rest.now(), limit: 10 })).toEqual([
        organizationId,
      ]);
      const notices = await bank.notices(asked);
      expect(notices).toHaveLength(1);
      const noticeReferences = notices.map((notice) => notice.noticeReference);
      await bank.acknowledge({ organizationId, noticeReferences, businessNow: rest.now() });
      await expect(bank.notices(asked)).rejects.toThrow(BankUnavailable);
      await close();
    });
  });
}
