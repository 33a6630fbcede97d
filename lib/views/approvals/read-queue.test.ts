import { describe, expect, it } from "vitest";
import { EVERY_WAITING, type QueueSearch, queueHref } from "@/lib/contract/search/queue-search";
import { queueSearchSchema } from "@/lib/contract/search/search-schemas";
import type { ApiKeyActor, Context } from "@/lib/core/shared/context";
import { askTransfer, moveAnything, readEverything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { readQueue } from "@/lib/views/approvals/read-queue";

const database = useTestDatabase();

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 1_000_000,
    floorInCents: 800_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const print = await organization.addAccount({ name: "Redline Print", type: "EXTERNAL_ACCOUNT" });
  const keyOf = async (name: string) =>
    (await organization.addKey([...readEverything, moveAnything(true)], name)).context;
  const propose = async (
    context: Context<ApiKeyActor>,
    destinationAccountId: string,
    amountInCents: number,
  ) => {
    clock.advance(60_000);
    const transfer = await askTransfer(
      services,
      { ...context, now: clock.now() },
      { sourceAccountId: operating, destinationAccountId, amountInCents, reasonForApproval: "An invoice" },
    );
    return transfer.id;
  };
  const read = (search: Partial<QueueSearch> = {}, member = organization.owner) =>
    readQueue(
      {
        services,
        context: { ...member, now: clock.now() },
        time: { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" },
      },
      { ...EVERY_WAITING, ...search },
    );
  return { services, organization, operating, taxes, print, keyOf, propose, read };
}

describe("what waits", () => {
  it("is one list up to three proposals, and grouped by requester and route from four on", async () => {
    const { taxes, print, keyOf, propose, read } = await arrange();
    const [one, other] = [await keyOf("claude-bookkeeping"), await keyOf("ops-payroll")];
    await propose(one, print, 18_400);
    await propose(other, taxes, 50_000);
    await propose(one, print, 9_600);
    expect(await read()).toMatchObject({ waitingCount: 3, groups: null });
    await propose(one, taxes, 20_000);

    const { waiting, groups } = await read();
    expect(waiting.map(({ subject }) => subject.amountInCents)).toEqual([18_400, 50_000, 9_600, 20_000]);
    // Of requesters and of routes, what closes first comes first.
    expect(
      groups?.sections.map(({ requesterName, count, sumInCents, routes }) => [
        requesterName,
        count,
        sumInCents,
        routes.map(({ subject, proposals, sumInCents: sum }) => [
          subject.kind === "TRANSFER" && subject.destinationName,
          proposals.length,
          sum,
        ]),
      ]),
    ).toEqual([
      [
        "claude-bookkeeping",
        3,
        48_000,
        [
          ["Redline Print", 2, 28_000],
          ["Taxes", 1, 20_000],
        ],
      ],
      ["ops-payroll", 1, 50_000, [["Taxes", 1, 50_000]]],
    ]);
    expect(groups).toMatchObject({ sumInCents: 98_000, leavesInCents: 28_000, requesterCount: 2 });
  });

  it("says what the account closest to its floor would hold if all of it were approved", async () => {
    const { taxes, keyOf, propose, read } = await arrange();
    const key = await keyOf("ops");
    for (const amount of [50_000, 50_000, 50_000, 49_000]) await propose(key, taxes, amount);
    expect((await read()).groups?.outlook).toEqual({
      accountName: "Operating",
      holdsInCents: 801_000,
      floorInCents: 800_000,
      marginInCents: 1_000,
    });
    await propose(key, taxes, 1_001);
    expect((await read()).groups?.outlook).toMatchObject({ marginInCents: -1 });
  });

  it("is narrowed by requester, kind, account and amount, and sums follow", async () => {
    const { taxes, print, keyOf, propose, read } = await arrange();
    const [one, other] = [await keyOf("claude-bookkeeping"), await keyOf("ops-payroll")];
    for (const amount of [10_000, 20_000, 30_000]) await propose(one, print, amount);
    await propose(other, taxes, 40_000);
    const narrowed = async (search: Partial<QueueSearch>) => {
      const { groups, waitingCount } = await read(search);
      expect(waitingCount).toBe(4);
      return groups?.sumInCents;
    };
    expect(await narrowed({ requester: other.actor.id })).toBe(40_000);
    expect(await narrowed({ kind: "run" })).toBe(0);
    expect(await narrowed({ kind: "transfer" })).toBe(100_000);
    expect(await narrowed({ account: print })).toBe(60_000);
    expect(await narrowed({ least: 20_000 })).toBe(90_000);
    expect(await narrowed({ least: 20_000, most: 30_000 })).toBe(50_000);
    const { groups } = await read({ requester: other.actor.id });
    expect(groups?.requesters.map(({ name }) => name)).toEqual(["claude-bookkeeping", "ops-payroll"]);
  });

  it("is of the own organization only", async () => {
    const { taxes, keyOf, propose } = await arrange();
    const key = await keyOf("ops");
    for (const amount of [1_000, 2_000, 3_000, 4_000]) await propose(key, taxes, amount);
    const stranger = await arrange();
    expect(await stranger.read()).toMatchObject({ waiting: [], waitingCount: 0, groups: null });
    expect(await stranger.read({ requester: key.actor.id, account: taxes })).toMatchObject({
      waiting: [],
      groups: { requesters: [], accounts: [], sections: [] },
    });
  });
});

describe("the address of what waits", () => {
  it("gives the filters back, and ignores what it cannot read", () => {
    const search = { ...EVERY_WAITING, kind: "run", least: 125_050, most: 900_000 } as const;
    const query = Object.fromEntries(new URL(queueHref(search), "http://x").searchParams);
    expect(query).toEqual({ kind: "run", least: "1250.50", most: "9000.00" });
    expect(queueSearchSchema.parse(query)).toEqual(search);
    expect(queueSearchSchema.parse({ kind: "card", least: "abc", requester: "me" })).toEqual(EVERY_WAITING);
    expect(queueSearchSchema.parse({ least: "9", most: "1" })).toMatchObject({ least: 100, most: 900 });
  });
});
