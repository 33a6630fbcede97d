import { expect, it } from "vitest";
import { z } from "zod";
import { listSummarySchema } from "@/lib/contract/search/list-filters";
import { createTestApi, moveAnything, readEverything } from "@/lib/testing/api";
import { createTestCards } from "@/lib/testing/cards";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

/** Lists are searched by text, amount, labels and sums, within what the key may read. */
const database = useTestDatabase();
const listed = z.object({
  data: z.object({
    items: z.array(z.object({ id: z.string(), amountInCents: z.int() })),
    summary: listSummarySchema.nullable(),
  }),
});

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 90_000_00,
  });
  const taxes = await organization.addAccount({ name: "Taxes 100%", type: "POD" });
  const rent = await organization.addAccount({ name: "Rent", type: "POD" });
  const key = await organization.addKey([...readEverything, moveAnything(false)]);
  const rentOnly = await organization.addKey([{ type: "READ_TRANSFERS", accounts: [rent] }]);
  const call = createTestApi(services);
  const move = async (destinationAccountId: string, amountInCents: number, more: object = {}) => {
    const body = { sourceAccountId: operating, destinationAccountId, amountInCents, ...more };
    const response = await call(key.text, "POST", "/transfers", { body });
    expect(response.status).toBe(202);
    clock.advance(1_000);
  };
  const list = async (query: string, keyText = key.text, path = "/transfers") => {
    const response = await call(keyText, "GET", `${path}?${query}`);
    const data = listed.safeParse(response.body).data?.data;
    return {
      status: response.status,
      amounts: data?.items.map((item) => item.amountInCents),
      summary: data?.summary,
    };
  };
  return { services, clock, organization, operating, taxes, rent, rentOnly, call, move, list, key };
}

it("finds transfers by label and by the name of either account, newest first and once", async () => {
  const { taxes, rent, move, list } = await arrange();
  await move(taxes, 100_00, { description: "Q4 TAX" });
  await move(rent, 200_00, { description: "RENT DEC" });
  await move(rent, 300_00);
  expect((await list("q=rent")).amounts).toEqual([300_00, 200_00]);
  expect((await list("q=q4%20t")).amounts).toEqual([100_00]);
  expect((await list("q=operat&direction=INTERNAL&pageSize=2&page=2")).amounts).toEqual([100_00]);
  // A wildcard is text.
  expect((await list("q=100%25")).amounts).toEqual([100_00]);
  expect((await list("q=%25%25%25")).amounts).toEqual([]);
});

it("shows a key only the transfers of its accounts", async () => {
  const { taxes, rent, move, list, rentOnly } = await arrange();
  await move(taxes, 100_00, { description: "SHARED" });
  await move(rent, 200_00, { description: "SHARED", externalId: "x-1" });
  expect((await list("q=shared&summary=true", rentOnly.text)).summary).toMatchObject({
    count: 1,
    sumInCents: 200_00,
  });
  expect((await list("externalId=x-1", rentOnly.text)).amounts).toEqual([200_00]);
  expect((await list(`q=shared&accountId=${taxes}`, rentOnly.text)).status).toBe(403);
});

it("finds transfers by the program's id and by one pair of its data", async () => {
  const { taxes, move, list } = await arrange();
  await move(taxes, 100_00, { externalId: "inv-1", metadata: [{ key: "order", value: "10:42" }] });
  await move(taxes, 200_00, { externalId: "inv-2", metadata: [{ key: "order", value: "10:43" }] });
  expect((await list("externalId=inv-1")).amounts).toEqual([100_00]);
  expect((await list("metadata=order:10:43")).amounts).toEqual([200_00]);
  expect((await list("metadata=order:10:43&externalId=inv-1")).amounts).toEqual([]);
  expect((await list("metadata=order")).status).toBe(400);
});

it("keeps to amounts and days, and sums everything that matches over all pages", async () => {
  const { operating, taxes, move, list } = await arrange();
  for (const dollars of [100, 200, 300, 400]) await move(taxes, dollars * 100);
  const account = `direction=INTERNAL&accountId=${operating}`;
  expect((await list(`${account}&minimumAmountInCents=20000&maximumAmountInCents=30000`)).amounts).toEqual([
    300_00, 200_00,
  ]);
  expect(await list(`${account}&pageSize=1&minimumAmountInCents=20000&summary=true`)).toMatchObject({
    amounts: [400_00],
    summary: { count: 3, sumInCents: 900_00, moneyInInCents: 0, moneyOutInCents: 0 },
  });
  expect((await list(`${account}&summary=true&to=2020-01-01`)).summary).toMatchObject({
    count: 0,
    sumInCents: 0,
  });
  expect((await list(account)).summary).toBeNull();
});

