import { createHmac, randomUUID } from "node:crypto";
import { type ServerType, serve } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { z } from "zod";
import { addBankingDays, bankingDateOf, bankingInstant } from "@/lib/contract/banking-days";
import { isRoutingNumber } from "@/lib/contract/payee";
import { systemClock } from "@/lib/platform/clock";
import { centsOf, parseWithNumbersAsText } from "@/lib/ports/bank/mercury/dollars";

const DUPLICATE_MS = 24 * 3_600_000;
const MAXIMUM_EVENTS_DELIVERED = 1_000;
const WEBHOOK_TIMEOUT_MS = 5_000;
/** Whose token the emulator knows; by default, Mercury lets someone else approve. */
const TOKEN_CREATOR = "00000000-0000-4000-9000-000000000001";
const APPROVER = "00000000-0000-4000-9000-000000000002";

export interface MercuryEmulator {
  url: string;
  now(): Date;
  /** Another account of the business, which holds this much. @returns its id */
  openAccount(openingInCents: number): string;
  /** Lets time pass: payments are posted when they are due. */
  advanceTo(now: Date): Promise<void>;
  /** What a person does in Mercury's dashboard, or another bank: a path below `/simulations`. */
  simulate(path: string, body?: Record<string, unknown>): Promise<SimulatedObject>;
  /** The next answer to such a request is lost after it was carried out. */
  loseNextAnswer(method: string, path: string): void;
  /** Requests answered, as `POST /recipients`, in order. */
  readonly requests: readonly string[];
  /** Of approval requests, in order. */
  readonly approvals: readonly Readonly<Approval>[];
  readonly transactions: readonly Readonly<Transaction>[];
  close(): Promise<void>;
}

/** What Mercury's documentation does not say. */
export interface MercurySilence {
  /** Which text an approval request repeats as its memo. */
  memoIs: "note" | "externalMemo";
  /** Whether 409 carries the approval request that the key made; documented for transactions. */
  repeatsApproval: boolean;
}

const simulatedSchema = z.object({ id: z.string().optional(), requestId: z.string().nullish() }).loose();
export type SimulatedObject = z.output<typeof simulatedSchema>;

interface Account {
  id: string;
  accountNumber: string;
  createdAt: Date;
}

interface Recipient {
  id: string;
  name: string;
  nickname: string | null;
  emails: string[];
  status: "active";
  electronicRoutingInfo: Record<string, unknown>;
}

type RequestStatus = "pendingApproval" | "approved" | "rejected" | "cancelled";

interface Approval {
  id: string;
  accountId: string;
  recipientId: string;
  amountInCents: number;
  status: RequestStatus;
  note: string | null;
  externalMemo: string | null;
  createdAt: Date;
  reviews: { reviewerUserId: string; status: "approved" | "rejected"; reviewedAt: string }[];
}

type TransactionStatus = "pending" | "sent" | "cancelled" | "failed" | "reversed" | "blocked";

interface Transaction {
  id: string;
  accountId: string;
  amountInCents: number;
  status: TransactionStatus;
  kind: string;
  counterpartyId: string;
  counterpartyName: string;
  note: string | null;
  externalMemo: string | null;
  requestId: string | null;
  createdAt: Date;
  estimatedDeliveryDate: Date;
  postedAt: Date | null;
  failedAt: Date | null;
  reasonForFailure: string | null;
  relatedTransactions: { id: string; accountId: string; relationKind: string; amount: string }[];
  version: number;
}

