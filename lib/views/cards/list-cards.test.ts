import { describe, expect, it } from "vitest";
import type { CardsSearch } from "@/lib/contract/search/list-search";
import { closeCard, freezeCard } from "@/lib/core/cards/set-card-status";
import { createTestCards } from "@/lib/testing/cards";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { listCards } from "@/lib/views/cards/list-cards";
import { readNewCard } from "@/lib/views/cards/read-new-card";

const database = useTestDatabase();

/** A pod with $1,000.00, on 15 January 2026. */
async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const pod = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 100_000 });
  const cards = createTestCards(database, services, organization);
  const list = (as = organization.owner, search: Partial<CardsSearch> = {}) =>
    listCards({ services, context: { ...as, now: clock.now() } }, cards.network, {
      page: 1,
      issued: null,
      ...search,
    });
  return { services, clock, organization, pod, cards, list };
}

describe("the list of cards", () => {
  it("shows what was spent this calendar month in the organization's zone, not last month's spending", async () => {
    const { clock, pod, cards, list } = await arrange();
    const cardId = await cards.issue({ accountId: pod, monthlyLimitInCents: 50_000 });
    await cards.ask(cardId, 12_345, "A");
    const read = async () => (await list()).cards[0];
    expect(await read()).toMatchObject({ id: cardId, monthlyLimitInCents: 50_000, spentInCents: 12_345 });
    // Still 31 January in New York.
    clock.set(new Date("2026-02-01T04:59:59.999Z"));
    expect(await read()).toMatchObject({ spentInCents: 12_345 });
    clock.set(new Date("2026-02-01T05:00:00.000Z"));
    expect(await read()).toMatchObject({ spentInCents: 0 });
  });

  it("lists frozen cards with the others and closed ones separately, for a viewer too", async () => {
    const { services, organization, pod, cards, list } = await arrange();
    const viewer = await organization.addMember("VIEWER", "Tomas");
    await cards.issue({ accountId: pod, name: "Studio", holderId: viewer.actor.id });
    const ads = await cards.issue({ accountId: pod, name: "Ads" });
    const old = await cards.issue({ accountId: pod, name: "Old" });
    await freezeCard(services, viewer, ads);
    await closeCard(services, organization.owner, old);
    const seen = await list(viewer);
    expect(seen.viewer).toEqual({ canDecide: false, hasPasskey: false });
    expect(seen.cards.map(({ name, status, holderName }) => [name, status, holderName])).toEqual([
      ["Studio", "ACTIVE", "Tomas"],
      ["Ads", "FROZEN", null],
    ]);
    expect(seen.closed.map(({ name }) => name)).toEqual(["Old"]);
    expect(seen.isSandbox).toBe(true);
  });

  it("is paged: each card once, closed ones last, and counts cover all", async () => {
    const { services, organization, pod, cards, list } = await arrange();
    const issued: string[] = [];
    for (let number = 0; number < 26; number++) issued.push(await cards.issue({ accountId: pod }));
    const [closed, frozen, last] = [issued[0] ?? "", issued[1] ?? "", issued[25] ?? ""];
    await closeCard(services, organization.owner, closed);
    await freezeCard(services, organization.owner, frozen);
    const first = await list();
    const second = await list(organization.owner, { page: 2 });
    expect([...first.cards, ...second.cards].map(({ id }) => id)).toEqual(issued.slice(1));
    expect(first.cards.length).toBe(24);
    expect(first.closed).toEqual([]);
    expect(second.closed.map(({ id }) => id)).toEqual([closed]);
    for (const page of [first, second]) expect(page).toMatchObject({ count: 26, activeCount: 24 });
    expect([first.previousHref, first.nextHref]).toEqual([null, "/cards?page=2"]);
    expect([second.previousHref, second.nextHref, second.firstPosition]).toEqual(["/cards", null, 25]);
    // Past the end, the way back is the last page.
    expect(await list(organization.owner, { page: 9 })).toMatchObject({
      cards: [],
      closed: [],
      previousHref: "/cards?page=2",
      nextHref: null,
    });
    // The card just issued is highlighted on any page; one that cannot spend is not.
    expect((await list(organization.owner, { issued: last })).issued).toMatchObject({ id: last });
    expect((await list(organization.owner, { issued: closed })).issued).toBeNull();
  });

  it("shows no card, pod or member of another organization", async () => {
    const { pod, cards, list } = await arrange();
    await cards.issue({ accountId: pod });
    const other = await arrange();
    const [card] = (await list()).cards;
    expect(await other.list(other.organization.owner, { issued: card?.id ?? null })).toMatchObject({
      cards: [],
      count: 0,
      issued: null,
    });
    const { pods, members } = await readNewCard(
      { services: other.services, context: other.organization.owner },
      other.cards.network,
    );
    expect(pods).toEqual([{ id: other.pod, name: "Operating" }]);
    expect(members).toEqual([{ id: other.organization.owner.actor.id, name: "Mara" }]);
  });
});
