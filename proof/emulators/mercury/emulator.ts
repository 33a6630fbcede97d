import { type ServerType, serve } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { z } from "zod";
import { parseWithNumbersAsText } from "@/lib/ports/bank/mercury/dollars";
import { found, Refused, write } from "@/proof/emulators/mercury/requests";
import {
  type Approval,
  type MercurySilence,
  MercuryWorld,
  type Recipient,
  type Transaction,
  transactionJson,
} from "@/proof/emulators/mercury/world";
import type { EmulatorRefusals } from "@/proof/emulators/refusals";
import { OddAnswers } from "@/proof/emulators/switches";

/** By default, Mercury lets someone other than the token's creator approve. */
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
  readonly refusals: EmulatorRefusals;
  readonly recipients: readonly Readonly<Recipient>[];
  readonly odd: OddAnswers;
  /** As a batch that settles in another account of the business: this many updates of one payment, all of this moment. */
  burst(count: number): void;
  /** So many deposits of one cent on an account, which no event names. */
  fill(accountId: string, count: number): void;
  /** An event of any shape, at the end of the list. */
  emit(event: Record<string, unknown>): void;
  /** Requests answered, as `POST /recipients`, in order. */
  readonly requests: readonly string[];
  /** Of approval requests, in order. */
  readonly approvals: readonly Readonly<Approval>[];
  readonly transactions: readonly Readonly<Transaction>[];
  close(): Promise<void>;
}

const simulatedSchema = z.object({ id: z.string().optional(), requestId: z.string().nullish() }).loose();
export type SimulatedObject = z.output<typeof simulatedSchema>;

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
  const silence: MercurySilence = {
    memoIs: "note",
    repeatsApproval: true,
    namesRequest: true,
    ...input.silence,
  };
  const world = new MercuryWorld(input.startsAt, silence);
  const losing: string[] = [];
  const requests: string[] = [];
  const odd = new OddAnswers();
  const app = createApp(world, { token: input.token, losing, requests, odd });
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
    odd,
    burst: (count) => world.burst(count),
    fill: (id, count) => world.fill(found(world.accounts, id), count),
    emit: (event) => world.emitAny(event),
    requests,
    refusals: world.refusals,
    get recipients() {
      return [...world.recipients.values()];
    },
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

function createApp(
  world: MercuryWorld,
  { token, losing, requests, odd }: { token: string; losing: string[]; requests: string[]; odd: OddAnswers },
): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    if (c.req.header("authorization") !== `Bearer ${token}`) throw new Refused(401, "unauthorized");
    const request = `${c.req.method} ${c.req.path}`;
    if (odd.replacement) {
      requests.push(request);
      return odd.replacement();
    }
    const failure = odd.failureOf(c.req.method, c.req.path);
    if (failure !== null) {
      requests.push(request);
      return Response.json({ errors: { message: "odd" } }, { status: failure });
    }
    await next();
    requests.push(request);
    const fields = odd.fieldsOf(c.req.method, c.req.path);
    if (fields && c.res.ok) {
      // Text before text: amounts keep the form in which they were written.
      const own = (await c.res.text()).slice(0, -1);
      c.res = new Response(`${own},${JSON.stringify(fields).slice(1)}`, c.res);
    }
    const lost = losing.indexOf(request);
    if (lost < 0) return;
    losing.splice(lost, 1);
    // The request was carried out, and its sender learns nothing.
    c.res = new Response("Bad gateway", { status: 502 });
  });
  app.use(async (c, next) => {
    const answer = world.refusals.take(c.req.method, c.req.path);
    return answer ? c.json(answer.body, answer.status, answer.headers) : await next();
  });
  app.onError((error, c) => {
    if (!(error instanceof Refused)) throw error;
    return c.json({ errors: { message: error.message } }, error.status);
  });
  app.notFound((c) => c.json({ errors: { message: "not found" } }, 404));

  const altered = (object: Record<string, unknown>) => ({
    ...object,
    ...odd.fieldsOf("GET", String(object.id ?? object.requestId)),
  });
  /** A full page, however few there are: another one may follow. */
  const endless = (c: Context, page: unknown[]) =>
    odd.isListEndless ? [...page, ...Array(limitOf(c) - page.length).fill(null)] : page;
  app.get("/account/:id", (c) => json(c, world.accountJson(found(world.accounts, c.req.param("id")))));
  app.get("/recipients", (c) => {
    const page = pageOf(c, [...world.recipients.values()], (recipient) => recipient.id);
    return json(c, { total: page.length, recipients: page.map(recipientJson).map(altered), page: {} });
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
    const requests = page.map((approval) => altered(world.approvalJson(approval)));
    return json(c, { requests: endless(c, requests), page: {} });
  });
  app.get("/request-send-money/:id", (c) =>
    json(c, world.approvalJson(found(world.approvals, c.req.param("id")))),
  );
  app.get("/transactions", (c) => {
    const accounts = c.req.queries("accountId");
    const { start, postedStart } = c.req.query();
    const createdFrom = start ? new Date(start) : null;
    const postedFrom = postedStart ? new Date(postedStart) : null;
    const matching = [...world.transactions.values()]
      .filter(({ accountId }) => accounts?.includes(accountId) ?? true)
      .filter(({ createdAt }) => createdFrom === null || createdAt >= createdFrom)
      .filter(({ postedAt }) => postedFrom === null || (postedAt !== null && postedAt >= postedFrom));
    const page = pageOf(c, matching, (transaction) => transaction.id);
    return json(c, { transactions: endless(c, page.map(transactionJson).map(altered)), page: {} });
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
    return json(c, { total: matching.length, transactions: page.map(transactionJson).map(altered) });
  });
  app.get("/transaction/:id", (c) => json(c, transactionJson(found(world.transactions, c.req.param("id")))));
  app.get("/events", (c) => {
    const wanted = c.req.query("resourceType");
    const matching = world.events.filter(({ resourceType }) => (wanted ?? resourceType) === resourceType);
    const after = c.req.query("start_after");
    const isAfterStrange = odd.strangeEvents.some((event) => String(Object(event).id) === after);
    const listed = isAfterStrange ? matching : pageOf(c, matching, (event) => event.id);
    return json(c, { events: [...odd.strangeEvents, ...listed], page: {} });
  });
  app.post("/webhooks", async (c) => {
    const { url } = z.object({ url: z.url() }).parse(await c.req.json());
    return json(c, world.subscribe(url));
  });
  addSimulations(app, world);
  return app;
}

function addSimulations(app: Hono, world: MercuryWorld): void {
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

function json(c: Context, object: object, status: 200 | 409 = 200): Response {
  return c.body(write(object), status, { "content-type": "application/json; charset=utf-8" });
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

async function bodyOf(c: Context): Promise<z.output<typeof bodySchema>> {
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
