import { type ServerType, serve } from "@hono/node-server";
import { type Context, Hono } from "hono";
import type Increase from "increase";
import { addDepositRoutes } from "@/proof/emulators/increase/deposits";
import { requireDocumented } from "@/proof/emulators/increase/document";
import { Body, found, invalid, Refused } from "@/proof/emulators/increase/requests";
import { type IncreaseGroup, IncreaseWorld } from "@/proof/emulators/increase/world";
import type { EmulatorRefusals } from "@/proof/emulators/refusals";
import { OddAnswers } from "@/proof/emulators/switches";

export interface IncreaseEmulator {
  url: string;
  now(): Date;
  /** Lets time pass: orders are submitted, settle and become available when they are due. */
  advanceTo(now: Date): Promise<void>;
  /** The next answer to such a request is lost after it was carried out. */
  loseNextAnswer(method: string, path: string): void;
  readonly refusals: EmulatorRefusals;
  /** What this group asks for; may change at any time. */
  readonly group: IncreaseGroup;
  /** A person, or Increase itself, ends an order that has not left. */
  end(achTransferId: string, how: "reject" | "cancel"): Promise<void>;
  readonly odd: OddAnswers;
  /** As a batch that settles in another account of the group: this many updates of one order, all of this moment. */
  burst(count: number): void;
  /** So many transactions of one cent on an account, which no event names. @param accountId of Increase */
  fill(accountId: string, count: number): void;
  /**
   * An event that becomes visible now, dated earlier, and again if it repeats one.
   * @param about its category and the object, which need not exist
   */
  emit(about: { category: string; objectId: string; createdAt?: Date }): void;
  /** Requests answered, as `POST /ach_transfers`, in order. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/**
 * Increase's API as far as the adapter uses it, with state and a clock: idempotent creation, errors, pagination, signed
 * webhooks, and the simulations of Increase's sandbox. Its answers are typed by Increase's own SDK. It keeps everything
 * in memory and moves nothing.
 */
export async function openIncreaseEmulator(input: {
  startsAt: Date;
  port?: number;
  apiKey: string;
  /** What a new account holds, as `sample_funds`. */
  openingInCents: number;
}): Promise<IncreaseEmulator> {
  const world = new IncreaseWorld(input.startsAt, input.openingInCents);
  const losing: string[] = [];
  const requests: string[] = [];
  const odd = new OddAnswers();
  const app = createApp(world, { apiKey: input.apiKey, losing, requests, odd });
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
    advanceTo: async (now) => {
      world.advanceTo(now);
      await world.deliver();
    },
    loseNextAnswer: (method, path) => losing.push(`${method} ${path}`),
    refusals: world.refusals,
    group: world.group,
    end: async (id, how) => {
      const transfer = found(world.transfers, id);
      if (how === "reject") world.reject(transfer);
      else world.cancel(transfer);
      await world.deliver();
    },
    odd,
    burst: (count) => world.burst(count),
    fill: (accountId, count) => world.fill(accountId, count),
    emit: ({ category, objectId, createdAt }) => world.emitLate(category, objectId, createdAt ?? world.now),
    requests,
    close: () =>
      new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve()))),
  };
}

