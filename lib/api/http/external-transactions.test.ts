import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "@/lib/platform/ids";
import { createTestApi } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();
let arranged: Awaited<ReturnType<typeof arrange>>;
beforeEach(async () => {
  arranged = await arrange();
});

const DAY_MS = 86_400_000;

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const checking = await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" });
  const card = await organization.addAccount({
    name: "Card",
    type: "EXTERNAL_ACCOUNT",
    externalAccountType: "LIABILITY",
  });
  const now = clock.now();
  const add = async (
    accountId: string,
    daysAgo: number,
    more: { direction?: string; status?: string; isVanished?: boolean } = {},
  ) => {
    const id = newId(now);
    await database.pool.query(
      `insert into external_transactions (organization_id, id, account_id, provider_transaction_id, amount_in_cents,
          direction, status, description, transaction_date, merchant_name, category, created_at, updated_at, vanished_at)
       values ($1, $2::uuid, $3, $2::text, 1234, $4, $5, 'BAKERY 1', $6, 'Bakery', 'FOOD_AND_DRINK', $7, $7, $8)`,
      [
        organization.organizationId,
        id,
        accountId,
        more.direction ?? "MONEY_OUT",
        more.status ?? "COMPLETE",
        new Date(now.getTime() - daysAgo * DAY_MS),
        now,
        more.isVanished ? now : null,
      ],
    );
    return id;
  };
  const api = createTestApi(services);
  const readAll = await organization.addKey([{ type: "READ_TRANSFERS", accounts: "ALL" }], "all");
  const readCard = await organization.addKey([{ type: "READ_TRANSFERS", accounts: [card] }], "card");
  const list = async (query: string, key = readAll.text) => {
    const { status, body } = await api(key, "GET", `/external-transactions${query}`);
    return { status, body };
  };
  return { organization, checking, card, now, add, api, readAll, readCard, list };
}

const page = (ids: string[], more: Record<string, unknown> = {}) => ({
  status: 200,
  body: {
    data: {
      items: ids.map((id) => expect.objectContaining({ id })),
      pagination: { page: 1, pageSize: 10, hasNextPage: false },
      window: expect.any(Object),
      summary: null,
      ...more,
    },
    requestId: expect.any(String),
  },
});
const refusal = (status: number, code: string) => ({
  status,
  body: { error: expect.objectContaining({ code }) },
});

