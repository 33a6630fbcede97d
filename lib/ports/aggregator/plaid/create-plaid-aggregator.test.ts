import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createEncryption } from "@/lib/platform/encryption";
import {
  AggregatorUnavailable,
  ConnectingRefused,
  type ConnectionAccess,
  NumbersNotShared,
  SignInNeeded,
} from "@/lib/ports/aggregator/aggregator-port";
import { describeAggregatorPort } from "@/lib/ports/aggregator/aggregator-port.contract";
import { createPlaidAggregator } from "@/lib/ports/aggregator/plaid/create-plaid-aggregator";
import { type FakePlaid, type PlaidReply, startFakePlaid } from "@/lib/testing/fake-plaid";

/*
 * The shapes below are those of Plaid's public OpenAPI description (version 2020-09-14; the examples of /accounts/get,
 * /liabilities/get and /transactions/sync, shortened) and of plaid.com/docs/errors, as the SDK `plaid` 47 types them.
 */
const NOW = new Date("2026-11-20T15:00:00Z");
const ACCESS_TOKEN = "access-sandbox-de3ce8ef-33f8-452c-a685-8671031fc0f6";
const CHECKING = "BxBXxLj1m4HMXBm9WZZmCWVbPjX16EHwv99vp";
const CARD = "dVzbVMLjrxTnLjX4G66XUp5GLklm4oiZy88yK";
const STUDENT = "Pp1Vpkl9w8sajvK6oEEKtr7vZxBnGpf7LxxLE";
const MORTGAGE = "BxBXxLj1m4HMXBm9WZJyUg9XLd4rKEhw8Pb1J";

const balances = (current: number | null, available: number | null, currency = "USD") => ({
  available,
  current,
  iso_currency_code: currency,
  limit: null,
  unofficial_currency_code: null,
});
const account = (account_id: string, mask: string, name: string, type: string, balance: unknown) => ({
  account_id,
  balances: balance,
  mask,
  name,
  official_name: null,
  persistent_account_id: "8cfb8beb89b774ee43b090625f0d61d0814322b43bff984eaf60386e",
  subtype: null,
  type,
});
const ACCOUNTS = [
  account(CHECKING, "0000", "Plaid Checking", "depository", balances(110.94, 100.1)),
  account(CARD, "3333", "Plaid Credit Card", "credit", balances(410, 1_590)),
  account(STUDENT, "77", "Plaid Student Loan", "loan", balances(65_262, null)),
  account(MORTGAGE, "8888", "Plaid Mortgage", "loan", balances(56_302.06, null)),
  account("euroAccount", "1111", "Girokonto", "depository", balances(1_000, 1_000, "EUR")),
];
const LIABILITIES = {
  credit: [
    {
      account_id: CARD,
      aprs: [
        {
          apr_percentage: 15.24,
          apr_type: "balance_transfer_apr",
          balance_subject_to_apr: 1562.32,
          interest_charge_amount: 130.22,
        },
        {
          apr_percentage: 12.5,
          apr_type: "purchase_apr",
          balance_subject_to_apr: 157.01,
          interest_charge_amount: 25.66,
        },
      ],
      is_overdue: false,
      last_payment_amount: 168.25,
      last_payment_date: "2026-10-22",
      last_statement_issue_date: "2026-10-28",
      last_statement_balance: 1708.77,
      minimum_payment_amount: 20,
      next_payment_due_date: "2026-11-28",
    },
  ],
  mortgage: [
    {
      account_id: MORTGAGE,
      account_number: "3120194154",
      interest_rate: { percentage: 3.99, type: "fixed" },
      next_monthly_payment: 3141.54,
      next_payment_due_date: "2026-12-15",
      origination_date: "2015-08-01",
      origination_principal_amount: 425_000,
    },
  ],
  student: [
    {
      account_id: STUDENT,
      interest_rate_percentage: 5.25,
      last_statement_balance: 1708.77,
      last_statement_issue_date: "2026-10-28",
      minimum_payment_amount: 25,
      next_payment_due_date: "2026-11-28",
      origination_principal_amount: 25_000,
    },
  ],
};
const transaction = (transaction_id: string, amount: number, more: Record<string, unknown> = {}) => ({
  account_id: CHECKING,
  amount,
  authorized_date: null,
  authorized_datetime: null,
  category: null,
  date: "2026-11-17",
  datetime: null,
  iso_currency_code: "USD",
  merchant_name: "Burger King",
  name: "Burger King",
  original_description: "BURGER KING #4411 OSHKOSH WI",
  payment_channel: "in store",
  pending: false,
  pending_transaction_id: null,
  personal_finance_category: {
    primary: "FOOD_AND_DRINK",
    detailed: "FOOD_AND_DRINK_FAST_FOOD",
    confidence_level: "VERY_HIGH",
  },
  transaction_id,
  unofficial_currency_code: null,
  ...more,
});
/** The example of `/auth/get`; the card's is invented. */
const NUMBERS = {
  ach: [
    { account: "1111222233330000", account_id: CHECKING, routing: "011401533", wire_routing: "021000021" },
    { account: "1111222233333333", account_id: CARD, routing: "011401533", wire_routing: null },
  ],
  bacs: [],
  eft: [],
  international: [],
};
const page = (more: Record<string, unknown>) => ({
  added: [],
  modified: [],
  removed: [],
  accounts: ACCOUNTS,
  has_more: false,
  next_cursor: "cursor-1",
  request_id: "Wvhy9PZHQLV8njG",
  transactions_update_status: "HISTORICAL_UPDATE_COMPLETE",
  ...more,
});
const plaidError = (error_type: string, error_code: string, status = 400): PlaidReply => ({
  status,
  json: {
    error_type,
    error_code,
    error_message: `the ${error_code}`,
    display_message: null,
    request_id: "HNTDNrA8F1shFEW",
  },
});