function createApp(
  world: IncreaseWorld,
  {
    apiKey,
    losing,
    requests,
    odd,
  }: { apiKey: string; losing: string[]; requests: string[]; odd: OddAnswers },
): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    if (c.req.header("authorization") !== `Bearer ${apiKey}`) {
      throw new Refused(401, "invalid_api_key_error", "No such key.", { reason: "no_credential" });
    }
    const request = `${c.req.method} ${c.req.path}`;
    if (odd.replacement) {
      requests.push(request);
      return odd.replacement();
    }
    const failure = odd.failureOf(c.req.method, c.req.path);
    if (failure !== null) {
      requests.push(request);
      return Response.json(
        { type: "emulated_error", title: "Odd", detail: null, status: failure },
        { status: failure },
      );
    }
    await next();
    requests.push(request);
    const fields = odd.fieldsOf(c.req.method, c.req.path);
    if (fields && c.res.ok) c.res = Response.json({ ...(await c.res.json()), ...fields });
    const lost = losing.indexOf(request);
    if (lost < 0) return;
    losing.splice(lost, 1);
    // The request was carried out, and its sender learns nothing.
    c.res = new Response("Bad gateway", { status: 502 });
  });
  app.use(async (c, next) => {
    const answer = world.refusals.take(c.req.method, c.req.path);
    if (answer)
      return c.json({ title: "Refused", detail: null, ...answer.body }, answer.status, answer.headers);
    // Read again by the handler: Hono keeps the text.
    if (c.req.method === "POST") requireDocumented(c.req.method, c.req.path, await c.req.text());
    return await next();
  });
  app.onError((error, c) => {
    if (!(error instanceof Refused)) throw error;
    const { status, type, detail, more } = error;
    return c.json({ type, title: detail, detail, status, ...more }, status);
  });
  app.notFound((c) =>
    c.json({ type: "api_method_not_found_error", title: "No such method.", detail: null, status: 404 }, 404),
  );

  const create = <T extends { id: string }>(
    path: string,
    kept: Map<string, T>,
    make: (body: Body, key: string | null) => T,
  ) =>
    app.post(path, async (c) => {
      const text = await c.req.text();
      const key = c.req.header("idempotency-key") ?? null;
      const used = key === null ? undefined : world.used.get(key);
      if (key !== null && used) {
        const object = kept.get(used.id);
        if (used.path !== path || used.body !== text || !object) {
          const detail = "This key was used with other arguments.";
          throw new Refused(409, "idempotency_key_already_used_error", detail, { resource_id: used.id });
        }
        return c.json(object, 200, { "Idempotent-Replayed": "true" });
      }
      const object = make(new Body(JSON.parse(text)), key);
      kept.set(object.id, object);
      if (key !== null) world.used.set(key, { id: object.id, path, body: text });
      await world.deliver();
      return c.json(object);
    });
  const retrieve = <T extends object>(path: string, kept: Map<string, T>) =>
    app.get(`${path}/:id`, (c) => c.json(found(kept, c.req.param("id"))));
  const list = <T extends { id: string; created_at: string; idempotency_key?: string | null }>(
    path: string,
    kept: Map<string, T>,
    matches: (object: T, c: Context) => boolean = () => true,
    isEndless: () => boolean = () => false,
    strange: () => readonly unknown[] = () => [],
  ) =>
    app.get(path, (c) => {
      const objects = [...kept.values()].filter((object) => matches(object, c));
      const { data, next_cursor } = page(c, objects, {
        isEndless: isEndless(),
        cursorPadding: odd.cursorPadding,
      });
      const altered = data.map((object) => ({ ...object, ...odd.fieldsOf("GET", object.id) }));
      const named = odd.nextCursor ? odd.nextCursor(next_cursor) : next_cursor;
      return c.json({ data: [...strange(), ...altered], next_cursor: named });
    });

  create("/accounts", world.accounts, (body, key) => {
    world.requireOwner(body);
    return world.openAccount(body.text("name", 200), key);
  });
  list("/accounts", world.accounts);
  app.get("/accounts/:id/balance", (c) => c.json(world.balance(found(world.accounts, c.req.param("id")).id)));
  retrieve("/accounts", world.accounts);
  create("/account_numbers", world.numbers, (body, key) => world.addNumber(body, key));
  list("/account_numbers", world.numbers, (object, c) => isOf(c, "account_id", object.account_id));
  retrieve("/account_numbers", world.numbers);
  create("/external_accounts", world.outside, (body, key) => world.addOutside(body, key));
  list("/external_accounts", world.outside);
  retrieve("/external_accounts", world.outside);
  create("/account_transfers", world.moves, (body, key) => world.move(body, key));
  list("/account_transfers", world.moves, (object, c) => isOf(c, "account_id", object.account_id));
  retrieve("/account_transfers", world.moves);
  create("/ach_transfers", world.transfers, (body, key) => world.sendAch(body, key));
  list("/ach_transfers", world.transfers, (object, c) => isOf(c, "account_id", object.account_id));
  retrieve("/ach_transfers", world.transfers);
  list("/inbound_ach_transfers", world.inbound, (object, c) => isOf(c, "account_id", object.account_id));
  retrieve("/inbound_ach_transfers", world.inbound);
  list(
    "/transactions",
    world.transactions,
    (object, c) => isOf(c, "account_id", object.account_id),
    () => odd.isListEndless,
  );
  retrieve("/transactions", world.transactions);
  list(
    "/events",
    world.events,
    (object, c) => {
      const wanted = c.req.query("category.in")?.split(",");
      return wanted?.includes(object.category) ?? true;
    },
    () => odd.isListEndless,
    () => odd.strangeEvents,
  );
  retrieve("/events", world.events);
  app.post("/event_subscriptions", async (c) => {
    const body = new Body(await c.req.json());
    return c.json(world.subscribe(body.text("url", 2_000), body.text("shared_secret", 100)));
  });

  const simulate = (action: string, act: (transfer: Increase.ACHTransfer, body: Body) => void) =>
    app.post(`/simulations/ach_transfers/:id/${action}`, async (c) => {
      const transfer = found(world.transfers, c.req.param("id"));
      const text = await c.req.text();
      act(transfer, new Body(text === "" ? {} : JSON.parse(text)));
      await world.deliver();
      return c.json(transfer);
    });
  simulate("submit", (transfer) => world.submit(transfer));
  simulate("acknowledge", (transfer) => world.acknowledge(transfer));
  simulate("settle", (transfer, body) =>
    world.settle(transfer, body.optional("inbound_funds_hold_behavior") === "release_on_default_schedule"),
  );
  simulate("return", (transfer, body) => world.returnAch(transfer, body.optional("reason") ?? "no_account"));
  simulate("create_notification_of_change", (transfer, body) => world.change(transfer, body));
  const decide = (action: string, act: (transfer: Increase.ACHTransfer) => void) =>
    app.post(`/ach_transfers/:id/${action}`, async (c) => {
      const transfer = found(world.transfers, c.req.param("id"));
      act(transfer);
      await world.deliver();
      return c.json(transfer);
    });
  decide("approve", (transfer) => world.approve(transfer));
  decide("cancel", (transfer) => world.cancel(transfer));
  app.post("/simulations/pending_transactions/:id/release_inbound_funds_hold", async (c) => {
    const held = world.releaseEarly(c.req.param("id"));
    await world.deliver();
    return c.json({ id: c.req.param("id"), inbound_funds_hold: held, type: "pending_transaction" });
  });
  const deposits = addDepositRoutes(app, world);
  create("/check_deposits", deposits.checks, (body, key) => deposits.depositCheck(body, key));
  return app;
}