class Refused extends Error {
  constructor(
    readonly status: 400 | 401 | 403 | 404 | 409,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Mercury's API as far as the adapter uses it, with state and a clock: the idempotency key, the guard against paying
 * twice in 24 hours, approval by another person, events with merge patches, errors, pages, signed webhooks. Amounts are
 * written as JSON numbers the way Mercury's Haskell does, so 0.05 may be 5.0e-2. It keeps everything in memory and
 * moves nothing.
 */
export async function openMercuryEmulator(input: {
  startsAt: Date;
  port?: number;
  token: string;
  silence?: Partial<MercurySilence>;
}): Promise<MercuryEmulator> {
  const silence: MercurySilence = { memoIs: "note", repeatsApproval: true, ...input.silence };
  const world = new World(input.startsAt, silence);
  const losing: string[] = [];
  const requests: string[] = [];
  const app = createApp(world, input.token, losing, requests);
  const server = await new Promise<ServerType>((resolve) => {
    const opened = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: input.port ?? 0 }, () =>
      resolve(opened),
    );
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The emulator has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    now: () => world.now,
    openAccount: (openingInCents) => world.openAccount(openingInCents).id,
    advanceTo: async (now) => {
      world.advanceTo(now);
      await world.deliver();
    },
    simulate: async (path, body = {}) => {
      const headers = { authorization: `Bearer ${input.token}`, "content-type": "application/json" };
      const response = await app.request(`/simulations${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${response.status}: ${text}`);
      return simulatedSchema.parse(parseWithNumbersAsText(text));
    },
    loseNextAnswer: (method, path) => losing.push(`${method} ${path}`),
    requests,
    get approvals() {
      return [...world.approvals.values()];
    },
    get transactions() {
      return [...world.transactions.values()];
    },
    close: () =>
      new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve()))),
  };
}

function createApp(world: World, token: string, losing: string[], requests: string[]): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    if (c.req.header("authorization") !== `Bearer ${token}`) throw new Refused(401, "unauthorized");
    await next();
    const request = `${c.req.method} ${c.req.path}`;
    requests.push(request);
    const lost = losing.indexOf(request);
    if (lost < 0) return;
    losing.splice(lost, 1);
    // The request was carried out, and its sender learns nothing.
    c.res = new Response("Bad gateway", { status: 502 });
  });
  app.onError((error, c) => {
    if (!(error instanceof Refused)) throw error;
    return c.json({ errors: { message: error.message } }, error.status);
  });
  app.notFound((c) => c.json({ errors: { message: "not found" } }, 404));

  app.get("/account/:id", (c) => json(c, world.accountJson(found(world.accounts, c.req.param("id")))));
  app.get("/recipients", (c) => {
    const page = pageOf(c, [...world.recipients.values()], (recipient) => recipient.id);
    return json(c, { total: page.length, recipients: page.map(recipientJson), page: {} });
  });
  app.post("/recipients", async (c) => json(c, recipientJson(world.addRecipient(await bodyOf(c)))));
  app.post("/account/:id/request-send-money", async (c) => {
    const account = found(world.accounts, c.req.param("id"));
    const { made, isReplay } = world.send(account, await bodyOf(c), "REQUEST");
    await world.deliver();
    if (!isReplay) return json(c, made);
    return json(c, world.silence.repeatsApproval ? made : { errors: { message: "key used" } }, 409);
  });
  app.post("/account/:id/transactions", async (c) => {
    const account = found(world.accounts, c.req.param("id"));
    const { made, isReplay } = world.send(account, await bodyOf(c), "DIRECT");
    await world.deliver();
    return json(c, made, isReplay ? 409 : 200);
  });
  app.get("/request-send-money", (c) => {
    const { accountId, status } = c.req.query();
    const matching = [...world.approvals.values()]
      .filter((approval) => (accountId ?? approval.accountId) === approval.accountId)
      .filter((approval) => (status ?? approval.status) === approval.status);
    const page = pageOf(c, matching, (approval) => approval.id);
    return json(c, { requests: page.map((approval) => world.approvalJson(approval)), page: {} });
  });
  app.get("/request-send-money/:id", (c) =>
    json(c, world.approvalJson(found(world.approvals, c.req.param("id")))),
  );
  app.get("/transactions", (c) => {
    const accounts = c.req.queries("accountId");
    const { start, postedStart } = c.req.query();
    const matching = [...world.transactions.values()]
      .filter(({ accountId }) => accounts?.includes(accountId) ?? true)
      .filter(({ createdAt }) => !start || createdAt >= new Date(start))
      .filter(({ postedAt }) => !postedStart || (postedAt !== null && postedAt >= new Date(postedStart)));
    const page = pageOf(c, matching, (transaction) => transaction.id);
    return json(c, { transactions: page.map(transactionJson), page: {} });
  });
  app.get("/account/:id/transactions", (c) => {
    const account = found(world.accounts, c.req.param("id"));
    const { requestId, start } = c.req.query();
    // As documented: without a start, the last 30 days.
    const since = start ? new Date(start) : new Date(world.now.getTime() - 30 * 86_400_000);
    const matching = [...world.transactions.values()]
      .filter(({ accountId }) => accountId === account.id)
      .filter((transaction) => !requestId || transaction.requestId === requestId)
      .filter(({ createdAt }) => createdAt >= since);
    const page = matching.slice(0, limitOf(c));
    return json(c, { total: matching.length, transactions: page.map(transactionJson) });
  });
  app.get("/transaction/:id", (c) => json(c, transactionJson(found(world.transactions, c.req.param("id")))));
  app.get("/events", (c) => {
    const wanted = c.req.query("resourceType");
    const matching = world.events.filter(({ resourceType }) => (wanted ?? resourceType) === resourceType);
    return json(c, { events: pageOf(c, matching, (event) => event.id), page: {} });
  });
  app.post("/webhooks", async (c) => {
    const { url } = z.object({ url: z.url() }).parse(await c.req.json());
    return json(c, world.subscribe(url));
  });
  addSimulations(app, world);
  return app;
}