let plaid: FakePlaid;
beforeAll(async () => {
  plaid = await startFakePlaid();
});
afterAll(() => plaid.close());

let isRemoved = false;
beforeEach(() => {
  isRemoved = false;
  plaid.requests.length = 0;
  const unlessRemoved = (json: unknown) => () =>
    isRemoved ? plaidError("ITEM_ERROR", "ITEM_NOT_FOUND") : { json };
  const item = {
    item_id: "item",
    institution_id: "ins_109508",
    institution_name: "First Platypus Bank",
    error: null,
  };
  plaid.answer("/item/public_token/exchange", () => ({
    json: { access_token: ACCESS_TOKEN, item_id: uuidv7(), request_id: "Aim3b" },
  }));
  plaid.answer("/item/get", unlessRemoved({ item, request_id: "m8MDnv9okwxFNBV" }));
  plaid.answer("/accounts/get", unlessRemoved({ accounts: ACCOUNTS, item, request_id: "bkVE1BHWMAZ9Rnr" }));
  plaid.answer(
    "/accounts/balance/get",
    unlessRemoved({ accounts: ACCOUNTS, item, request_id: "qk5Bxes3gDfv4F2" }),
  );
  plaid.answer(
    "/liabilities/get",
    unlessRemoved({ accounts: ACCOUNTS, item, liabilities: LIABILITIES, request_id: "dTnnm60WgKGLnKL" }),
  );
  plaid.answer(
    "/auth/get",
    unlessRemoved({ accounts: ACCOUNTS, item, numbers: NUMBERS, request_id: "m8MDnv9" }),
  );
  plaid.answer("/transactions/sync", ({ body }) => {
    if (isRemoved) return plaidError("ITEM_ERROR", "ITEM_NOT_FOUND");
    return { json: body.cursor === "cursor-1" ? page({}) : page({ added: [transaction("first", 12.34)] }) };
  });
  plaid.answer("/item/remove", () => {
    const reply = isRemoved ? plaidError("ITEM_ERROR", "ITEM_NOT_FOUND") : { json: { request_id: "m8MDnv" } };
    isRemoved = true;
    return reply;
  });
});

const create = (timeoutMs?: number, redirectUri: string | null = null, asksForNumbers = false) =>
  createPlaidAggregator({
    clientId: "client-id",
    secret: "plaid-secret",
    environment: "sandbox",
    encryption: createEncryption("a product secret of more than 32 characters", "aggregator access"),
    redirectUri,
    asksForNumbers,
    baseUrl: plaid.baseUrl,
    ...(timeoutMs !== undefined && { timeoutMs }),
  });