const isOf = (c: Context, name: string, value: string) => (c.req.query(name) ?? value) === value;

/** Newest first, unless asked otherwise; the cursor is the last object of the page before. */
function page<T extends { id: string; created_at: string; idempotency_key?: string | null }>(
  c: Context,
  objects: T[],
  { isEndless, cursorPadding }: { isEndless: boolean; cursorPadding: number },
): { data: T[]; next_cursor: string | null } {
  const limit = Number(c.req.query("limit") ?? 100);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) throw invalid("limit must be from 1 to 100.");
  const key = c.req.query("idempotency_key");
  const since = c.req.query("created_at.on_or_after");
  const matching = objects
    .filter((object) => key === undefined || object.idempotency_key === key)
    .filter((object) => since === undefined || new Date(object.created_at) >= new Date(since));
  // By creation, whatever the order in which they became visible; of one moment, in that order.
  const ascending = matching.toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
  const ordered = c.req.query("order_by.direction") === "ascending" ? ascending : ascending.reverse();
  const cursor = c.req.query("cursor")?.replace(/[~ ]*$/, "");
  const start = cursor === undefined ? 0 : ordered.findIndex((object) => object.id === cursor) + 1;
  const data = ordered.slice(start, start + limit);
  const isLast = start + limit >= ordered.length;
  const padded = (id: string) => id + "~".repeat(cursorPadding);
  if (isLast && isEndless) return { data, next_cursor: padded(data.at(-1)?.id ?? cursor ?? "endless") };
  const last = data.at(-1);
  return { data, next_cursor: isLast || !last ? null : padded(last.id) };
}