function addSimulations(app: Hono, world: World): void {
  const simulate = (path: string, act: (id: string, body: Record<string, unknown>) => object) =>
    app.post(`/simulations${path}`, async (c) => {
      const text = await c.req.text();
      const body = z.record(z.string(), z.unknown()).parse(text === "" ? {} : JSON.parse(text));
      const object = act(c.req.param("id") ?? "", body);
      await world.deliver();
      return json(c, object);
    });
  const userOf = (body: Record<string, unknown>) => z.string().default(APPROVER).parse(body.userId);
  const reasonOf = (body: Record<string, unknown>) => z.string().nullable().default(null).parse(body.reason);
  const approval = (id: string) => found(world.approvals, id);
  const transaction = (id: string) => found(world.transactions, id);
  simulate("/request-send-money/:id/approve", (id, body) =>
    world.review(approval(id), userOf(body), "approved"),
  );
  simulate("/request-send-money/:id/reject", (id, body) =>
    world.review(approval(id), userOf(body), "rejected"),
  );
  simulate("/request-send-money/:id/cancel", (id) => world.cancel(approval(id)));
  simulate("/transaction/:id/post", (id) => world.post(transaction(id)));
  simulate("/transaction/:id/cancel", (id) => world.end(transaction(id), "cancelled", null));
  simulate("/transaction/:id/block", (id) => world.end(transaction(id), "blocked", null));
  simulate("/transaction/:id/fail", (id, body) => world.fail(transaction(id), reasonOf(body)));
  simulate("/transaction/:id/reverse", (id, body) => world.end(transaction(id), "reversed", reasonOf(body)));
  simulate("/account/:id/receive", (id, body) => {
    const { amountInCents, from, kind } = z
      .object({
        amountInCents: z.int(),
        from: z.string().default("Sample company"),
        kind: z.string().default("externalTransfer"),
      })
      .parse(body);
    return world.receive(found(world.accounts, id), amountInCents, { from, kind });
  });
  simulate("/transaction/:id/return", (id, body) => world.returnDeposit(transaction(id), reasonOf(body)));
}

/** Marks an amount in JSON, until it is written as a number. */
const AMOUNT = "amount:";
const amount = (cents: number) => `${AMOUNT}${cents}`;

/** As Haskell's `show` for a double: 0.1 to 9999999 plainly, others with an exponent. */
function numberOf(cents: number): string {
  const size = Math.abs(cents);
  const isPlain = size === 0 || (size >= 10 && size < 1_000_000_000);
  if (isPlain) return String(cents / 100);
  const [digits = "", exponent] = (cents / 100).toExponential().split("e");
  return `${digits.includes(".") ? digits : `${digits}.0`}e${Number(exponent)}`;
}

function write(object: object): string {
  return JSON.stringify(object).replace(/"amount:(-?[0-9]+)"/g, (_match, cents) => numberOf(Number(cents)));
}