async function connect(): Promise<ConnectionAccess> {
  const ids = { organizationId: uuidv7(), connectionId: uuidv7(), businessNow: NOW };
  const proof = { kind: "LINK", publicToken: "public-sandbox-5c224a01" } as const;
  const { providerItemId, sealedAccessToken } = await create().completeConnecting({ ...ids, proof });
  return { ...ids, providerItemId, sealedAccessToken };
}

const readChange = async (reported: unknown) => {
  plaid.answer("/transactions/sync", { json: page({ added: [reported] }) });
  const { changes } = await create().syncTransactions(await connect(), null);
  return changes[0];
};

describeAggregatorPort("Plaid", () => ({ aggregator: create(), connect }));

describe("the Plaid adapter", () => {
  it("keeps the access token encrypted, and sends the credentials in headers", async () => {
    const access = await connect();
    expect(access.sealedAccessToken?.toString("latin1")).not.toContain("access-sandbox");
    await create().listAccounts(access);
    const request = plaid.requests.at(-1);
    expect(request?.headers).toMatchObject({
      "plaid-client-id": "client-id",
      "plaid-secret": "plaid-secret",
    });
    expect(request?.body).toEqual({ access_token: ACCESS_TOKEN });
  });

  it("requests a link token, and one to sign in again", async () => {
    plaid.answer("/link/token/create", {
      json: { link_token: "link-sandbox-af1a0311", expiration: "2026-11-20T19:00:00Z", request_id: "XQVgF" },
    });
    const input = { organizationId: uuidv7(), memberId: uuidv7(), institutionId: null };
    const step = await create().beginConnecting({ ...input, again: null });
    expect(step).toEqual({
      kind: "LINK",
      linkToken: "link-sandbox-af1a0311",
      expiresAt: new Date("2026-11-20T19:00:00Z"),
    });
    expect(plaid.requests.at(-1)?.body).toMatchObject({ products: ["transactions"], country_codes: ["US"] });
    await create().beginConnecting({ ...input, again: await connect() });
    expect(plaid.requests.at(-1)?.body).toMatchObject({ access_token: ACCESS_TOKEN });
    expect(plaid.requests.at(-1)?.body).not.toHaveProperty("products");
    expect(plaid.requests.at(-1)?.body).not.toHaveProperty("redirect_uri");
    // Banks that send people back by address do so for a new connection and for a sign-in alike.
    const back = "https://sluice.example/accounts/connect/return";
    for (const again of [null, await connect()]) {
      await create(undefined, back).beginConnecting({ ...input, again });
      expect(plaid.requests.at(-1)?.body).toMatchObject({ redirect_uri: back });
    }
  });

  it("ends access that could never be found again", async () => {
    plaid.answer("/item/get", plaidError("API_ERROR", "INTERNAL_SERVER_ERROR", 500));
    await expect(connect()).rejects.toThrow(AggregatorUnavailable);
    expect(plaid.requests.at(-1)).toMatchObject({
      path: "/item/remove",
      body: { access_token: ACCESS_TOKEN },
    });
  });

  it("reads accounts in dollars, and masks that are digits", async () => {
    const accounts = await create().listAccounts(await connect());
    expect(accounts.map((one) => [one.name, one.externalAccountType, one.numberLast4])).toEqual([
      ["Plaid Checking", "DEPOSITORY", "0000"],
      ["Plaid Credit Card", "LIABILITY", "3333"],
      ["Plaid Student Loan", "LIABILITY", null],
      ["Plaid Mortgage", "LIABILITY", "8888"],
    ]);
  });

  it("reads the numbers of deposit accounts, and leaves out what ACH cannot carry", async () => {
    expect(await create().readAccountNumbers(await connect())).toEqual([
      {
        providerAccountId: CHECKING,
        accountKind: "CHECKING",
        routingNumber: "011401533",
        accountNumber: "1111222233330000",
      },
    ]);
    expect(plaid.requests.at(-1)).toMatchObject({ path: "/auth/get", body: { access_token: ACCESS_TOKEN } });
    const numbers = {
      ...NUMBERS,
      ach: [
        { ...NUMBERS.ach[0], account: "GB29 NWBK" },
        { ...NUMBERS.ach[0], routing: "1" },
      ],
    };
    plaid.answer("/auth/get", { json: { accounts: ACCOUNTS, numbers, request_id: "m8MDnv9" } });
    expect(await create().readAccountNumbers(await connect())).toEqual([]);
  });

  it("tells savings from checking accounts", async () => {
    const accounts = ACCOUNTS.map((one) =>
      one.account_id === CHECKING ? { ...one, subtype: "savings" } : one,
    );
    plaid.answer("/auth/get", { json: { accounts, numbers: NUMBERS, request_id: "m8MDnv9" } });
    expect(await create().readAccountNumbers(await connect())).toMatchObject([{ accountKind: "SAVINGS" }]);
  });

  it.each(["NO_AUTH_ACCOUNTS", "PRODUCTS_NOT_SUPPORTED"])(
    "%s means that there are no numbers",
    async (code) => {
      plaid.answer("/auth/get", plaidError("ITEM_ERROR", code));
      expect(await create().readAccountNumbers(await connect())).toEqual([]);
    },
  );

  it.each(["ADDITIONAL_CONSENT_REQUIRED", "ACCESS_NOT_GRANTED"])(
    "%s means that its customer has not agreed",
    async (code) => {
      plaid.answer("/auth/get", plaidError("ITEM_ERROR", code));
      await expect(create().readAccountNumbers(await connect())).rejects.toThrow(NumbersNotShared);
    },
  );

  it("repeats no number where an answer is not as documented", async () => {
    const numbers = { ach: [{ ...NUMBERS.ach[0], routing: 11_401_533 }] };
    plaid.answer("/auth/get", { json: { accounts: ACCOUNTS, numbers, request_id: "m8MDnv9" } });
    const error: unknown = await create()
      .readAccountNumbers(await connect())
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "UNEXPECTED_ANSWER" });
    const text = error instanceof Error ? JSON.stringify({ ...error, message: error.message }) : "";
    for (const digits of ["1111222233330000", "11401533"]) expect(text).not.toContain(digits);
  });

  it("asks to share account numbers only for a bank that needs them, at a new connection and at a sign-in", async () => {
    plaid.answer("/link/token/create", {
      json: { link_token: "link-sandbox-af1a0311", expiration: "2026-11-20T19:00:00Z", request_id: "XQVgF" },
    });
    const input = { organizationId: uuidv7(), memberId: uuidv7(), institutionId: null };
    for (const again of [null, await connect()]) {
      await create().beginConnecting({ ...input, again });
      expect(plaid.requests.at(-1)?.body).not.toHaveProperty("additional_consented_products");
      await create(undefined, null, true).beginConnecting({ ...input, again });
      expect(plaid.requests.at(-1)?.body).toMatchObject({ additional_consented_products: ["auth"] });
    }
  });

  it("reads every field of a balance, in cents", async () => {
    const read = await create().readBalances(await connect());
    const of = (id: string) => read.find((one) => one.providerAccountId === id);
    const nothing = {
      lastStatementBalanceInCents: null,
      lastStatementDate: null,
      nextPaymentMinimumInCents: null,
      nextPaymentDueDate: null,
      interestRatePercentage: null,
      originalLoanAmountInCents: null,
    };
    expect(of(CHECKING)).toEqual({
      ...nothing,
      providerAccountId: CHECKING,
      balanceInCents: 11_094,
      availableBalanceInCents: 10_010,
      asOf: NOW,
    });
    expect(of(CARD)).toMatchObject({
      balanceInCents: 41_000,
      availableBalanceInCents: 159_000,
      lastStatementBalanceInCents: 170_877,
      lastStatementDate: "2026-10-28",
      nextPaymentMinimumInCents: 2_000,
      nextPaymentDueDate: "2026-11-28",
      interestRatePercentage: 12.5,
      originalLoanAmountInCents: null,
    });
    expect(of(STUDENT)).toMatchObject({
      balanceInCents: 6_526_200,
      availableBalanceInCents: null,
      nextPaymentMinimumInCents: 2_500,
      interestRatePercentage: 5.25,
      originalLoanAmountInCents: 2_500_000,
    });
    expect(of(MORTGAGE)).toMatchObject({
      balanceInCents: 5_630_206,
      nextPaymentMinimumInCents: 314_154,
      nextPaymentDueDate: "2026-12-15",
      interestRatePercentage: 3.99,
      originalLoanAmountInCents: 42_500_000,
    });
  });

  it("reports balances without terms if the institution reports none", async () => {
    plaid.answer("/liabilities/get", plaidError("ITEM_ERROR", "PRODUCTS_NOT_SUPPORTED"));
    const read = await create().readBalances(await connect());
    expect(read).toHaveLength(4);
    expect(read[1]).toMatchObject({ balanceInCents: 41_000, nextPaymentDueDate: null });
  });

  it("takes a positive amount for money out, and a negative one for money in", async () => {
    expect(await readChange(transaction("out", 19.99))).toMatchObject({
      kind: "UPSERT",
      transaction: {
        amountInCents: 1_999,
        direction: "MONEY_OUT",
        status: "COMPLETE",
        description: "BURGER KING #4411 OSHKOSH WI",
        merchantName: "Burger King",
        category: "FOOD_AND_DRINK",
        providerCategory: "FOOD_AND_DRINK_FAST_FOOD",
        // Noon in New York, on the date that Plaid reports.
        transactionDate: new Date("2026-11-17T17:00:00Z"),
      },
    });
    const salary = transaction("in", -2307.21, { personal_finance_category: null, merchant_name: null });
    expect(await readChange(salary)).toMatchObject({
      transaction: { amountInCents: 230_721, direction: "MONEY_IN", category: null, merchantName: null },
    });
  });

  it("links a posted transaction to its pending one, omits what moves nothing, and dates nothing in the future", async () => {
    expect(await readChange(transaction("posted", 5, { pending_transaction_id: "pending" }))).toMatchObject({
      transaction: { pendingTransactionId: "pending" },
    });
    expect(await readChange(transaction("checked", 0))).toEqual({
      kind: "REMOVE",
      providerTransactionId: "checked",
    });
    expect(await readChange(transaction("today", 5, { date: "2026-11-20" }))).toMatchObject({
      transaction: { transactionDate: NOW },
    });
  });

  it("reads page after page, in order, from the given cursor", async () => {
    plaid.answer("/transactions/sync", ({ body }) => {
      if (body.cursor === "start") {
        return { json: page({ added: [transaction("a", 1)], has_more: true, next_cursor: "middle" }) };
      }
      return {
        json: page({
          modified: [transaction("a", 2)],
          removed: [{ transaction_id: "b", account_id: CHECKING }],
          next_cursor: "end",
        }),
      };
    });
    const batch = await create().syncTransactions(await connect(), "start");
    expect(batch).toMatchObject({ nextCursor: "end", hasMore: false, isHistoryComplete: true });
    expect(
      batch.changes.map((change) =>
        change.kind === "UPSERT"
          ? [change.transaction.providerTransactionId, change.transaction.amountInCents]
          : ["gone", change.providerTransactionId],
      ),
    ).toEqual([
      ["a", 100],
      ["a", 200],
      ["gone", "b"],
    ]);
  });

  it("starts over a few times if Plaid's data changes between two pages", async () => {
    let mutations = 2;
    plaid.answer("/transactions/sync", ({ body }) => {
      if (body.cursor === "start") {
        return {
          json: page({ added: [transaction(`try-${mutations}`, 1)], has_more: true, next_cursor: "middle" }),
        };
      }
      mutations -= 1;
      return mutations >= 0
        ? plaidError("TRANSACTIONS_ERROR", "TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION")
        : { json: page({ next_cursor: "end" }) };
    });
    const access = await connect();
    const { changes } = await create().syncTransactions(access, "start");
    expect(changes).toMatchObject([{ transaction: { providerTransactionId: "try-0" } }]);
    mutations = 1_000;
    await expect(create().syncTransactions(access, "start")).rejects.toMatchObject({
      name: "AggregatorUnavailable",
      code: "TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION",
    });
  });

  it("stops after twenty pages, and reports that there are more", async () => {
    plaid.answer("/transactions/sync", ({ body }) => ({
      json: page({ has_more: true, next_cursor: `${body.cursor ?? ""}x` }),
    }));
    const batch = await create().syncTransactions(await connect(), null);
    expect(batch).toMatchObject({ hasMore: true, nextCursor: "x".repeat(20) });
  });

  it("reports that Plaid is still collecting history", async () => {
    plaid.answer("/transactions/sync", {
      json: page({ next_cursor: "", transactions_update_status: "NOT_READY" }),
    });
    expect(await create().syncTransactions(await connect(), null)).toEqual({
      changes: [],
      nextCursor: null,
      hasMore: false,
      isHistoryComplete: false,
    });
  });

  it.each([
    ["ITEM_ERROR", "ITEM_LOGIN_REQUIRED", SignInNeeded],
    ["ITEM_ERROR", "USER_PERMISSION_REVOKED", SignInNeeded],
    ["INVALID_INPUT", "INVALID_ACCESS_TOKEN", SignInNeeded],
    ["INVALID_INPUT", "INVALID_PUBLIC_TOKEN", ConnectingRefused],
    ["INSTITUTION_ERROR", "INSTITUTION_DOWN", AggregatorUnavailable],
    ["RATE_LIMIT_EXCEEDED", "BALANCE_LIMIT", AggregatorUnavailable],
    ["ITEM_ERROR", "PRODUCT_NOT_READY", AggregatorUnavailable],
    ["API_ERROR", "INTERNAL_SERVER_ERROR", AggregatorUnavailable],
  ])("%s %s becomes an error that says what to do", async (type, code, kind) => {
    const access = await connect();
    plaid.answer("/accounts/balance/get", plaidError(type, code));
    const read = create().readBalances(access);
    await expect(read).rejects.toThrow(kind);
    await expect(read).rejects.toMatchObject({ code });
  });

  it.each<[string, PlaidReply, string]>([
    ["an error page", { status: 502, text: "<h1>Bad gateway</h1>" }, "HTTP_502"],
    ["a redirect", { status: 302, text: "elsewhere" }, "HTTP_302"],
    ["another shape", { json: { accounts: "none" } }, "UNEXPECTED_ANSWER"],
    ["silence", { isSilent: true }, "ETIMEDOUT"],
    ["more than fits", { text: "x".repeat(9_000_000) }, "ERR_BAD_RESPONSE"],
    [
      "an invalid amount",
      { json: { accounts: [account(CHECKING, "0000", "C", "depository", balances(1e300, 1))] } },
      "AMOUNT_OUT_OF_RANGE",
    ],
  ])("%s counts as no answer", async (_, reply, code) => {
    const access = await connect();
    plaid.answer("/accounts/balance/get", reply);
    // Only silence waits for the timeout: a busy machine may take longer than it for an answer.
    const timeoutMs = "isSilent" in reply ? 500 : undefined;
    await expect(create(timeoutMs).readBalances(access)).rejects.toMatchObject({
      name: "AggregatorUnavailable",
      code,
    });
  });

  it("leaks no credentials with an error", async () => {
    const access = await connect();
    plaid.answer("/accounts/balance/get", plaidError("ITEM_ERROR", "ITEM_LOGIN_REQUIRED"));
    const error: unknown = await create()
      .readBalances(access)
      .catch((reason: unknown) => reason);
    const text =
      error instanceof Error
        ? JSON.stringify({ ...error, message: error.message, stack: error.stack, cause: error.cause })
        : "";
    expect(text).toContain("ITEM_LOGIN_REQUIRED");
    for (const secret of [ACCESS_TOKEN, "plaid-secret", "client-id"]) expect(text).not.toContain(secret);
  });

  it("finds institutions by name", async () => {
    plaid.answer("/institutions/search", {
      json: { institutions: [{ institution_id: "ins_1", name: "Bank of America" }], request_id: "Ggmk0" },
    });
    expect(await create().searchInstitutions({ query: " america ", limit: 5 })).toEqual([
      { id: "ins_1", name: "Bank of America" },
    ]);
    expect(plaid.requests.at(-1)?.body).toMatchObject({ query: "america", country_codes: ["US"] });
  });
});
