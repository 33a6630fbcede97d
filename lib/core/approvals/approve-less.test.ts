import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DecideInput } from "@/lib/contract/confirmation/decision";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { proposeMoveBack } from "@/lib/core/approvals/propose-move-back";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { createTestApi, moveAnything, readEverything } from "@/lib/testing/api";
import { auditBooks } from "@/lib/testing/conservation";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";

/**
 * Goal: a member approves less than a program asked, never more, never another party, and exactly what the page showed;
 * the program sees both amounts. Method: over the API and the page's own reader, with random amounts and races.
 */
const database = useTestDatabase();

const ASKED = 425_000;

async function arrange({ balanceInCents = 1_000_000 } = {}) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey([...readEverything, moveAnything(true)], "claude-bookkeeping");
  const call = createTestApi(services);
  const propose = async (amountInCents = ASKED): Promise<string> => {
    const { body } = await call(key.text, "POST", "/transfers", {
      body: { sourceAccountId: operating, destinationAccountId: taxes, amountInCents },
    });
    return Object(body).data.id;
  };
  const at = (member: Context<MemberActor>) => ({
    ...member,
    now: clock.now(),
    actor: { ...member.actor, authenticatedAt: clock.now() },
  });
  const look = async (id: string, less: number | null = null, member = organization.owner) => {
    const time = { nowAt: clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
    const view = await getApproval({ services, context: at(member), time }, id, less);
    if (view?.kind !== "TRANSFER") throw new Error("no such proposal");
    return view;
  };
  const decide = (id: string, input: Partial<DecideInput>, member = organization.owner) =>
    decideProposal(services, at(member), {
      proposalId: id,
      decision: "APPROVE",
      digest: "",
      note: null,
      confirmation: { kind: "NONE" },
      ...input,
    });
  const approve = async (id: string, less: number, member = organization.owner) =>
    decide(id, { approvedAmountInCents: less, digest: (await look(id, less, member)).digest }, member);
  const read = async (id: string) => Object((await call(key.text, "GET", `/transfers/${id}`)).body).data;
  const balances = async () => {
    const { rows } = await database.pool.query<{ cents: number }>(
      `select credits_in_cents - debits_in_cents as cents from ledgers
        where organization_id = $1 and id = any ($2) order by array_position($2, id)`,
      [organization.organizationId, [operating, taxes]],
    );
    return rows.map(({ cents }) => Number(cents));
  };
  return { services, clock, organization, key, call, propose, look, decide, approve, read, balances };
}

