import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { pageOf } from "@/lib/contract/page";
import { withSummary } from "@/lib/contract/search/list-filters";
import { cardTransactionSchema } from "@/lib/contract/transactions";
import { createTestApi, readEverything } from "@/lib/testing/api";
import { createTestCards } from "@/lib/testing/cards";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

const HOUR_MS = 3_600_000;
const listed = z.object({ data: pageOf(cardTransactionSchema).extend(withSummary) });

/** Two pods with a card each; a purchase, a refund and a payout, an hour apart; an open and a declined purchase. */
async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 100_000,
  });
  const travel = await organization.addAccount({ name: "Travel", type: "POD", balanceInCents: 50_000 });
  const play = createTestCards(database, services, organization);
  const studioCard = await play.issue({ accountId: operating });
  const travelCard = await play.issue({ accountId: travel, cardType: "OMNI_CARD" });
  const start = clock.now();
  await play.ask(studioCard, 4_900, "A");
  await play.report({
    kind: "SETTLED",
    cardId: studioCard,
    amountInCents: 4_900,
    reference: "S",
    authorization: "A",
  });
  clock.advance(HOUR_MS);
  await play.report({ kind: "REFUND", cardId: travelCard, amountInCents: 1_250, reference: "R" });
  clock.advance(HOUR_MS);
  await play.report({ kind: "PAYOUT", cardId: studioCard, amountInCents: 70_000, reference: "P" });
  await play.ask(studioCard, 1_000, "B");
  await play.ask(studioCard, 10_000_000, "C");
  const key = await organization.addKey(readEverything);
  const travelKey = await organization.addKey([{ type: "READ_TRANSFERS", accounts: [travel] }]);
  const call = createTestApi(services);
  const list = async (query = "", keyText = key.text) => {
    const response = await call(keyText, "GET", `/card-transactions${query}`);
    const data = listed.safeParse(response.body).data?.data;
    return { ...response, subtypes: data?.items.map((item) => item.subtype), data };
  };
  return { organization, operating, travel, studioCard, travelCard, start, key, travelKey, call, list };
}

let world: Awaited<ReturnType<typeof arrange>>;
beforeEach(async () => {
  world = await arrange();
});

