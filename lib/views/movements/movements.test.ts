import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { AppError } from "@/lib/contract/error";
import {
  MOVEMENT_TABS,
  type MovementFileLayout,
  type MovementSearch,
  type MovementTab,
  movementFileLayout,
} from "@/lib/contract/search/movement-search";
import { movementPlaceSchema, movementSearchSchema } from "@/lib/contract/search/search-schemas";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { firstIdAt, lastIdAt, newId } from "@/lib/platform/ids";
import { BankUnavailable } from "@/lib/ports/bank/bank-port";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { askUnbooked, moveAnything } from "@/lib/testing/api";
import { createTestCards } from "@/lib/testing/cards";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";
import { exportMovements } from "@/lib/views/movements/export-movements";
import { listMemberMovements, type MovementListView } from "@/lib/views/movements/list-member-movements";
import type { MovementLook } from "@/lib/views/movements/list-scans";
import { movementWindow } from "@/lib/views/movements/movement-query";
import { readMovementDetail } from "@/lib/views/movements/read-movement-detail";
import { listedSum, readMovementPage } from "@/lib/views/movements/read-movement-page";
import { readReceipt } from "@/lib/views/movements/read-transfer-detail";

const database = useTestDatabase();

const MINUTE_MS = 60_000;
const searchOf = (query: Record<string, unknown> = {}) => movementSearchSchema.parse(query);
const NOWHERE = movementPlaceSchema.parse({});

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 500_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const outside = await organization.addAccount({
    name: "First Harbor Checking",
    type: "EXTERNAL_ACCOUNT",
    balanceInCents: 900_000,
  });
  const free = await organization.addKey([moveAnything(false)], "claude-bookkeeping");
  const asking = await organization.addKey([moveAnything(true)], "asking");
  const now = (member: Context<MemberActor> = organization.owner) => ({ ...member, now: clock.now() });
  const time = () => ({ nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" });
  const move = (amountInCents: number, more: Partial<Parameters<typeof askUnbooked>[2]> = {}, key = free) => {
    clock.advance(MINUTE_MS);
    return askUnbooked(services, key.context, {
      sourceAccountId: operating,
      destinationAccountId: taxes,
      amountInCents,
      ...more,
    });
  };
  const list = (
    query: Record<string, unknown> = {},
    tab: MovementTab = "TRANSFERS",
    member: Context<MemberActor> = organization.owner,
  ): Promise<MovementListView> =>
    listMemberMovements(
      { services, context: now(member), time: time() },
      tab,
      searchOf(query),
      movementPlaceSchema.parse(query),
    );
  const file = async (
    query: Record<string, unknown> = {},
    tab: MovementTab = "TRANSFERS",
    limits?: { maximumRows: number; rowsPerBatch: number },
    layout: MovementFileLayout = "LIST",
  ) => {
    const parts = [];
    for await (const part of exportMovements(
      services,
      now(),
      { tab, search: searchOf(query), layout },
      time(),
      limits,
    ).lines) {
      parts.push(part);
    }
    return parts.join("").replace("\uFEFF", "").trimEnd().split("\r\n");
  };
  return {
    services,
    clock,
    organization,
    operating,
    taxes,
    outside,
    free,
    asking,
    now,
    time,
    move,
    list,
    file,
  };
}

const amounts = (view: MovementListView) => view.rows.map(({ amountInCents }) => amountInCents);

describe("the list of transfers", () => {
  it("shows what came in and went out, and each movement's state and requester", async () => {
    const { services, clock, list, move, outside, operating, asking } = await arrange();
    await move(10_000, { description: "Q4 TAX" });
    clock.advance(MINUTE_MS);
    await bookDueTransfers(services, 64);
    await move(20_000, {}, asking);
    await move(30_000, { sourceAccountId: operating, destinationAccountId: outside });
    const view = await list();
    expect(view.totals).toEqual({ inInCents: 500_000, outInCents: 0 });
    expect(view.count).toEqual({ count: 4, isMore: false });
    expect(
      view.rows.map(({ fromName, toName, status, about }) => [fromName, toName, status, about.kind]),
    ).toEqual([
      ["Operating", "First Harbor Checking", "ON_ITS_WAY", "LEAVES"],
      ["Operating", "Taxes", "WAITING", "ASKED"],
      ["Operating", "Taxes", "SETTLED", "ASKED"],
      ["Halden Health", "Operating", "SETTLED", "DEPOSIT"],
    ]);
    expect(view.rows.map(({ canCancel }) => canCancel)).toEqual([true, false, false, false]);
    expect(view.rows.at(-1)?.flow).toBe("IN");
  });

  it("applies every filter in its URL", async () => {
    const { services, clock, list, move, operating, taxes, outside, free, asking } = await arrange();
    await move(10_000, { description: "Q4 TAX" });
    clock.advance(MINUTE_MS);
    await bookDueTransfers(services, 64);
    await move(20_000, { reasonForApproval: "100% of it_all" }, asking);
    await move(30_000, { destinationAccountId: outside });
    await move(40_000, { simulation: true });
    await move(99_000_000);
    await bookDueTransfers(services, 64);
    const of = async (query: Record<string, unknown>) => amounts(await list(query));
    expect(await of({})).toEqual([99_000_000, 30_000, 20_000, 10_000, 500_000]);
    expect(await of({ dry: "1" })).toEqual([99_000_000, 40_000, 30_000, 20_000, 10_000, 500_000]);
    expect(await of({ status: "settled" })).toEqual([10_000, 500_000]);
    expect(await of({ status: "waiting" })).toEqual([20_000]);
    expect(await of({ status: "failed" })).toEqual([99_000_000]);
    expect(await of({ status: "on-its-way" })).toEqual([30_000]);
    expect(await of({ status: "denied" })).toEqual([]);
    expect(await of({ direction: "in" })).toEqual([500_000]);
    expect(await of({ direction: "internal" })).toEqual([99_000_000, 20_000, 10_000]);
    expect(await of({ account: taxes })).toEqual([99_000_000, 20_000, 10_000]);
    expect(await of({ account: [taxes, outside], dry: "1" })).toEqual([
      99_000_000, 40_000, 30_000, 20_000, 10_000,
    ]);
    expect(await of({ account: [taxes, operating], direction: "in" })).toEqual([
      99_000_000, 20_000, 10_000, 500_000,
    ]);
    expect(await of({ by: asking.id })).toEqual([20_000]);
    expect(await of({ by: free.id, status: "settled" })).toEqual([10_000]);
    expect(await of({ q: "q4 tax" })).toEqual([10_000]);
    expect(await of({ q: "harbor" })).toEqual([30_000]);
    expect(await of({ q: "100%" })).toEqual([20_000]);
    expect(await of({ q: "it_all" })).toEqual([20_000]);
    expect(await of({ q: "_" })).toEqual([20_000]);
    expect(await of({ amount: "$100.00" })).toEqual([10_000]);
    expect(await of({ status: "nonsense", account: "x", amount: "much", days: "9" })).toHaveLength(5);
    expect((await list({ account: taxes })).totals).toEqual({ inInCents: 10_000, outInCents: 0 });
  });

  it("adds up all pages of a narrowed list, whatever the status, and nothing beyond what it counts", async () => {
    const { list, move, taxes, outside, asking } = await arrange();
    for (let amount = 1_001; amount <= 1_026; amount += 1) await move(amount, {}, asking);
    await move(30_000, { destinationAccountId: outside });
    await move(40_000, { simulation: true });
    expect((await list()).sum).toBeNull();
    const narrowed = await list({ account: taxes });
    expect(narrowed.rows).toHaveLength(25);
    expect(narrowed.sum).toEqual({ summedCount: 26, sumInCents: 26 * 1_000 + (26 * 27) / 2 });
    // Both sides of one transfer are filtered for: it counts once.
    expect((await list({ account: [taxes, outside], dry: "1" })).sum).toEqual({
      summedCount: 28,
      sumInCents: (narrowed.sum?.sumInCents ?? 0) + 70_000,
    });
    expect(
      listedSum({
        count: 10_000,
        isMore: true,
        summedCount: 10_000,
        sumInCents: 5,
        inInCents: 0,
        outInCents: 0,
      }),
    ).toBeNull();
  });

  it("counts as denied what a person denied and what a revocation ended, and nothing else", async () => {
    const { services, clock, organization, list, move, asking } = await arrange();
    const owner = { ...organization.owner, now: clock.now() };
    await move(10_000);
    const { id } = await move(20_000, {}, asking);
    await decideProposal(services, owner, {
      proposalId: id,
      decision: "DENY",
      digest: "",
      note: null,
      confirmation: { kind: "NONE" },
    });
    await move(30_000, {}, asking);
    expect(amounts(await list({ status: "denied" }))).toEqual([20_000]);
    await revokeApiKey(services, owner, asking.id);
    expect(amounts(await list({ status: "denied" }))).toEqual([30_000, 20_000]);
    expect(amounts(await list({ status: "expired" }))).toEqual([]);
  });

  it("distinguishes denial from expiry, even before the worker records it", async () => {
    const { clock, list, move, asking } = await arrange();
    await move(20_000, {}, asking);
    clock.advance(25 * 60 * MINUTE_MS);
    expect(amounts(await list({ status: "waiting" }))).toEqual([]);
    expect(amounts(await list({ status: "denied" }))).toEqual([]);
    const [row] = (await list({ status: "expired" })).rows;
    expect(row).toMatchObject({ amountInCents: 20_000, status: "EXPIRED" });
  });

  it("shows and counts nothing of another organization, whatever its URL contains", async () => {
    const one = await arrange();
    const other = await arrange();
    const { id } = await one.move(12_345);
    expect((await other.list()).count.count).toBe(1);
    for (const query of [{ account: one.taxes }, { by: one.free.id }, { amount: "123.45" }, { before: id }]) {
      expect(amounts(await other.list(query))).not.toContain(12_345);
    }
    expect((await other.list({ open: id })).open).toBeNull();
    const { services, now, time } = other;
    for (const tab of ["TRANSFERS", "CARDS", "OUTSIDE"] as const) {
      expect(await readMovementDetail({ services, context: now(), time: time() }, tab, id)).toBeNull();
    }
    expect((await other.file()).join()).not.toContain("123.45");
  });

  it("is readable by a viewer, who may not cancel, move back, or export", async () => {
    const { services, organization, list, move, outside, operating, now, time } = await arrange();
    const viewer = await organization.addMember("VIEWER", "Vera");
    const accountant = await organization.addMember("ACCOUNTANT", "Ada");
    const { id } = await move(30_000, { sourceAccountId: operating, destinationAccountId: outside });
    const view = await list({ open: id }, "TRANSFERS", viewer);
    expect(view.rows[0]?.canCancel).toBe(false);
    expect(view.open).toMatchObject({ canCancel: false, moveBackHref: null });
    expect(view.mayExport).toBe(false);
    for (const tab of ["TRANSFERS", "CARDS", "OUTSIDE"] as const) {
      const open = () =>
        exportMovements(services, now(viewer), { tab, search: searchOf(), layout: "LIST" }, time());
      expect(open).toThrow(AppError);
      expect(open).toThrow("Only owners, co-owners and accountants may export.");
    }
    expect((await list({}, "TRANSFERS", accountant)).mayExport).toBe(true);
    expect(
      exportMovements(
        services,
        now(accountant),
        { tab: "TRANSFERS", search: searchOf(), layout: "LIST" },
        time(),
      ).fileName,
    ).toMatch(/^transfers-\d{4}-\d\d-\d\d\.csv$/);
  });
});

describe("one transfer", () => {
  it("shows its history, its balanced entries, and an offer to move it back once settled", async () => {
    const { services, clock, list, move } = await arrange();
    const { id } = await move(10_000, { description: "Q4 TAX", reasonForApproval: "Due on Tuesday." });
    expect((await list({ open: id })).open).toMatchObject({ canCancel: true, moveBackHref: null, books: [] });
    clock.advance(MINUTE_MS);
    await bookDueTransfers(services, 64);
    const { open } = await list({ open: id });
    expect(open).toMatchObject({
      kind: "TRANSFER",
      reason: "Due on Tuesday.",
      label: "Q4 TAX",
      status: "SETTLED",
      canCancel: false,
      moveBackHref: `/transfers/${id}/move-back`,
      books: [{ debitName: "Operating", creditName: "Taxes", amountInCents: 10_000 }],
    });
    expect(open?.kind === "TRANSFER" && open.life.map(({ kind }) => kind)).toEqual(["PROPOSED", "SETTLED"]);
  });

  it("shows for a dry run, in list and history, how the live one would end", async () => {
    const { list, move } = await arrange();
    const { id: small } = await move(10_000, { simulation: true });
    const { id: large } = await move(99_000_000, { simulation: true });
    const seen = async (id: string) => {
      const { open, rows } = await list({ open: id, dry: "1" });
      return {
        about: rows.find((row) => row.id === id)?.about,
        life: open?.kind === "TRANSFER" ? open.life.at(-1) : null,
      };
    };
    const through = { outcome: "GOES_THROUGH" };
    expect(await seen(small)).toMatchObject({
      about: { kind: "DRY_RUN", foreseen: through },
      life: { kind: "FORESEEN", ...through },
    });
    const fails = { outcome: "FAILS", sentence: expect.stringContaining("did not have enough") };
    expect(await seen(large)).toMatchObject({
      about: { kind: "DRY_RUN", foreseen: fails },
      life: { kind: "FORESEEN", ...fails },
    });
  });

  it("shows when it leaves for the bank, then that the bank has not answered, not that it has left", async () => {
    const { services, clock, list, move, outside, operating } = await arrange();
    const { id } = await move(30_000, { sourceAccountId: operating, destinationAccountId: outside });
    const look = async () => {
      const { open } = await list({ open: id });
      return open?.kind === "TRANSFER" ? { canCancel: open.canCancel, step: open.life.at(-1) } : null;
    };
    const leavesAt = new Date(clock.now().getTime() + BANK_WINDOW_MS).toISOString();
    expect(await look()).toEqual({ canCancel: true, step: { kind: "LEAVES", at: leavesAt } });
    clock.advance(BANK_WINDOW_MS);
    const silent = () => Promise.reject(new BankUnavailable("timeout"));
    await submitDueTransfers(services, { ...createSandboxBank(database.pool), submit: silent }, 64);
    expect(await look()).toEqual({ canCancel: false, step: { kind: "UNANSWERED" } });
  });
});

describe("a transfer that failed at the bank", () => {
  it("says why in words, and offers the same move again to those who may move money", async () => {
    const { services, clock, organization, list, move, outside, operating } = await arrange();
    const bank = createSandboxBank(database.pool);
    const pull = await move(30_001, { sourceAccountId: outside, destinationAccountId: operating });
    const push = await move(30_001, { sourceAccountId: operating, destinationAccountId: outside });
    clock.advance(BANK_WINDOW_MS);
    const submit = async (code: string) => {
      const bankWords = "Ask your bank";
      const refused = { kind: "REFUSED", code, message: "No", bankWords } as const;
      await submitDueTransfers(services, { ...bank, submit: async () => refused }, 64);
    };
    await submit("R01");
    const viewer = await organization.addMember("VIEWER", "Kim");
    const seen = async (id: string, member: Context<MemberActor> = organization.owner) => {
      const { open } = await list({ open: id }, "TRANSFERS", member);
      if (open?.kind !== "TRANSFER") throw new Error("not shown");
      return open;
    };
    const failed = await seen(pull.id);
    const again = new URL(failed.tryAgainHref ?? "", "http://sluice.test");
    expect(again.pathname).toBe("/transfers/new");
    expect(Object.fromEntries(again.searchParams)).toEqual({
      from: outside,
      to: operating,
      amountInCents: "30001",
    });
    expect(failed).toMatchObject({ status: "FAILED", bankWords: "Ask your bank" });
    expect(failed.life.at(-1)).toMatchObject({
      kind: "FAILED",
      sentence: "The account that the money was drawn from did not have enough (R01). Nothing moved.",
    });
    expect((await seen(push.id)).tryAgainHref).not.toBeNull();
    expect((await seen(pull.id, viewer)).tryAgainHref).toBeNull();
    const forbidden = await move(30_001, { sourceAccountId: outside, destinationAccountId: operating });
    clock.advance(BANK_WINDOW_MS);
    await submit("R29");
    expect(await seen(forbidden.id)).toMatchObject({ status: "FAILED", tryAgainHref: null });
    await database.ownerPool.query("update accounts set deleted_at = now() where id = $1", [outside]);
    expect((await seen(pull.id)).tryAgainHref).toBeNull();
  });
});

describe("the receipt of a transfer", () => {
  it("exists once it has settled, for a viewer too, in the organization's zone and with every name", async () => {
    const { services, clock, organization, now, time, move, asking } = await arrange();
    const setting = () => ({ organizationName: "Northwind", isSandbox: true });
    const receipt = (id: string, reader?: Context<MemberActor>) =>
      readReceipt({ services, context: now(reader), time: time() }, id, setting());
    const { id } = await move(10_000, {}, asking);
    expect(await receipt(id)).toBeNull();
    const digest = (await getApproval({ services, context: now(), time: time() }, id))?.digest ?? "";
    const decided = { proposalId: id, decision: "APPROVE" as const, digest, note: null };
    await decideProposal(services, now(), { ...decided, confirmation: { kind: "NONE" } });
    clock.advance(MINUTE_MS);
    await bookDueTransfers(services, 64);
    const viewer = await organization.addMember("VIEWER", "Tomas");
    const forOwner = await receipt(id);
    expect(forOwner).toMatchObject({
      organizationName: "Northwind",
      isSandbox: true,
      transfer: { id, amountInCents: 10_000, status: "SETTLED", books: [{ debitName: "Operating" }] },
    });
    expect(forOwner?.transfer.life).toMatchObject([
      { kind: "PROPOSED" },
      { kind: "APPROVED", byName: expect.any(String), byViewer: false },
      { kind: "SETTLED" },
    ]);
    expect((await receipt(id, viewer))?.transfer.life).toEqual(forOwner?.transfer.life);
  });

  it("does not exist for another organization", async () => {
    const { services, clock, move, time } = await arrange();
    const { id } = await move(10_000);
    clock.advance(MINUTE_MS);
    await bookDueTransfers(services, 64);
    const { now: elsewhere } = await arrange();
    const setting = { organizationName: "Elsewhere", isSandbox: true };
    expect(await readReceipt({ services, context: elsewhere(), time: time() }, id, setting)).toBeNull();
  });
});

describe("card transactions", () => {
  it("are listed with their card, and filtered by it", async () => {
    const { services, organization, operating, taxes, list, file } = await arrange();
    const cards = createTestCards(database, services, organization);
    const one = await cards.issue({ accountId: operating, name: "Studio" });
    const other = await cards.issue({ accountId: taxes, name: "Spare" });
    await cards.report({
      kind: "SETTLED",
      cardId: one,
      amountInCents: 4_900,
      reference: "a",
      authorization: null,
    });
    await cards.report({ kind: "REFUND", cardId: one, amountInCents: 1_000, reference: "b" });
    await cards.report({ kind: "PAYOUT", cardId: other, amountInCents: 7_000, reference: "c" });
    const view = await list({}, "CARDS");
    expect([...amounts(view)].sort()).toEqual([1_000, 4_900, 7_000]);
    expect(view.totals).toEqual({ inInCents: 7_000, outInCents: 3_900 });
    expect(amounts(await list({ card: other }, "CARDS"))).toEqual([7_000]);
    expect(amounts(await list({ kind: "refund" }, "CARDS"))).toEqual([1_000]);
    expect([...amounts(await list({ account: operating }, "CARDS"))].sort()).toEqual([1_000, 4_900]);
    expect(amounts(await list({ card: one, account: taxes }, "CARDS"))).toEqual([]);
    const purchase = view.rows.find(({ amountInCents }) => amountInCents === 4_900);
    expect(purchase).toMatchObject({ fromName: "Operating", toName: "Harbor Cloud" });
    const { open } = await list({ open: purchase?.id }, "CARDS");
    expect(open).toMatchObject({
      kind: "CARD",
      card: { name: "Studio" },
      books: [{ debitName: "Operating" }],
    });
    expect(await file({}, "CARDS")).toHaveLength(4);
  });
});

/** An outside transaction, inserted as the aggregator's worker would. */
async function addOutside(
  organizationId: string,
  accountId: string,
  at: Date,
  {
    amountInCents = 1_000,
    description = "HARBOR CLOUD 0412",
    status = "COMPLETE",
    direction = "MONEY_OUT",
  } = {},
): Promise<string> {
  const id = newId(at);
  await database.ownerPool.query(
    `insert into external_transactions (organization_id, id, account_id, provider_transaction_id, amount_in_cents,
        direction, status, description, transaction_date, category, created_at, updated_at)
      values ($1, $2::uuid, $3, $2::uuid::text, $4, $5, $6, $7, $8, 'SHOPPING', $8, $8)`,
    [organizationId, id, accountId, amountInCents, direction, status, description, at],
  );
  return id;
}

describe("outside transactions", () => {
  it("are listed by date and filtered, without those that the institution withdrew", async () => {
    const { organization, clock, outside, list } = await arrange();
    const { organizationId } = organization;
    const at = (minutes: number) => new Date(clock.now().getTime() - minutes * MINUTE_MS);
    await addOutside(organizationId, outside, at(30), { amountInCents: 3_000, status: "PENDING" });
    // Seen later but dated earlier: the list uses the date.
    const old = await addOutside(organizationId, outside, at(90), {
      amountInCents: 9_000,
      direction: "MONEY_IN",
    });
    const gone = await addOutside(organizationId, outside, at(10), {
      amountInCents: 1_000,
      status: "PENDING",
    });
    await database.ownerPool.query("update external_transactions set vanished_at = now() where id = $1", [
      gone,
    ]);
    expect(amounts(await list({}, "OUTSIDE"))).toEqual([3_000, 9_000]);
    expect(amounts(await list({ state: "pending" }, "OUTSIDE"))).toEqual([3_000]);
    expect(amounts(await list({ direction: "in" }, "OUTSIDE"))).toEqual([9_000]);
    expect(amounts(await list({ category: "SHOPPING", q: "cloud", account: outside }, "OUTSIDE"))).toEqual([
      3_000, 9_000,
    ]);
    expect((await list({ open: old }, "OUTSIDE")).open).toMatchObject({ kind: "OUTSIDE", isIncome: true });
    expect((await list({ open: gone }, "OUTSIDE")).open).toBeNull();
  });
});

describe("the file", () => {
  it("has the list's filters, the viewer's days, decimal amounts, and defuses a payee's formula", async () => {
    const { organization, clock, outside, file, move } = await arrange();
    await move(123_450, { description: "Q4 TAX" });
    const [head, first, deposit] = await file();
    expect(head?.split(",").slice(0, 4)).toEqual(["Date", "From", "To", "Amount (USD)"]);
    expect(first).toMatch(/^2026-01-15,/);
    expect(first).toContain(",Operating,Taxes,1234.50,INTERNAL,ON_ITS_WAY,Q4 TAX,claude-bookkeeping,");
    expect(deposit).toContain(",Halden Health,Operating,5000.00,MONEY_IN,SETTLED,");
    expect(await file({ amount: "1234.5" })).toHaveLength(2);
    await addOutside(organization.organizationId, outside, clock.now(), {
      description: '=HYPERLINK("https://example.com")',
    });
    expect((await file({}, "OUTSIDE")).join()).toContain(`"'=HYPERLINK(""https://example.com"")"`);
  });

  it("has the same headers in every time zone, which has its own column", async () => {
    const { services, now, time, list } = await arrange();
    const { exportHref, exportByAccountHref } = await list({ direction: "out" });
    const layouts = [exportHref, exportByAccountHref].map((href) => {
      const { searchParams } = new URL(href, "https://sluice.test");
      const names = [...searchParams.keys()];
      // Parsed like a request's query, in which a name may occur several times.
      return movementFileLayout(Object.fromEntries(names.map((name) => [name, searchParams.getAll(name)])));
    });
    expect(layouts).toEqual(["LIST", "ACCOUNTS"]);
    for (const tab of MOVEMENT_TABS) {
      for (const layout of ["LIST", "ACCOUNTS"] as const) {
        const headOf = async (timeZone: string) => {
          const asked = { tab, search: searchOf(), layout };
          const { lines } = exportMovements(services, now(), asked, { ...time(), timeZone });
          return (await lines.next()).value;
        };
        expect(await headOf("Asia/Tokyo")).toBe(await headOf("America/New_York"));
        expect(await headOf("Asia/Tokyo")).toMatch(
          /^\uFEFFDate,.*,Time zone(,External id,Metadata,Documents \(SHA-256\),Mandate)?\r\n$/,
        );
      }
    }
  });

  it("has a signed line per changed account when exported by account, and adds up to the balances", async () => {
    const { services, organization, clock, move, file, operating, taxes, outside } = await arrange();
    const booked = await move(123_450, { description: "Q4 TAX" });
    await bookDueTransfers(services, 64);
    await move(1_000, { sourceAccountId: operating, destinationAccountId: outside });
    await move(900_000_000); // fails for lack of money
    await bookDueTransfers(services, 64);
    const lines = (await file({}, "TRANSFERS", undefined, "ACCOUNTS"))
      .slice(1)
      .map((line) => line.split(","));
    expect(lines.map((line) => line.slice(0, 8))).toEqual([
      ["2026-01-15", "Operating", "Taxes", "-1234.50", "TRANSFER", "Q4 TAX", "", ""],
      ["2026-01-15", "Taxes", "Operating", "1234.50", "TRANSFER", "Q4 TAX", "", ""],
      ["2026-01-15", "Operating", "Halden Health", "5000.00", "TRANSFER", "", "", ""],
    ]);
    expect(lines[0]?.at(-1)).toBe("America/New_York");
    expect(lines[0]).toContain(booked.id);
    const { rows } = await database.pool.query<{ name: string; cents: number }>(
      `select a.name, (l.credits_in_cents - l.debits_in_cents)::bigint as cents
         from ledgers l join accounts a on a.organization_id = l.organization_id and a.id = l.id where a.id = any ($1)`,
      [[operating, taxes]],
    );
    for (const { name, cents } of rows) {
      const sum = lines
        .filter((line) => line[1] === name)
        .reduce((total, line) => total + Number(line[3]), 0);
      expect(Math.round(sum * 100)).toBe(cents);
    }
    // With an account filter, only its own lines.
    const own = await file({ account: taxes }, "TRANSFERS", undefined, "ACCOUNTS");
    expect(own.slice(1).map((line) => line.split(",")[1])).toEqual(["Taxes"]);
    const cards = createTestCards(database, services, organization);
    const cardId = await cards.issue({ accountId: operating });
    await cards.report({
      kind: "SETTLED",
      cardId,
      amountInCents: 2_500,
      authorization: null,
      reference: "s1",
    });
    await cards.report({ kind: "REFUND", cardId, amountInCents: 500, reference: "r1" });
    const ofCards = (await file({}, "CARDS", undefined, "ACCOUNTS")).slice(1).map((line) => line.split(","));
    expect(ofCards.map((line) => [line[1], line[3]]).toSorted()).toEqual([
      ["Operating", "-25.00"],
      ["Operating", "5.00"],
    ]);
    await addOutside(organization.organizationId, outside, clock.now(), { description: "RENT" });
    expect((await file({}, "OUTSIDE", undefined, "ACCOUNTS"))[1]).toContain(
      ",First Harbor Checking,RENT,-10.00,COMPLETE,",
    );
  });

  it("ends at its row limit and says so in its last line", async () => {
    const { file, move } = await arrange();
    for (let amount = 1_000; amount < 1_005; amount += 1) await move(amount);
    const whole = await file({}, "TRANSFERS", { maximumRows: 6, rowsPerBatch: 2 });
    expect(whole).toHaveLength(1 + 6);
    const cut = await file({}, "TRANSFERS", { maximumRows: 5, rowsPerBatch: 2 });
    expect(cut.slice(0, -1)).toEqual(whole.slice(0, -1));
    expect(cut.at(-1)).toMatch(/^This file ends after 5 rows\./);
  });
});

describe("the window", () => {
  const now = new Date("2026-11-20T16:26:00Z");
  it("uses the organization's whole days, today included, across clock changes too", () => {
    const of = (query: Record<string, unknown>) => movementWindow(searchOf(query), now, "America/New_York");
    expect(of({})).toEqual({ from: new Date("2026-10-22T04:00:00Z"), to: null });
    expect(of({ days: "all" })).toEqual({ from: null, to: null });
    expect(of({ from: "2026-11-01", to: "2026-11-01" })).toEqual({
      from: new Date("2026-11-01T04:00:00Z"),
      to: new Date("2026-11-02T04:59:59.999Z"),
    });
    expect(of({ from: "2026-11-05", to: "2026-11-01" })).toEqual(
      of({ from: "2026-11-01", to: "2026-11-05" }),
    );
  });
});

const MAXIMUM_ARRIVALS = 4;

/**
 * Anyone who pages through a list while movements arrive sees each earlier one exactly once: for random lists, filters,
 * page sizes, and arrivals, the pages together equal one unpaged query.
 */
test("paging repeats and hides nothing, whatever arrives during it", async () => {
  const { services, organization, clock, operating, taxes, outside } = await arrange();
  const { organizationId } = organization;
  const insert = async (at: Date, kind: number) => {
    const id = newId(at);
    const [source, destination] = kind % 2 === 0 ? [operating, taxes] : [taxes, operating];
    await database.ownerPool.query(
      `insert into transfers (organization_id, id, status, execution_mode, direction, origin, amount_in_cents,
          source_account_id, destination_account_id, proposed_by_kind, proposed_by_name, created_at, updated_at)
        values ($1, $2, $3, 'LIVE', 'INTERNAL', 'API', $4, $5, $6, 'API_KEY', 'seeded', $7, $7)`,
      [organizationId, id, kind % 3 === 0 ? "FAILED" : "COMPLETE", 100 + kind, source, destination, at],
    );
    await addOutside(organizationId, outside, at, { amountInCents: 100 + kind });
    return id;
  };
  const searches: [MovementTab, MovementSearch, string][] = [
    ["TRANSFERS", searchOf({ days: "all" }), "select id from transfers where organization_id = $1"],
    [
      "TRANSFERS",
      searchOf({ days: "all", status: "failed" }),
      "select id from transfers where organization_id = $1 and status = 'FAILED'",
    ],
    [
      "TRANSFERS",
      searchOf({ days: "all", account: [operating, taxes] }),
      "select id from transfers where organization_id = $1",
    ],
    [
      "TRANSFERS",
      searchOf({ days: "all", account: [operating, taxes], amount: "1.03" }),
      "select id from transfers where organization_id = $1 and amount_in_cents = 103",
    ],
    ["OUTSIDE", searchOf({ days: "all" }), "select id from external_transactions where organization_id = $1"],
    [
      "OUTSIDE",
      searchOf({ days: "all", amount: "1.03", account: [outside] }),
      "select id from external_transactions where organization_id = $1 and amount_in_cents = 103",
    ],
  ];
  const beginnings: Date[] = [];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom(...searches),
      // So few that reading often ends before a page is full.
      fc.integer({ min: 8, max: 20 }),
      async (arrivals, pageSize, [tab, search, text], maximumRowsRead) => {
        // Bounds the rows left by earlier runs; a list of thousands of one-row pages would show nothing else.
        clock.advance(1);
        beginnings.push(clock.now());
        const from = beginnings.at(-8) ?? beginnings[0] ?? null;
        for (const kind of arrivals) {
          // Several share a millisecond, so only the IDs order them.
          if (kind % 2 === 0) clock.advance(1);
          await insert(clock.now(), kind);
        }
        const column = tab === "OUTSIDE" ? "transaction_date" : "created_at";
        const { rows } = await database.ownerPool.query<{ id: string }>(`${text} and ${column} >= $2`, [
          organizationId,
          from,
        ]);
        const there = new Set(rows.map(({ id }) => id));
        const window = { from, to: null };
        const look: MovementLook = { organizationId, now: clock.now(), search, window, maximumRowsRead };
        const met: string[] = [];
        let page = await readMovementPage(services.pool, tab, look, null, pageSize);
        for (let turn = 0; turn < 1_000; turn += 1) {
          met.push(...page.ids);
          if (page.olderThan === null) break;
          clock.advance(1);
          if (turn < MAXIMUM_ARRIVALS) await insert(clock.now(), turn);
          page = await readMovementPage(
            services.pool,
            tab,
            look,
            { side: "OLDER", beyond: page.olderThan },
            pageSize,
          );
          if (page.newerThan !== null && page.ids.length > 0) {
            const back = await readMovementPage(
              services.pool,
              tab,
              look,
              { side: "NEWER", beyond: page.newerThan },
              pageSize,
            );
            // A page that reaches the newest row becomes the first page, with the arrivals.
            const known = back.ids.filter((id) => there.has(id));
            if (back.newerThan !== null) expect(known).toEqual(met.slice(met.length - known.length));
          }
        }
        expect(met).toHaveLength(new Set(met).size);
        expect([...met].sort()).toEqual([...there].sort());
      },
    ),
    { seed: proofSeed, numRuns: proofSize(15, 200) },
  );
}, 120_000);

test("an ID sorts in a list by its time", () => {
  const at = new Date("2026-11-20T16:26:00.123Z");
  expect(newId(at) >= firstIdAt(at) && newId(at) <= lastIdAt(at)).toBe(true);
  expect(NOWHERE).toEqual({ before: null, after: null, open: null });
});