describe("GET /external-transactions", () => {
  it("lists what moved on all accounts that the key may read, newest first, and nothing that vanished", async () => {
    const { checking, card, add, list, readCard } = arranged;
    const oldest = await add(checking, 30);
    const newest = await add(card, 1, { status: "PENDING" });
    await add(checking, 2, { isVanished: true, status: "PENDING" });
    const middle = await add(checking, 3, { direction: "MONEY_IN" });
    expect(await list("")).toEqual(page([newest, middle, oldest]));
    expect(await list("", readCard.text)).toEqual(page([newest]));
    expect(await list(`?accountId=${checking}`)).toEqual(page([middle, oldest]));
    expect(await list(`?accountId=${checking}&accountId=${card}&direction=MONEY_OUT`)).toEqual(
      page([newest, oldest]),
    );
    expect(await list("?status=PENDING")).toEqual(page([newest]));
    expect(await list("?direction=MONEY_IN&status=COMPLETE")).toEqual(page([middle]));
  });

  it("pages through all of them, each once, over several accounts and for a key with a list", async () => {
    const { checking, card, add, list, readCard } = arranged;
    const ids: string[] = [];
    for (let day = 1; day <= 23; day += 1) ids.push(await add(day % 2 ? checking : card, day));
    for (const query of ["?", `?accountId=${checking},${card}&`]) {
      const seen: string[] = [];
      for (const number of [1, 2, 3, 4]) {
        const { body } = await list(`${query}pageSize=7&page=${number}`);
        expect(body).toMatchObject({ data: { pagination: { page: number, hasNextPage: number < 4 } } });
        seen.push(...[...JSON.stringify(body).matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id ?? ""));
      }
      expect(seen).toEqual(ids);
    }
    expect(await list("?pageSize=100", readCard.text)).toMatchObject({
      body: { data: { items: { length: 11 } } },
    });
  });

  it("reaches back 90 days, and says when that is not as far as was asked", async () => {
    const { checking, now, add, list } = arranged;
    await add(checking, 91);
    const kept = await add(checking, 89);
    const earliest = new Date(now.getTime() - 90 * DAY_MS).toISOString();
    const window = { from: earliest, to: now.toISOString(), truncated: false };
    expect(await list("")).toEqual(page([kept], { window }));
    const asked = await list("?from=2020-01-01T00:00:00Z");
    expect(asked).toEqual(page([kept], { window: { ...window, truncated: true } }));
    expect(await list("?from=2026-01-14T00:00:00Z&to=2026-01-15T00:00:00Z")).toEqual(
      page([], {
        window: { from: "2026-01-14T00:00:00.000Z", to: "2026-01-15T00:00:00.000Z", truncated: false },
      }),
    );
    expect(await list("?from=2026-01-15T00:00:00Z&to=2026-01-14T00:00:00Z")).toEqual(
      refusal(400, "INVALID_PARAMETERS"),
    );
  });

  it("answers 404 for an account that is not there, then 403 for one outside the key's list", async () => {
    const { checking, list, readCard, api, organization } = arranged;
    expect(await list(`?accountId=${newId(arranged.now)}`)).toEqual(refusal(404, "ACCOUNT_NOT_FOUND"));
    expect(await list(`?accountId=${checking}`, readCard.text)).toEqual(refusal(403, "ACCESS_DENIED"));
    const elsewhere = await arrange();
    expect(await list(`?accountId=${elsewhere.checking}`)).toEqual(refusal(404, "ACCOUNT_NOT_FOUND"));
    const other = await organization.addKey([{ type: "READ_ACCOUNTS", accounts: "ALL" }]);
    expect(await api(other.text, "GET", "/external-transactions")).toMatchObject(
      refusal(403, "ACCESS_DENIED"),
    );
  });

  it("is audited without an action of its own", async () => {
    const { list, organization } = arranged;
    await list("");
    const { rows } = await database.ownerPool.query(
      "select path, action, outcome from audit_entries where organization_id = $1",
      [organization.organizationId],
    );
    expect(rows).toEqual([{ path: "/platform/v1/external-transactions", action: null, outcome: "SUCCESS" }]);
  });
});

describe("GET /external-transactions/{id}", () => {
  it("reads one, however old", async () => {
    const { checking, add, api, readAll } = arranged;
    const id = await add(checking, 300);
    expect(await api(readAll.text, "GET", `/external-transactions/${id.toUpperCase()}`)).toMatchObject({
      status: 200,
      body: {
        data: {
          id,
          accountId: checking,
          amountInCents: 1_234,
          direction: "MONEY_OUT",
          status: "COMPLETE",
          description: "BAKERY 1",
          transactionDate: new Date(arranged.now.getTime() - 300 * DAY_MS).toISOString(),
          merchantName: "Bakery",
          category: "FOOD_AND_DRINK",
        },
      },
    });
  });

  it("answers 404 for what is not there, vanished or another organization's, and 403 outside the key's list", async () => {
    const { checking, add, api, readAll, readCard } = arranged;
    const read = (id: string, key = readAll.text) => api(key, "GET", `/external-transactions/${id}`);
    const missing = refusal(404, "EXTERNAL_TRANSACTION_NOT_FOUND");
    expect(await read("no-uuid")).toMatchObject(missing);
    expect(await read(newId(arranged.now))).toMatchObject(missing);
    expect(await read(await add(checking, 1, { isVanished: true, status: "PENDING" }))).toMatchObject(
      missing,
    );
    const elsewhere = await arrange();
    expect(await read(await elsewhere.add(elsewhere.checking, 1))).toMatchObject(missing);
    expect(await read(await add(checking, 1), readCard.text)).toMatchObject(refusal(403, "ACCESS_DENIED"));
  });
});