describe("GET /card-transactions", () => {
  it("lists what has settled, newest first, in the shape of the specification; neither holds nor declines", async () => {
    const { list, studioCard, operating, start } = world;
    const { status, data, subtypes } = await list();
    expect(status).toBe(200);
    expect(subtypes).toEqual(["PAYOUT", "REFUND", "PURCHASE"]);
    expect(data?.items[2]).toMatchObject({
      cardId: studioCard,
      cardType: "DEBIT_CARD",
      account: { id: operating, name: "Operating", type: "POD", isDeleted: false },
      direction: "MONEY_OUT",
      status: "COMPLETE",
      amountInCents: 4_900,
      description: "Harbor Cloud",
      createdAt: start.toISOString(),
    });
    expect(data?.items[1]).toMatchObject({ cardType: "OMNI_CARD", direction: "MONEY_IN" });
    expect(data?.pagination).toEqual({ page: 1, pageSize: 10, hasNextPage: false });
  });

  it("filters by card, by accounts and by both; a card that is unknown, or another organization's, has none", async () => {
    const { list, studioCard, travelCard, operating, travel } = world;
    expect((await list(`?cardId=${travelCard}`)).subtypes).toEqual(["REFUND"]);
    expect((await list(`?accountId=${operating}`)).subtypes).toEqual(["PAYOUT", "PURCHASE"]);
    expect((await list(`?accountId=${operating}&accountId=${travel}`)).subtypes).toEqual([
      "PAYOUT",
      "REFUND",
      "PURCHASE",
    ]);
    expect((await list(`?accountId=${travel}&cardId=${studioCard}`)).subtypes).toEqual([]);
    expect((await list(`?cardId=${randomUUID()}`)).subtypes).toEqual([]);
    const other = await arrange();
    expect((await list(`?cardId=${other.studioCard}`)).subtypes).toEqual([]);
  });

  it("filters by when it was recorded, both ends inclusive, without a window", async () => {
    const { list, start } = world;
    const at = (hours: number) => new Date(start.getTime() + hours * HOUR_MS).toISOString();
    expect((await list(`?from=${at(0)}&to=${at(1)}`)).subtypes).toEqual(["REFUND", "PURCHASE"]);
    expect((await list(`?from=${at(1)}`)).subtypes).toEqual(["PAYOUT", "REFUND"]);
    expect((await list("?from=2020-01-01T00:00:00Z")).data).not.toHaveProperty("window");
    expect((await list("?from=2020-01-01T00:00:00Z")).subtypes).toHaveLength(3);
  });

  it("cuts pages that follow each other without gap or repetition", async () => {
    const { list, operating, travel } = world;
    for (const filter of ["", `&accountId=${operating},${travel}`]) {
      const pages = [];
      for (const page of [1, 2, 3, 4]) pages.push(await list(`?pageSize=1&page=${page}${filter}`));
      expect(pages.map((page) => page.subtypes)).toEqual([["PAYOUT"], ["REFUND"], ["PURCHASE"], []]);
      expect(pages.map((page) => page.data?.pagination)).toMatchObject([
        { hasNextPage: true },
        { hasNextPage: true },
        { hasNextPage: false },
        { hasNextPage: false },
      ]);
    }
  });

  it("shows a key with a list only those accounts, and refuses others", async () => {
    const { list, travelKey, operating, studioCard } = world;
    expect((await list("", travelKey.text)).subtypes).toEqual(["REFUND"]);
    expect((await list(`?cardId=${studioCard}`, travelKey.text)).subtypes).toEqual([]);
    const refused = await list(`?accountId=${operating}`, travelKey.text);
    expect(refused).toMatchObject({ status: 403, body: { error: { code: "ACCESS_DENIED" } } });
  });

  it("names an account that the organization does not have", async () => {
    const other = await arrange();
    for (const id of [randomUUID(), other.operating]) {
      const response = await world.list(`?accountId=${id}`);
      expect(response).toMatchObject({ status: 404, body: { error: { code: "ACCOUNT_NOT_FOUND" } } });
    }
  });

  it.each([
    "?cardId=7",
    "?accountId=x",
    "?from=yesterday",
    "?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z",
    "?card=1",
  ])("refuses %s", async (query) => {
    const response = await world.list(query);
    expect(response).toMatchObject({ status: 400, body: { error: { code: "INVALID_PARAMETERS" } } });
  });

  it("needs READ_TRANSFERS, and is audited without an action", async () => {
    const { organization, call } = world;
    const key = await organization.addKey([{ type: "READ_ACCOUNTS", accounts: "ALL" }]);
    const response = await call(key.text, "GET", "/card-transactions");
    expect(response).toMatchObject({ status: 403, body: { error: { code: "ACCESS_DENIED" } } });
    const { rows } = await database.pool.query(
      "select action, path, outcome from audit_entries where organization_id = $1 and api_key_id = $2",
      [organization.organizationId, key.id],
    );
    expect(rows).toEqual([{ action: null, path: "/platform/v1/card-transactions", outcome: "FAILURE" }]);
  });
});

describe("GET /card-transactions/{id}", () => {
  it("reads one, by a key that may read its account", async () => {
    const { call, key, travelKey, list } = world;
    const [payout, refund] = (await list()).data?.items ?? [];
    const read = (keyText: string, id = "") => call(keyText, "GET", `/card-transactions/${id}`);
    expect(await read(key.text, payout?.id)).toMatchObject({ status: 200, body: { data: payout } });
    expect(await read(travelKey.text, refund?.id)).toMatchObject({ status: 200, body: { data: refund } });
    expect(await read(travelKey.text, payout?.id)).toMatchObject({
      status: 403,
      body: { error: { code: "ACCESS_DENIED" } },
    });
  });

  it("is 404 for one that is unknown, no UUID, or another organization's", async () => {
    const other = await arrange();
    const theirs = (await other.list()).data?.items[0]?.id;
    for (const id of [randomUUID(), "nonsense", theirs]) {
      const response = await world.call(world.key.text, "GET", `/card-transactions/${id}`);
      expect(response).toMatchObject({
        status: 404,
        body: { error: { code: "CARD_TRANSACTION_NOT_FOUND" } },
      });
    }
  });
});