it("asks for an account where nothing else narrows the list", async () => {
  const { list } = await arrange();
  expect((await list("status=COMPLETE")).status).toBe(400);
  expect((await list("q=ab")).status).toBe(400);
});

it("finds card transactions by text, merchant and amount, with sums in each direction", async () => {
  const { services, organization, operating, list } = await arrange();
  const play = createTestCards(database, services, organization);
  const cardId = await play.issue({ accountId: operating });
  await play.report({ kind: "REFUND", cardId, amountInCents: 12_50, reference: "R" });
  await play.report({ kind: "PAYOUT", cardId, amountInCents: 700_00, reference: "P" });
  await database.ownerPool.query(
    "update card_transactions set description = 'Amazon Mktp' where amount_in_cents = 1250",
  );
  const path = "/card-transactions";
  expect(await list("q=amazon&summary=true", undefined, path)).toMatchObject({
    amounts: [12_50],
    summary: { count: 1, sumInCents: 12_50, moneyInInCents: 12_50, moneyOutInCents: 0 },
  });
  expect((await list("merchantName=amazon%20mktp", undefined, path)).amounts).toEqual([12_50]);
  expect((await list("merchantName=amazon", undefined, path)).amounts).toEqual([]);
  expect((await list("minimumAmountInCents=50000", undefined, path)).amounts).toEqual([700_00]);
});

it("finds outside transactions by text, merchant and category", async () => {
  const { clock, organization, list } = await arrange();
  const checking = await organization.addAccount({
    name: "Checking",
    type: "EXTERNAL_ACCOUNT",
    balanceInCents: 1,
  });
  await database.ownerPool.query(
    `insert into external_transactions (organization_id, id, account_id, provider_transaction_id, amount_in_cents,
        direction, status, description, transaction_date, merchant_name, category, created_at, updated_at)
      select $1, gen_random_uuid(), $2, n::text, n * 1000, 'MONEY_OUT', 'COMPLETE',
          case n when 1 then 'SQ *JUNIPER MARKET' else 'POS 0442' end, $3::timestamptz - n * interval '1 hour',
          case n when 2 then 'Juniper Market' end, case n when 2 then 'FOOD_AND_DRINK' end, $3, $3
        from generate_series(1, 3) n`,
    [organization.organizationId, checking, clock.now()],
  );
  const path = "/external-transactions";
  expect((await list("q=juniper", undefined, path)).amounts).toEqual([10_00, 20_00]);
  expect((await list("merchantName=juniper%20market", undefined, path)).amounts).toEqual([20_00]);
  expect(await list("category=FOOD_AND_DRINK&summary=true", undefined, path)).toMatchObject({
    amounts: [20_00],
    summary: { count: 1, sumInCents: 20_00, moneyOutInCents: 20_00, moneyInInCents: 0 },
  });
});

it("lists payees by the program's id and data, with both", async () => {
  const { organization, call } = await arrange();
  const key = await organization.addKey([...readEverything, { type: "CREATE_ACCOUNTS" }]);
  const labels = { externalId: "vendor-1", metadata: [{ key: "erp", value: "A-17" }] };
  const made = await call(key.text, "POST", "/payees", {
    body: { name: "Print Shop", kind: "BUSINESS", ...labels },
  });
  expect(made.body).toMatchObject({ data: labels });
  await call(key.text, "POST", "/payees", { body: { name: "Florist", kind: "BUSINESS" } });
  for (const query of ["externalId=vendor-1", "metadata=erp:A-17"]) {
    const { body } = await call(key.text, "GET", `/payees?${query}`);
    expect(body).toMatchObject({ data: { items: [{ name: "Print Shop", ...labels }] } });
  }
  expect((await call(key.text, "GET", "/payees?metadata=erp:A-1")).body).toMatchObject({
    data: { items: [] },
  });
});
