import { describe, expect, it } from "vitest";
import type { ReviewMark } from "@/lib/contract/approvals/review";
import { MAXIMUM_DECIDED_TOGETHER } from "@/lib/contract/limits";
import { EVERY_WAITING, type QueueSearch, REVIEW_END } from "@/lib/contract/search/queue-search";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { markProposal } from "@/lib/core/approvals/review-marks";
import { closeGates } from "@/lib/core/keys/switch-gates";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { askTransfer, moveAnything, readEverything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { readQueue } from "@/lib/views/approvals/read-queue";
import { type ReviewEndView, type ReviewProposalView, readReview } from "@/lib/views/approvals/read-review";

const database = useTestDatabase();

async function arrange({ balanceInCents = 1_000_000, floorInCents = 800_000 } = {}) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents,
    floorInCents,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const profit = await organization.addAccount({ name: "Profit", type: "POD" });
  const key = await organization.addKey([...readEverything, moveAnything(true)], "claude-bookkeeping");
  const propose = async (amountInCents: number, destinationAccountId = taxes) => {
    clock.advance(60_000);
    const { id } = await askTransfer(services, key.context, {
      sourceAccountId: operating,
      destinationAccountId,
      amountInCents,
      reasonForApproval: "An invoice",
    });
    return id;
  };
  const now = (member: Context<MemberActor> = organization.owner) => ({
    ...member,
    now: clock.now(),
    actor: { ...member.actor, authenticatedAt: clock.now() },
  });
  const reading = (member?: Context<MemberActor>) => ({
    services,
    context: now(member),
    time: { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" },
  });
  const review = (
    at: string | null = null,
    search: Partial<QueueSearch> = {},
    member?: Context<MemberActor>,
  ) => readReview(reading(member), { ...EVERY_WAITING, ...search }, at);
  const open = async (at: string | null = null): Promise<ReviewProposalView> => {
    const view = await review(at);
    if (view?.kind !== "PROPOSAL") throw new Error("a proposal was expected");
    return view;
  };
  const end = async (): Promise<ReviewEndView["end"]> => {
    const view = await review(REVIEW_END);
    if (view?.kind !== "END") throw new Error("the end was expected");
    return view.end;
  };
  /** Marks it as its page in the review shows it now. */
  const mark = async (proposalId: string, given: ReviewMark) => {
    const { approval } = await open(proposalId);
    await markProposal(services, now(), { proposalId, mark: given, digest: approval.digest });
  };
  return { services, organization, taxes, profit, propose, now, reading, review, open, end, mark };
}

describe("a review", () => {
  it("shows what waits one after the other, first what is not marked, then its end", async () => {
    const { propose, review, open, mark } = await arrange();
    const ids = [await propose(1_000), await propose(2_000), await propose(3_000)];
    expect((await open()).steps.map(({ id, mark: given }) => [id, given])).toEqual(
      ids.map((id) => [id, null]),
    );
    expect((await open()).approval.id).toBe(ids[0]);
    await mark(ids[0] ?? "", "APPROVE");
    await mark(ids[1] ?? "", "SKIPPED");
    expect((await open()).approval.id).toBe(ids[2]);
    expect((await open(ids[1] ?? "")).index).toBe(1);
    await mark(ids[2] ?? "", "DENY");
    expect(await review()).toMatchObject({ kind: "END" });
  });

  it("holds at most 50, under the filters of the queue, and is each member's own", async () => {
    const { organization, taxes, profit, propose, review, mark } = await arrange();
    const coOwner = await organization.addMember("CO_OWNER", "Jonas");
    for (let index = 0; index < MAXIMUM_DECIDED_TOGETHER + 1; index += 1) await propose(1_000 + index);
    const apart = await propose(900, profit);
    expect((await review())?.steps).toHaveLength(MAXIMUM_DECIDED_TOGETHER);
    expect((await review(null, { account: profit }))?.steps.map(({ id }) => id)).toEqual([apart]);
    expect((await review(null, { account: taxes }))?.steps).toHaveLength(MAXIMUM_DECIDED_TOGETHER);
    const first = (await review())?.steps[0]?.id ?? "";
    await mark(first, "APPROVE");
    expect((await review(first))?.steps[0]?.mark).toBe("APPROVE");
    expect((await review(first, {}, coOwner))?.steps[0]?.mark).toBeNull();
  });

  it("counts what is marked before a proposal into its balances, and names an account that would be low", async () => {
    const { propose, open, mark } = await arrange();
    const ids = [await propose(150_000), await propose(900_000), await propose(60_000)];
    await mark(ids[0] ?? "", "APPROVE");
    const third = await open(ids[2] ?? "");
    expect(third.markedBeforeCount).toBe(1);
    expect(third.balances[0]).toMatchObject({
      name: "Operating",
      nowInCents: 1_000_000,
      beforeInCents: -150_000,
      changeInCents: -60_000,
      afterInCents: 790_000,
    });
    expect(third.outlooks).toEqual([
      { accountName: "Operating", holdsInCents: 790_000, floorInCents: 800_000, marginInCents: -10_000 },
    ]);
    await mark(ids[1] ?? "", "APPROVE");
    expect((await open(ids[2] ?? "")).outlooks).toMatchObject([{ holdsInCents: -110_000 }]);
    expect((await open(ids[0] ?? "")).markedBeforeCount).toBe(0);
  });

  it("no longer counts a mark once what was shown has changed, and says what changed", async () => {
    const { propose, open, mark, end } = await arrange();
    const [one = ""] = [await propose(10_000)];
    await mark(one, "APPROVE");
    expect((await open(one)).changesSinceMarked).toBeNull();
    await propose(10_000);
    const changes = ["There is now a similar transfer in the last 24 hours."];
    expect((await open(one)).changesSinceMarked).toEqual(changes);
    expect(await end()).toMatchObject({
      approve: [],
      dropped: [{ id: one, cause: { kind: "CHANGED", changes } }],
    });
    await mark(one, "APPROVE");
    expect(await end()).toMatchObject({ approve: [{ id: one }], dropped: [] });
  });
});

describe("the end of a review", () => {
  it("groups what is approved, denied, skipped and not marked, with sums and what follows", async () => {
    const { profit, propose, mark, end } = await arrange();
    const ids = [
      await propose(10_000),
      await propose(20_000),
      await propose(30_000, profit),
      await propose(40_000),
    ];
    await mark(ids[0] ?? "", "APPROVE");
    await mark(ids[2] ?? "", "APPROVE");
    await mark(ids[1] ?? "", "DENY");
    await mark(ids[3] ?? "", "SKIPPED");
    const fifth = await propose(50_000, profit);
    await mark(ids[2] ?? "", "APPROVE");
    const view = await end();
    expect(view).toMatchObject({
      approve: [{ id: ids[0] }, { id: ids[2] }],
      deny: [{ id: ids[1] }],
      skipped: [{ id: ids[3] }],
      unmarked: [{ id: fifth }],
      dropped: [],
      approvedInCents: 40_000,
      deniedInCents: 20_000,
      followsInCents: 0,
      laterInCents: 0,
      sourceNames: ["Operating"],
    });
    expect(view.balances[0]).toMatchObject({
      name: "Operating",
      changeInCents: -40_000,
      afterInCents: 960_000,
    });
    expect(view.together).toMatchObject({ changeInCents: 0 });
  });

  it("says why a marked proposal dropped out: another member decided it, no money is left, the gates are closed", async () => {
    const { services, organization, propose, now, mark, end } = await arrange({ floorInCents: 0 });
    const coOwner = await organization.addMember("CO_OWNER", "Jonas");
    const ids = [await propose(600_000), await propose(500_000), await propose(1_000)];
    for (const id of ids) await mark(id, "APPROVE");
    await decideProposal(services, now(coOwner), {
      proposalId: ids[2] ?? "",
      decision: "DENY",
      digest: "",
      note: null,
      confirmation: { kind: "NONE" },
    });
    const { approve, dropped } = await end();
    expect(approve.map(({ id }) => id)).toEqual([ids[0]]);
    expect(dropped).toMatchObject([
      { id: ids[1], cause: { kind: "BLOCKED", isByItself: false } },
      { id: ids[2], isOver: true, cause: { kind: "OVER", status: "DENIED", byName: coOwner.actor.name } },
    ]);
    await closeGates(services, now());
    expect((await end()).dropped[0]).toMatchObject({ id: ids[0], cause: { kind: "LEFT" } });
  });

  it("is offered by the queue with the number of those that it holds and that are marked", async () => {
    const { propose, reading, mark } = await arrange();
    const ids = [await propose(1_000), await propose(2_000), await propose(3_000), await propose(4_000)];
    const review = async () => (await readQueue(reading(), EVERY_WAITING)).groups;
    expect(await review()).toMatchObject({ review: { count: 4, markedCount: 0 } });
    await mark(ids[1] ?? "", "DENY");
    expect(await review()).toMatchObject({
      review: { count: 4, markedCount: 1 },
      sections: [{ review: { count: 4, markedCount: 1 } }],
    });
  });
});
