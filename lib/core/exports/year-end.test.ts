/**
 * Books random movements over two years and reads each accountant's file back as an accountant would: with programs
 * that know nothing of Sluice.
 */
import { randomUUID } from "node:crypto";
import { BlobReader, TextWriter, ZipReader } from "@zip.js/zip.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeYearZip } from "@/lib/core/exports/make-year-zip";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { newId } from "@/lib/platform/ids";
import { useTestDatabase } from "@/lib/testing/database";
import { checkWithHledger, parseCsv, parseJournal, readExportedBooks } from "@/lib/testing/exported-books";
import { createTestOrganization } from "@/lib/testing/organization";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { createTestServices } from "@/lib/testing/services";
import { readYearEnd, readYearProof } from "@/lib/views/read-year-end";

const database = useTestDatabase();

/** Business time: the middle of the second year. */
const NOW = new Date("2026-07-01T12:00:00Z");
const BEGIN = Date.parse("2024-12-20T00:00:00Z");
const SPAN_MINUTES = (NOW.getTime() - BEGIN) / 60_000;
const HARD_NAMES = [
  '=HYPERLINK("http://x")',
  "a, b; c | d: e",
  'He said "no"\nand left',
  "税金 🏦  two  spaces",
  "+1",
  "(virtual)",
  "Taxes",
  "Taxes",
];

/** Text with meaning in a journal: transactions, dates, comments, prices, rules, includes. */
const ATTACKS = [
  "Rent\n2025-01-01 * evil\n    assets:Taxes  $999999.00\n    equity:outside",
  "Rent\r\n    assets:Taxes  $1.00",
  "Rent\u2028include /etc/passwd\u0085    assets:Taxes  $1.00",
  "a  ; date:1999-01-01, date2:1998-02-31",
  "date:2024-13-45",
  "[2024-99-99] [=2024-01-01]",
  "x | y = 3  = $5.00 @ $3",
  "= assets\n    (assets:Taxes)  *2",
  "~ monthly",
  "end comment",
  "(code) ! *",
  "assets:Taxes  $1.00",
  '"quoted" {$2} ',
];

const movement = fc.record({
  minute: fc.nat(SPAN_MINUTES - 1),
  kind: fc.constantFrom("IN", "OUT", "MOVE", "RETURN"),
  from: fc.nat(HARD_NAMES.length - 1),
  to: fc.nat(HARD_NAMES.length - 1),
  cents: fc.integer({ min: 1, max: 9_999_999 }),
  who: fc.oneof(fc.constantFrom(...HARD_NAMES, ...ATTACKS), fc.string({ unit: "binary", maxLength: 40 })),
});
type Movement = typeof movement extends fc.Arbitrary<infer T> ? T : never;

async function arrange() {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services, HARD_NAMES[2]);
  const accounts: string[] = [];
  for (const name of HARD_NAMES) accounts.push(await organization.addAccount({ name, type: "POD" }));
  const { organizationId, clearingLedgerId } = organization;
  const account = (index: number) => accounts[index] ?? "";

  async function book(
    { kind, who, cents }: Pick<Movement, "kind" | "who" | "cents">,
    [debit, credit]: readonly [string, string],
    at: Date,
  ): Promise<void> {
    const transferId = newId(at);
    const text = who.replaceAll("\0", "");
    await database.ownerPool.query(
      `insert into transfers (organization_id, id, status, execution_mode, direction, origin, amount_in_cents,
          source_account_id, destination_account_id, counterparty_name, reason_for_approval, proposed_by_kind,
          proposed_by_name, created_at, updated_at, completed_at)
       values ($1, $2, 'COMPLETE', 'LIVE', $3, 'API', $4, $5, $6, $7, $7, 'API_KEY', $7, $8, $8, $8)`,
      [
        organizationId,
        transferId,
        debit === clearingLedgerId ? "MONEY_IN" : credit === clearingLedgerId ? "MONEY_OUT" : "INTERNAL",
        cents,
        debit === clearingLedgerId ? null : debit,
        credit === clearingLedgerId ? null : credit,
        text,
        at,
      ],
    );
    await database.ownerPool.query(
      "select post_entries(array[row($1, $2, $3, null, $4, $5, $6, $7, 0, $8)::posting])",
      [
        organizationId,
        newId(at),
        transferId,
        kind === "RETURN" ? "RETURN" : "TRANSFER",
        debit,
        credit,
        cents,
        at,
      ],
    );
  }

  /** Every account starts with enough money; bank returns may push it below zero. */
  async function play(movements: readonly Movement[]): Promise<void> {
    for (const id of accounts) {
      await book(
        { kind: "IN", who: "Start", cents: 500_000_000_00 },
        [clearingLedgerId, id],
        new Date(BEGIN - 60_000),
      );
    }
    for (const each of movements.toSorted((left, right) => left.minute - right.minute)) {
      await book(each, sidesOf(each), new Date(BEGIN + each.minute * 60_000));
    }
  }

  function sidesOf({ kind, from, to }: Movement): readonly [string, string] {
    if (kind === "IN") return [clearingLedgerId, account(to)];
    if (kind === "MOVE" && from !== to) return [account(from), account(to)];
    return [account(from), clearingLedgerId];
  }

  const context: Context<MemberActor> = { ...organization.owner, now: NOW };
  return { services, organization, context, accounts, play, book, clearingLedgerId };
}