describe("approving less", () => {
  it("moves the lower amount, and the program sees both", async () => {
    const { propose, approve, read, look, balances } = await arrange();
    const id = await propose();
    expect(await approve(id, 300_000)).toEqual({ kind: "DECIDED" });
    expect(await balances()).toEqual([700_000, 300_000]);
    expect(await read(id)).toMatchObject({
      status: "COMPLETE",
      amountInCents: ASKED,
      approvedAmountInCents: 300_000,
      decision: { outcome: "APPROVED" },
    });
    expect(await look(id)).toMatchObject({ amountInCents: 300_000, requestedAmountInCents: ASKED });
  });

  it("shows what the lower amount would do before it is approved, and writes nothing", async () => {
    const { propose, look, read, balances } = await arrange({ balanceInCents: 400_000 });
    const id = await propose();
    const whole = await look(id);
    expect(whole.checks).toContainEqual(expect.objectContaining({ kind: "ENOUGH_MONEY", outcome: "BLOCKS" }));
    const less = await look(id, 300_000);
    expect(less).toMatchObject({ amountInCents: 300_000, requestedAmountInCents: ASKED });
    expect(less.checks).toContainEqual({
      kind: "LESS",
      outcome: "LOOK",
      requestedAmountInCents: ASKED,
      amountInCents: 300_000,
    });
    expect(less.checks).toContainEqual(expect.objectContaining({ kind: "ENOUGH_MONEY", outcome: "CLEAR" }));
    expect(less.source.afterInCents).toBe(100_000);
    expect(less.digest).not.toBe(whole.digest);
    expect((await look(id)).digest).toBe(whole.digest);
    expect(await read(id)).toMatchObject({ amountInCents: ASKED, approvedAmountInCents: null });
    expect(await balances()).toEqual([400_000, 0]);
  });

  it.each([ASKED, ASKED + 1, Number.MAX_SAFE_INTEGER])("never raises: %d is not less", async (amount) => {
    const { propose, look, decide, balances } = await arrange();
    const id = await propose();
    const view = await look(id, amount);
    expect(view).toMatchObject({ amountInCents: ASKED, requestedAmountInCents: null });
    expect(await decide(id, { approvedAmountInCents: amount, digest: view.digest })).toMatchObject({
      kind: "CHANGED",
    });
    expect(await balances()).toEqual([1_000_000, 0]);
  });

  it("counts only for the amount that was shown", async () => {
    const { propose, look, decide, read } = await arrange();
    const id = await propose();
    const [whole, less] = [await look(id), await look(id, 300_000)];
    const changed = { kind: "CHANGED", changes: ["Taxes would get $2,000.00, not $3,000.00."] };
    expect(await decide(id, { approvedAmountInCents: 200_000, digest: less.digest })).toEqual(changed);
    expect(await decide(id, { digest: less.digest })).toMatchObject({ kind: "CHANGED" });
    expect(await decide(id, { approvedAmountInCents: 300_000, digest: whole.digest })).toMatchObject({
      kind: "CHANGED",
    });
    expect(await read(id)).toMatchObject({ status: "APPROVAL_PENDING", amountInCents: ASKED });
  });

  it("is another act for a passkey: the digest is in its challenge", async () => {
    const { propose, look } = await arrange();
    const id = await propose();
    const digests = [await look(id), await look(id, 300_000), await look(id, 300_001)].map(
      ({ digest }) => digest,
    );
    expect(new Set(digests).size).toBe(3);
  });

  it("does not lower what a member denies, and refuses what was asked when it is asked again", async () => {
    const { propose, decide, read, call, key } = await arrange();
    const id = await propose();
    const reason = { kind: "DO_NOT_ASK_AGAIN" as const, text: null, notBefore: null };
    const denial = { decision: "DENY" as const, approvedAmountInCents: 300_000, reason };
    expect(await decide(id, denial)).toEqual({ kind: "DECIDED" });
    const transfer = await read(id);
    expect(transfer).toMatchObject({
      status: "APPROVAL_DENIED",
      amountInCents: ASKED,
      approvedAmountInCents: null,
    });
    const again = await call(key.text, "POST", "/transfers", {
      body: {
        sourceAccountId: transfer.source.id,
        destinationAccountId: transfer.destination.id,
        amountInCents: ASKED,
      },
    });
    expect(Object(again.body).error.code).toBe("REPEATS_DENIAL");
  });

  it("is refused for a transfer that moves another back", async () => {
    const { services, clock, organization, propose, look, decide, approve } = await arrange();
    const id = await propose();
    await decide(id, { digest: (await look(id)).digest });
    const member = { ...organization.owner, now: clock.now() };
    const back = await proposeMoveBack(services, member, { transferId: id, reason: "Twice" });
    expect(await approve(back, 100_000)).toMatchObject({ kind: "REFUSED" });
  });

  it("lists both amounts, and finds it by what moved", async () => {
    const { propose, approve, call, key, read } = await arrange();
    const id = await propose();
    await approve(id, 300_000);
    const of = `accountId=${(await read(id)).source.id}&summary=true`;
    const path = `/transfers?${of}&minimumAmountInCents=300000&maximumAmountInCents=300000`;
    const { items, summary } = Object((await call(key.text, "GET", path)).body).data;
    expect(items).toEqual([
      expect.objectContaining({ id, amountInCents: ASKED, approvedAmountInCents: 300_000 }),
    ]);
    expect(summary.sumInCents).toBe(300_000);
  });

  it("has one winner when two members approve different amounts at once", async () => {
    const { organization, propose, look, decide, balances } = await arrange();
    const jonas = await organization.addMember("CO_OWNER", "Jonas");
    const id = await propose();
    const [mine, theirs] = [await look(id, 300_000), await look(id, 100_000, jonas)];
    const results = await Promise.all([
      decide(id, { approvedAmountInCents: 300_000, digest: mine.digest }),
      decide(id, { approvedAmountInCents: 100_000, digest: theirs.digest }, jonas),
    ]);
    expect(results.map(({ kind }) => kind).sort()).toEqual(["ALREADY_DECIDED", "DECIDED"]);
    const moved = results[0].kind === "DECIDED" ? 300_000 : 100_000;
    expect(await balances()).toEqual([1_000_000 - moved, moved]);
  });

  it("moves exactly what was approved, whatever is asked and approved", async () => {
    const { propose, approve, balances, organization, clock } = await arrange({
      balanceInCents: 2_000_000_000,
    });
    const amounts = fc.record({
      asked: fc.integer({ min: 200, max: 100_000 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    let moved = 0;
    await fc.assert(
      fc.asyncProperty(amounts, async ({ asked, share }) => {
        const less = Math.max(100, Math.floor(asked * share));
        // A key may send 100 requests a minute.
        clock.advance(1_000);
        const result = await approve(await propose(asked), less);
        if (less >= asked) expect(result).toMatchObject({ kind: "CHANGED" });
        else {
          expect(result).toEqual({ kind: "DECIDED" });
          moved += less;
        }
        expect(await balances()).toEqual([2_000_000_000 - moved, moved]);
      }),
      { numRuns: proofSize(15, 300), seed: proofSeed },
    );
    expect(await auditBooks(database, organization.organizationId)).toMatchObject({
      wrongLedgers: [],
      wrongHolds: [],
      unbookedCauses: [],
      negative: [],
    });
  });
});