function json(c: Context, object: object, status: 200 | 409 = 200): Response {
  return c.body(write(object), status, { "content-type": "application/json; charset=utf-8" });
}

function found<T>(kept: Map<string, T>, id: string): T {
  const object = kept.get(id);
  if (!object) throw new Refused(404, "not found");
  return object;
}

function limitOf(c: Context): number {
  const limit = Number(c.req.query("limit") ?? 1_000);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1_000) throw new Refused(400, "Invalid limit");
  return limit;
}

/** Oldest first unless asked otherwise; `start_after` is exclusive. */
function pageOf<T>(c: Context, objects: readonly T[], idOf: (object: T) => string): T[] {
  const ordered = c.req.query("order") === "desc" ? objects.toReversed() : objects;
  const after = c.req.query("start_after");
  const at = after === undefined ? -1 : ordered.findIndex((object) => idOf(object) === after);
  if (after !== undefined && at < 0) throw new Refused(400, "Invalid start_after");
  return ordered.slice(at + 1, at + 1 + limitOf(c));
}

const bodySchema = z.record(z.string(), z.unknown());
type Body = z.output<typeof bodySchema>;

async function bodyOf(c: Context): Promise<Body> {
  const text = await c.req.text();
  // A number, as documented: text would be refused.
  if (/"amount":"/.test(text)) throw new Refused(400, "Invalid body");
  const parsed = bodySchema.safeParse(parseWithNumbersAsText(text));
  if (!parsed.success) throw new Refused(400, "Invalid body");
  return parsed.data;
}

const recipientJson = (recipient: Recipient) => ({
  ...recipient,
  defaultPaymentMethod: "ach",
  attachments: [],
});

function transactionJson(transaction: Transaction): Record<string, unknown> {
  const { amountInCents, version: _version, ...rest } = transaction;
  return {
    ...rest,
    amount: amount(amountInCents),
    bankDescription: `${transaction.counterpartyName}; ${transaction.kind}`,
    dashboardLink: "https://app.mercury.example/transactions",
    compliantWithReceiptPolicy: true,
    hasGeneratedReceipt: false,
    glAllocations: [],
    attachments: [],
    trackingNumber: null,
  };
}

const recipientSchema = z.object({
  name: z.string().min(1),
  nickname: z.string().nullish(),
  emails: z.array(z.email()),
  electronicRoutingInfo: z.object({
    accountNumber: z.string().regex(/^[0-9]{4,17}$/),
    routingNumber: z.string().refine(isRoutingNumber),
    electronicAccountType: z.enum([
      "businessChecking",
      "businessSavings",
      "personalChecking",
      "personalSavings",
    ]),
    address: z.object({
      address1: z.string().min(1),
      city: z.string().min(1),
      region: z.string().min(1),
      postalCode: z.string().min(1),
      country: z.string().length(2),
    }),
  }),
});

const sendSchema = z.object({
  recipientId: z.string(),
  amount: z.string(),
  paymentMethod: z.enum(["ach"]),
  idempotencyKey: z.string().min(1),
  note: z.string().optional(),
  externalMemo: z.string().optional(),
});

interface Sent {
  at: Date;
  accountId: string;
  recipientId: string;
  cents: number;
}

/** The bank's state. Times are the emulator's own. */
class World {
  now: Date;
  /** Ids of two emulators differ. */
  readonly #ids = randomUUID().slice(0, 24);
  #made = 0;
  #delivered = 0;
  readonly #used = new Map<string, { approval: Approval } | { transaction: Transaction }>();
  readonly #sent: Sent[] = [];
  readonly #subscriptions: { url: string; secretKey: string }[] = [];
  readonly accounts = new Map<string, Account>();
  readonly recipients = new Map<string, Recipient>();
  readonly approvals = new Map<string, Approval>();
  readonly transactions = new Map<string, Transaction>();
  readonly events: { id: string; resourceType: string; [field: string]: unknown }[] = [];

  constructor(
    startsAt: Date,
    readonly silence: MercurySilence,
  ) {
    this.now = startsAt;
  }

  #id(): string {
    this.#made += 1;
    return `${this.#ids}${String(this.#made).padStart(12, "0")}`;
  }

  openAccount(openingInCents: number): Account {
    const id = this.#id();
    const account = { id, accountNumber: `2020${id.slice(-8)}`, createdAt: this.now };
    this.accounts.set(id, account);
    if (openingInCents > 0) this.receive(account, openingInCents, { from: "Opening", kind: "other" });
    return account;
  }

  accountJson(account: Account): Record<string, unknown> {
    const ofAccount = [...this.transactions.values()].filter(({ accountId }) => accountId === account.id);
    const current = sum(ofAccount.filter(({ postedAt }) => postedAt));
    const leaving = sum(
      ofAccount.filter(({ status, amountInCents }) => status === "pending" && amountInCents < 0),
    );
    return {
      id: account.id,
      accountNumber: account.accountNumber,
      routingNumber: "101050001",
      name: "Mercury Checking",
      status: "active",
      type: "mercury",
      kind: "checking",
      legalBusinessName: "Northwind Studio LLC",
      createdAt: account.createdAt.toISOString(),
      dashboardLink: "https://app.mercury.example/accounts",
      currentBalance: amount(current),
      availableBalance: amount(current + leaving),
    };
  }

  addRecipient(body: Body): Recipient {
    const parsed = recipientSchema.safeParse(body);
    if (!parsed.success) throw new Refused(400, "Invalid body");
    const { nickname = null, ...rest } = parsed.data;
    const recipient: Recipient = { id: this.#id(), status: "active", nickname, ...rest };
    this.recipients.set(recipient.id, recipient);
    return recipient;
  }

  send(
    account: Account,
    body: Body,
    way: "REQUEST" | "DIRECT",
  ): { made: Record<string, unknown>; isReplay: boolean } {
    const parsed = sendSchema.safeParse(body);
    const cents = parsed.success ? centsOf(parsed.data.amount) : null;
    if (!parsed.success || cents === null || cents < 1) throw new Refused(400, "Invalid body");
    const { recipientId, idempotencyKey, note = null, externalMemo = null } = parsed.data;
    const used = this.#used.get(idempotencyKey);
    if (used) return { made: this.#madeJson(used), isReplay: true };
    const recipient = this.recipients.get(recipientId);
    if (!recipient) throw new Refused(400, "Recipient not found");
    this.#refuseDuplicate({ accountId: account.id, recipientId, cents, at: this.now });
    const details = { account, recipient, cents, note, externalMemo };
    const made =
      way === "REQUEST"
        ? { approval: this.#request(details) }
        : { transaction: this.#pay({ ...details, requestId: null }) };
    this.#used.set(idempotencyKey, made);
    return { made: this.#madeJson(made), isReplay: false };
  }

  #madeJson(made: { approval: Approval } | { transaction: Transaction }): Record<string, unknown> {
    return "approval" in made ? this.approvalJson(made.approval) : transactionJson(made.transaction);
  }

  /** The same recipient, account and amount within 24 hours, whatever the key. */
  #refuseDuplicate(sent: Sent): void {
    const isAgain = this.#sent.some(
      (one) =>
        one.accountId === sent.accountId &&
        one.recipientId === sent.recipientId &&
        one.cents === sent.cents &&
        sent.at.getTime() - one.at.getTime() < DUPLICATE_MS,
    );
    if (isAgain) throw new Refused(400, "This looks like a duplicate payment");
    this.#sent.push(sent);
  }

  #request(input: {
    account: Account;
    recipient: Recipient;
    cents: number;
    note: string | null;
    externalMemo: string | null;
  }): Approval {
    const approval: Approval = {
      id: this.#id(),
      accountId: input.account.id,
      recipientId: input.recipient.id,
      amountInCents: input.cents,
      status: "pendingApproval",
      note: input.note,
      externalMemo: input.externalMemo,
      createdAt: this.now,
      reviews: [],
    };
    this.approvals.set(approval.id, approval);
    return approval;
  }

  /** No event tells of it, and it does not name its transaction. */
  approvalJson(approval: Approval): Record<string, unknown> {
    return {
      requestId: approval.id,
      accountId: approval.accountId,
      recipientId: approval.recipientId,
      amount: amount(approval.amountInCents),
      paymentMethod: "ach",
      status: approval.status,
      requestedByUserId: TOKEN_CREATOR,
      requesterMayApprove: false,
      numberOfApproversRequired: 1,
      reviews: approval.reviews,
      scheduledSendDate: null,
      memo: approval[this.silence.memoIs],
      createdAt: approval.createdAt.toISOString(),
    };
  }

  review(approval: Approval, userId: string, status: "approved" | "rejected"): object {
    this.#requirePending(approval);
    if (userId === TOKEN_CREATOR) throw new Refused(403, "Someone else must approve");
    approval.reviews.push({ reviewerUserId: userId, status, reviewedAt: this.now.toISOString() });
    approval.status = status;
    if (status === "rejected") return this.approvalJson(approval);
    return transactionJson(
      this.#pay({
        account: found(this.accounts, approval.accountId),
        recipient: found(this.recipients, approval.recipientId),
        cents: approval.amountInCents,
        note: approval.note,
        externalMemo: approval.externalMemo,
        requestId: approval.id,
      }),
    );
  }

  cancel(approval: Approval): object {
    this.#requirePending(approval);
    approval.status = "cancelled";
    return this.approvalJson(approval);
  }

  #requirePending({ status }: Approval): void {
    if (status !== "pendingApproval") throw new Refused(400, `The request is ${status}`);
  }

  #pay(input: {
    account: Account;
    recipient: Recipient;
    cents: number;
    note: string | null;
    externalMemo: string | null;
    requestId: string | null;
  }): Transaction {
    const date = addBankingDays(bankingDateOf(this.now), 1);
    return this.#create({
      accountId: input.account.id,
      amountInCents: -input.cents,
      status: "pending",
      kind: "outgoingPayment",
      counterpartyId: input.recipient.id,
      counterpartyName: input.recipient.name,
      note: input.note,
      externalMemo: input.externalMemo,
      requestId: input.requestId,
      estimatedDeliveryDate: bankingInstant(date, "08:30"),
      postedAt: null,
      relatedTransactions: [],
    });
  }

  receive(account: Account, cents: number, { from, kind }: { from: string; kind: string }): object {
    const transaction = this.#create({
      accountId: account.id,
      amountInCents: cents,
      status: "sent",
      kind,
      counterpartyId: this.#id(),
      counterpartyName: from,
      note: null,
      externalMemo: null,
      requestId: null,
      estimatedDeliveryDate: this.now,
      postedAt: this.now,
      relatedTransactions: [],
    });
    return transactionJson(transaction);
  }

  #create(
    input: Omit<Transaction, "id" | "createdAt" | "failedAt" | "reasonForFailure" | "version">,
  ): Transaction {
    const id = this.#id();
    const nothing = { failedAt: null, reasonForFailure: null, version: 0 };
    const transaction: Transaction = { ...input, id, createdAt: this.now, ...nothing };
    this.transactions.set(id, transaction);
    this.#emit(transaction, "create", transactionJson(transaction), null);
    return transaction;
  }

  #change(transaction: Transaction, changes: Partial<Transaction>): object {
    const before = transactionJson(transaction);
    Object.assign(transaction, changes);
    const after = transactionJson(transaction);
    const changed = Object.keys(changes);
    const pick = (object: Record<string, unknown>) =>
      Object.fromEntries(changed.map((name) => [name, object[name] ?? null]));
    this.#emit(transaction, "update", pick(after), pick(before));
    return after;
  }

  /** RFC 7396: the patch holds what changed. Balances have events of their own, which nobody asked for. */
  #emit(
    transaction: Transaction,
    operationType: "create" | "update",
    mergePatch: Record<string, unknown>,
    previousValues: Record<string, unknown> | null,
  ): void {
    transaction.version += 1;
    const about = { resourceId: transaction.id, operationType, resourceVersion: transaction.version };
    const occurredAt = this.now.toISOString();
    const changedPaths = Object.keys(mergePatch);
    const change = { occurredAt, changedPaths, mergePatch, previousValues };
    this.events.push({ id: this.#id(), resourceType: "transaction", ...about, ...change });
    this.events.push({
      id: this.#id(),
      resourceType: "checkingAccount",
      resourceId: transaction.accountId,
      operationType: "update",
      resourceVersion: this.#made,
      occurredAt,
      changedPaths: ["availableBalance"],
      mergePatch: {},
      previousValues: {},
    });
  }

  post(transaction: Transaction): object {
    this.#require(transaction, ["pending"]);
    return this.#change(transaction, { status: "sent", postedAt: this.now });
  }

  /** The money of a payment that was posted comes back as a transaction of its own. */
  fail(transaction: Transaction, reason: string | null): object {
    this.#require(transaction, ["pending", "sent"]);
    if (transaction.postedAt) this.#giveBack(transaction, "PaymentRefundToFailedPayment");
    return this.#change(transaction, { status: "failed", failedAt: this.now, reasonForFailure: reason });
  }

  end(transaction: Transaction, status: "cancelled" | "blocked" | "reversed", reason: string | null): object {
    this.#require(transaction, status === "reversed" ? ["sent"] : ["pending"]);
    if (transaction.postedAt) this.#giveBack(transaction, "ReturnToOriginalTransaction");
    return this.#change(transaction, { status, failedAt: this.now, reasonForFailure: reason });
  }

  returnDeposit(transaction: Transaction, reason: string | null): object {
    this.#require(transaction, ["sent"]);
    return transactionJson(this.#giveBack(transaction, "ReturnToOriginalTransaction", reason));
  }

  #giveBack(original: Transaction, relationKind: string, reason: string | null = null): Transaction {
    const { id, accountId, amountInCents } = original;
    const back = this.#create({
      ...original,
      amountInCents: -amountInCents,
      status: "sent",
      kind: "other",
      note: null,
      requestId: null,
      postedAt: this.now,
      relatedTransactions: [{ id, accountId, relationKind, amount: amount(amountInCents) }],
    });
    if (reason !== null) back.reasonForFailure = reason;
    return back;
  }

  #require({ status }: Transaction, statuses: readonly TransactionStatus[]): void {
    if (!statuses.includes(status)) throw new Refused(400, `The transaction is ${status}`);
  }

  advanceTo(now: Date): void {
    const due = [...this.transactions.values()]
      .filter(({ status, estimatedDeliveryDate }) => status === "pending" && estimatedDeliveryDate <= now)
      .toSorted((a, b) => a.estimatedDeliveryDate.getTime() - b.estimatedDeliveryDate.getTime());
    for (const transaction of due) {
      if (transaction.estimatedDeliveryDate > this.now) this.now = transaction.estimatedDeliveryDate;
      this.post(transaction);
    }
    if (now > this.now) this.now = now;
  }

  subscribe(url: string): object {
    const secretKey = `emulated-${this.#id()}`;
    this.#subscriptions.push({ url, secretKey });
    this.#delivered = this.events.length;
    return { id: this.#id(), url, status: "active", secretKey };
  }

  /** Webhooks of the events since the last delivery; one that fails is not repeated, since polling finds the event. */
  async deliver(): Promise<void> {
    const fresh = this.events.slice(this.#delivered).slice(0, MAXIMUM_EVENTS_DELIVERED);
    this.#delivered = this.events.length;
    for (const { url, secretKey } of this.#subscriptions) {
      for (const event of fresh) {
        const body = write(event);
        await fetch(url, {
          method: "POST",
          body,
          signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
          headers: {
            "content-type": "application/json",
            // Signatures are checked against real time, not the emulator's.
            "mercury-signature": signMercury(secretKey, systemClock.now(), body),
          },
        }).catch(() => undefined);
      }
    }
  }
}

const sum = (transactions: readonly Transaction[]) =>
  transactions.reduce((total, { amountInCents }) => total + amountInCents, 0);

/** `t=<seconds>,v1=<hexadecimal HMAC-SHA256 of t.body>` (docs.mercury.com/reference/webhooks). */
export function signMercury(secretKey: string, at: Date, body: string): string {
  const seconds = Math.floor(at.getTime() / 1_000);
  const signature = createHmac("sha256", secretKey).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${signature}`;
}