async function readZip(chunks: AsyncGenerator<Uint8Array>): Promise<Map<string, string>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of chunks) parts.push(new Uint8Array(chunk));
  const reader = new ZipReader(new BlobReader(new Blob(parts)), { useWebWorkers: false });
  const files = new Map<string, string>();
  for (const entry of await reader.getEntries()) {
    if (!entry.directory) files.set(entry.filename, await entry.getData(new TextWriter()));
  }
  return files;
}

async function readLedgers(organizationId: string): Promise<Map<string, bigint>> {
  const { rows } = await database.pool.query<{ id: string; balance: string }>(
    "select id, (credits_in_cents - debits_in_cents)::text as balance from ledgers where organization_id = $1",
    [organizationId],
  );
  return new Map(rows.map(({ id, balance }) => [id, BigInt(balance)]));
}

const cents = (text: string | undefined) => BigInt((text ?? "").replace(".", ""));
const fileOf = (files: Map<string, string>, accountId: string) =>
  [...files].find(
    ([name]) => name.startsWith("accounts/") && name.endsWith(`-${accountId.slice(-8)}.csv`),
  )?.[1] ?? "";

describe("the accountant's yearly file", () => {
  it("adds up for any history: each CSV leads from opening to closing, and the plain-text books balance and equal the ledgers", {
    timeout: 300_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(movement, { maxLength: 60 }), async (movements) => {
        const { services, organization, context, accounts, play } = await arrange();
        await play(movements);
        const ledgers = await readLedgers(organization.organizationId);
        let carried = new Map<string, bigint>(accounts.map((id) => [id, 0n]));
        let booked = 0;
        for (const year of [2024, 2025, 2026]) {
          const files = await readZip((await makeYearZip(services, context, year)).chunks);
          const closing = new Map<string, bigint>();
          for (const id of accounts) {
            const [head, opening, ...rest] = parseCsv(fileOf(files, id));
            const end = rest.pop();
            const [amount, balance] = [head?.indexOf("Amount") ?? -1, head?.indexOf("Balance") ?? -1];
            expect(cents(opening?.[balance])).toBe(carried.get(id));
            const sum = rest.reduce((total, line) => total + cents(line[amount]), 0n);
            expect(cents(end?.[balance]) - cents(opening?.[balance])).toBe(sum);
            for (const line of rest) expect(line[0]?.slice(0, 4)).toBe(String(year));
            closing.set(id, cents(end?.[balance]));
          }
          const journal = parseJournal(files.get(`books-${year}.journal`) ?? "");
          expect(journal.assertionCount).toBe(accounts.length + 1);
          expect([...journal.balances.values()].slice(0, -1)).toEqual([...closing.values()]);
          booked += journal.transactionCount - 2;
          checkWithHledger(files.get(`books-${year}.journal`) ?? "", journal);
          carried = closing;
        }
        expect(booked).toBe(movements.length + accounts.length);
        for (const id of accounts) expect(carried.get(id)).toBe(ledgers.get(id));
      }),
      { numRuns: proofSize(4, 100), seed: proofSeed },
    );
  });

  it("balances to the cent in two other programs when all books are exported, whatever text they contain", {
    timeout: 300_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(movement, { maxLength: 60 }), async (movements) => {
        const { services, organization, accounts, play } = await arrange();
        await play(movements);
        const { organizationId } = organization;
        const journal = await readExportedBooks(services.pool, organizationId);
        expect(journal.transactionCount).toBe(movements.length + accounts.length + 1);
        expect(journal.assertionCount).toBe(accounts.length + 1);
      }),
      { numRuns: proofSize(6, 200), seed: proofSeed },
    );
  });

  it("keeps each injected text as plain words", async () => {
    const { services, organization, accounts, play } = await arrange();
    await play(ATTACKS.map((who, minute) => ({ minute, kind: "IN", from: 0, to: 0, cents: 1, who })));
    const journal = await readExportedBooks(services.pool, organization.organizationId);
    expect(journal.transactionCount).toBe(ATTACKS.length + accounts.length + 1);
  });

  it("has file names that every system accepts, and texts that no spreadsheet executes", async () => {
    const { services, context, play } = await arrange();
    await play(
      HARD_NAMES.map((who, index) => ({
        minute: 600_000 + index,
        kind: "IN",
        from: 0,
        to: 0,
        cents: 5,
        who,
      })),
    );
    const zip = await makeYearZip(services, context, 2026);
    expect(zip.name).toMatch(/^sluice-[a-z0-9-]+-2026\.zip$/);
    const files = await readZip(zip.chunks);
    for (const [name, text] of files) {
      expect(name).toMatch(
        /^(?:(?:accounts|outside)\/[a-z0-9-]+\.csv|(?:accounts|books)-2026\.(?:csv|journal)|README\.txt)$/,
      );
      if (!name.endsWith(".csv")) continue;
      for (const field of parseCsv(text).flat())
        expect(field).not.toMatch(/^[=+@\t\r＝＋－＠]|^-(?!\d+\.\d\d$)/);
    }
  });

  it("lists an unused account, but has no file for it", async () => {
    const { services, organization, context, accounts, play } = await arrange();
    await play([]);
    const unused = await organization.addAccount({ name: "Never used", type: "POD" });
    const files = await readZip((await makeYearZip(services, context, 2026)).chunks);
    const lines = parseCsv(files.get("accounts-2026.csv") ?? "");
    expect(lines.some((line) => line.includes("Never used"))).toBe(true);
    expect(fileOf(files, unused)).toBe("");
    expect(files.get("README.txt")).toContain("without a balance or a movement");
    for (const id of accounts) expect(fileOf(files, id)).toContain("Closing balance");
  });

  it("assigns a movement to the year in the organization's time zone, not UTC", async () => {
    const { services, context, accounts, book, clearingLedgerId } = await arrange();
    const newYearInNewYork = Date.parse("2026-01-01T05:00:00Z");
    const sides = [clearingLedgerId, accounts[0] ?? ""] as const;
    await book({ kind: "IN", who: "old", cents: 1 }, sides, new Date(newYearInNewYork - 1));
    await book({ kind: "IN", who: "new", cents: 20 }, sides, new Date(newYearInNewYork));
    expect(await readYearProof({ services, context }, 2025)).toMatchObject({
      closingInCents: 1,
      cameInCount: 1,
    });
    expect(await readYearProof({ services, context }, 2026)).toMatchObject({
      openingInCents: 1,
      cameInInCents: 20,
      closingInCents: 21,
      addsUp: true,
    });
    expect((await readYearEnd({ services, context }, null)).years.map(({ year }) => year)).toEqual([
      2026, 2025,
    ]);
  });

  it("is refused if the books were altered, and the page says so", async () => {
    const { services, organization, context, accounts, play } = await arrange();
    await play([]);
    await database.ownerPool.query(
      "update ledgers set credits_in_cents = credits_in_cents + 1 where organization_id = $1 and id = $2",
      [organization.organizationId, accounts[0]],
    );
    expect((await readYearProof({ services, context }, 2026)).addsUp).toBe(false);
    await expect(makeYearZip(services, context, 2026)).rejects.toThrow("do not add up");
  });

  it("contains only its own organization's books", async () => {
    const one = await arrange();
    const other = await arrange();
    await one.play([{ minute: 1, kind: "IN", from: 0, to: 0, cents: 77, who: `secret-${randomUUID()}` }]);
    const files = await readZip((await makeYearZip(other.services, other.context, 2026)).chunks);
    expect([...files.values()].join()).not.toContain("secret-");
    expect(await readYearProof({ services: other.services, context: other.context }, 2026)).toMatchObject({
      closingInCents: 0,
    });
  });

  it("is for owners, co-owners, and accountants; a viewer sees the proof but gets no file", async () => {
    const { services, organization, play } = await arrange();
    await play([]);
    const as = async (role: "OWNER" | "CO_OWNER" | "ACCOUNTANT" | "VIEWER") => ({
      ...(await organization.addMember(role, role)),
      now: NOW,
    });
    for (const role of ["OWNER", "CO_OWNER", "ACCOUNTANT"] as const) {
      const files = await readZip((await makeYearZip(services, await as(role), 2025)).chunks);
      expect(files.get("README.txt")).toContain(`Made by ${role}`);
    }
    const viewer = await as("VIEWER");
    await expect(makeYearZip(services, viewer, 2025)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    expect((await readYearProof({ services, context: viewer }, 2025)).addsUp).toBe(true);
    expect((await readYearEnd({ services, context: viewer }, 2025)).zipHref).toBeNull();
    await expect(makeYearZip(services, await as("OWNER"), 1999)).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
    });
  });
});
