import { randomUUID } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import { z } from "zod";
import type { MandateTerms } from "@/lib/contract/mandates/mandate";
import { transferSchema } from "@/lib/contract/transfer";
import { openEmbeddedEngine } from "@/lib/db/embedded-engine";
import { createPool } from "@/lib/db/pool";
import { prepareDatabase } from "@/lib/db/prepare-database";
import { calendarDate, dateOf, dayOf, describeDay } from "@/lib/engine/schedule/calendar-day";
import { startOfDay } from "@/lib/engine/schedule/wall-clock";
import { moveAnything } from "@/lib/testing/api";
import { auditBooks } from "@/lib/testing/conservation";
import { signedMandate, termsBetween } from "@/lib/testing/mandates/signed-mandate";
import { createTestOrganization } from "@/lib/testing/organization";
import {
  findFreePort,
  type ProductProcess,
  removeDataDirectory,
  startProduct,
} from "@/lib/testing/product-process";
import { anythingWithRules, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { createRealTimeServices } from "@/lib/testing/services";

export interface TrialOptions {
  /** Bundled `lib/testing/product-process-main.ts`. */
  program: string;
  processes: number;
  /** Killed and started again, one after the other; at most `processes`. */
  restarts: number;
  /** With each key; at most `MAXIMUM_CALLS_PER_KEY`. */
  callsPerKey: number;
  /** The planted fault: the database counts only uses that were returned. */
  hasFault: boolean;
}

export interface TriedMandate {
  name: string;
  asked: number;
  accepted: number;
  waited: number;
  /** The worst stretch of each limit. */
  limits: { what: string; movedInCents: number; limitInCents: number }[];
}

export interface Trial {
  mandates: TriedMandate[];
  kills: number;
  /** Requests with a currency, or an amount that is none: all were refused. */
  oddRefused: number;
  /** Requests without a clear answer, which were repeated with the same key. */
  unclear: number;
  /** What the key that asks nobody moved from the same account. */
  freeInCents: number;
  /** What else went wrong: books, or an answer that the database does not confirm. */
  problems: string[];
}

const ZONE = "America/New_York";
const OPENING_IN_CENTS = 100_000_000;
/** Of one key within a minute the product lets 100 through, odd ones included. */
export const MAXIMUM_CALLS_PER_KEY = 80;
const CONCURRENCY = 4;
const AMOUNTS = [2_500, 4_000, 7_000];
/** Of the time that the calls take at least: then the month ends. */
const BOUNDARY_AT = 0.6;
const HOUR_MS = 3_600_000;
/** As docs/scaling.md says; a killed one leaves its own for a moment. */
const CONNECTIONS_OF_PROCESS = 17;
const FOR_OURSELVES = 50;

/** Hammers signed mandates as `npm run trial:mandates` describes. */
export async function playTrial(options: TrialOptions): Promise<Trial> {
  const { program, processes, hasFault } = options;
  const dataDirectory = await mkdtemp(join(tmpdir(), "sluice-mandates-"));
  const engine = await openEmbeddedEngine({
    dataDirectory,
    maximumConnections: FOR_OURSELVES + processes * CONNECTIONS_OF_PROCESS,
  });
  const products: ProductProcess[] = [];
  const pools: Pool[] = [];
  try {
    await prepareDatabase(engine);
    const [pool, ownerPool] = [createPool(engine.application), createPool(engine.owner)];
    pools.push(pool, ownerPool);
    const world = await openWorld(pool, ownerPool);
    if (hasFault) await countNoUse(ownerPool);
    const start = async () => startProduct({ program, dataDirectory, port: await findFreePort() });
    products.push(...(await Promise.all(Array.from({ length: processes }, start))));
    const takesMs = (options.callsPerKey / CONCURRENCY) * BETWEEN_CALLS_MS;
    await moveToMonthEnd(ownerPool, world.organizationId, takesMs * BOUNDARY_AT);
    const hammered = await hammer(world, products, { start, ...options });
    const { oddProblems, answers, ...counts } = hammered;
    const judged = await judge(world, ownerPool, answers);
    return { ...counts, ...judged, problems: [...oddProblems, ...judged.problems] };
  } finally {
    await Promise.all(products.map((product) => product.kill()));
    await Promise.all(pools.map((pool) => pool.end()));
    await engine.leave();
    await removeDataDirectory(dataDirectory);
  }
}

interface TrialKey {
  name: string;
  text: string;
  /** Null: it asks nobody. */
  mandateId: string | null;
}

type World = Awaited<ReturnType<typeof openWorld>>;

/** A key for each sort of limit, a key that asks nobody, and a rule that moves from the same account. */
async function openWorld(pool: Pool, ownerPool: Pool) {
  const services = createRealTimeServices(pool);
  const organization = await createTestOrganization({ pool, ownerPool }, services);
  const source = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: OPENING_IN_CENTS,
  });
  const destination = await organization.addAccount({ name: "Taxes", type: "POD" });
  const reserve = await organization.addAccount({ name: "Reserve", type: "POD" });
  const free = await organization.addKey([moveAnything(false), ...anythingWithRules(false)], "asks nobody");
  const from = calendarDate(services.clock.now(), ZONE);
  const keys: TrialKey[] = [];
  for (const [name, limits] of LIMITS) {
    const key = await organization.addKey([moveAnything(true)], name);
    const until = dateOf(dayOf(from) + 90);
    const terms = termsBetween([source], [destination], { maximumInCents: 7_000, from, until, ...limits });
    keys.push({
      name,
      text: key.text,
      mandateId: await signedMandate(services, organization.owner, key.id, terms),
    });
  }
  const ruleId = await writeRule(services, free.context, {
    trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: destination, minimumAmountInCents: null },
    steps: [
      {
        conditions: null,
        actions: [
          {
            type: "FIXED",
            sourceAccountId: source,
            destinationAccountId: reserve,
            amountInCents: 100,
            group: 0,
          },
        ],
      },
    ],
  });
  await makeActive({ ownerPool }, ruleId);
  keys.push({ name: "asks nobody", text: free.text, mandateId: null });
  return { organizationId: organization.organizationId, source, destination, reserve, keys };
}

const LIMITS: [string, Partial<MandateTerms>][] = [
  ["month", { monthInCents: 60_000 }],
  ["day", { dayInCents: 45_000, maximumUses: 14 }],
  ["30 days", { thirtyDaysInCents: 50_000 }],
  [
    "week",
    { weekInCents: 55_000, totalInCents: 65_000, recurrence: { period: "DAY", atMost: 8, daysApart: null } },
  ],
];

/** A mistake that a programmer might make: uses are read by the wrong states, so that none counts. */
async function countNoUse(ownerPool: Pool): Promise<void> {
  const { rows } = await ownerPool.query<{ text: string }>(
    "select pg_get_functiondef('mandate_counts'::regproc) as text",
  );
  const counting = "('PROCESSING', 'COMPLETE', 'RETURNED')";
  const text = rows[0]?.text ?? "";
  if (!text.includes(counting))
    throw new Error("mandate_counts counts by other states than this trial knows");
  await ownerPool.query(text.replace(counting, "('RETURNED')"));
}

/** The organization's clock, as the sandbox moves it: the month ends in the middle of the calls. */
async function moveToMonthEnd(ownerPool: Pool, organizationId: string, afterMs: number): Promise<void> {
  const { rows } = await ownerPool.query<{ now: Date }>("select clock_timestamp() as now");
  const now = rows[0]?.now ?? new Date(0);
  const today = dayOf(calendarDate(now, ZONE));
  const { lastOfMonth, dayOfMonth } = describeDay(today);
  const monthEndsAt = startOfDay(dateOf(today + lastOfMonth - dayOfMonth + 1), ZONE).getTime();
  const offsetMs = Math.max(0, monthEndsAt - afterMs - now.getTime());
  await ownerPool.query("update organizations set clock_offset_ms = $2 where id = $1", [
    organizationId,
    Math.round(offsetMs),
  ]);
}

/** What a key's requests were answered with, by transfer. */
type Answers = Map<string, z.output<typeof transferSchema>>;

interface Hammered {
  answers: Map<string, Answers>;
  unclear: number;
  kills: number;
  oddRefused: number;
  /** Odd requests that the product accepted. */
  oddProblems: string[];
}

interface Hammering extends Pick<TrialOptions, "callsPerKey" | "restarts"> {
  start: () => Promise<ProductProcess>;
}

/** Every key from every process; beside it processes are killed, one after the other, and start again. */
async function hammer(
  { keys, source, destination, reserve }: World,
  products: ProductProcess[],
  { start, callsPerKey, restarts }: Hammering,
): Promise<Hammered> {
  const result: Hammered = {
    answers: new Map(keys.map(({ name }) => [name, new Map()])),
    unclear: 0,
    kills: 0,
    oddRefused: 0,
    oddProblems: [],
  };
  const send = async (key: TrialKey, call: number): Promise<void> => {
    const body = {
      sourceAccountId: source,
      destinationAccountId: key.mandateId === null ? reserve : destination,
      amountInCents: AMOUNTS[call % AMOUNTS.length] ?? 0,
    };
    const idempotencyKey = randomUUID();
    for (let tries = 0; tries < MAXIMUM_TRIES; tries += 1) {
      const product = products[(call + tries) % products.length];
      const transfer = product && (await post(product.apiUrl, key.text, idempotencyKey, body));
      if (transfer) {
        result.answers.get(key.name)?.set(transfer.id, transfer);
        return;
      }
      result.unclear += 1;
      await pause(RETRY_AFTER_MS);
    }
    throw new Error(`A request of ${key.name} never got a clear answer`);
  };
  /** A count that adds up numbers whatever their currency, or takes what is none, lets more through. */
  const sendOdd = async (key: TrialKey, place: number): Promise<void> => {
    const [odd] = ODD.slice(place % ODD.length);
    const body = { sourceAccountId: source, destinationAccountId: destination, amountInCents: 7_000, ...odd };
    for (let tries = 0; tries < MAXIMUM_TRIES; tries += 1) {
      const product = products[(place + tries) % products.length];
      const response = product && (await request(product.apiUrl, key.text, randomUUID(), body));
      if (response && !UNCLEAR.has(response.status)) {
        if (response.status === 400) result.oddRefused += 1;
        else result.oddProblems.push(`${JSON.stringify(odd)} was answered with ${response.status}.`);
        return;
      }
      result.unclear += 1;
      await pause(RETRY_AFTER_MS);
    }
    throw new Error(`An odd request of ${key.name} never got a clear answer`);
  };
  const calling = keys.flatMap((key) =>
    Array.from({ length: CONCURRENCY }, async (_, line) => {
      for (let call = line; call < callsPerKey; call += CONCURRENCY) {
        await send(key, call);
        if (call % ODD_EVERY === 0) await sendOdd(key, call / ODD_EVERY);
        // Spread over the end of the month.
        await pause(BETWEEN_CALLS_MS);
      }
    }),
  );
  const restarting = async () => {
    for (let place = 0; place < Math.min(restarts, products.length); place += 1) {
      await pause(BETWEEN_KILLS_MS);
      await products[place]?.kill();
      result.kills += 1;
      products[place] = await start();
    }
  };
  await Promise.all([...calling, restarting()]);
  return result;
}

const MAXIMUM_TRIES = 400;
const RETRY_AFTER_MS = 100;
const BETWEEN_CALLS_MS = 400;
const BETWEEN_KILLS_MS = 1_500;
const TIMEOUT_MS = 10_000;
const ODD_EVERY = 8;
/** Sluice holds US dollars, in whole cents. */
const ODD: readonly object[] = [
  { currency: "JPY" },
  { amountInCents: { value: 7_000, currency: "EUR" } },
  { amountInCents: "7000" },
  { amountInCents: 0.5 },
  { amountInCents: -7_000 },
  { amountInCents: 2 ** 53 },
  { amount: 70, currency: "USD" },
];
/** Over its rate, being carried out elsewhere, or its process was killed. */
const UNCLEAR: ReadonlySet<number> = new Set([409, 429, 500, 503]);
const answeredSchema = z.object({ data: transferSchema });

/** @returns null without an answer */
async function request(apiUrl: string, keyText: string, idempotencyKey: string, body: object) {
  const response = await fetch(`${apiUrl}/transfers`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${keyText}`,
      "Content-Type": "application/json",
      "Idempotency-Key": idempotencyKey,
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null);
  const text = await response?.text().catch(() => null);
  return response && typeof text === "string" ? { status: response.status, text } : null;
}

/** @returns null without a clear answer: nobody knows whether it was carried out */
async function post(...sent: Parameters<typeof request>) {
  const response = await request(...sent);
  if (response === null || UNCLEAR.has(response.status)) return null;
  if (response.status === 202) return answeredSchema.parse(JSON.parse(response.text)).data;
  throw new Error(`Refused with ${response.status}: ${response.text}`);
}

interface MovedRow {
  mandateId: string;
  acceptedAt: Date;
  amountInCents: number;
  day: string;
}

/** Sums what moved from the transfers themselves, and compares every answer with what the database holds. */
async function judge({ organizationId, keys }: World, ownerPool: Pool, answers: Map<string, Answers>) {
  const { rows } = await ownerPool.query<MovedRow & { id: string }>(
    `select id, mandate_id as "mandateId", accepted_at as "acceptedAt", amount_in_cents as "amountInCents",
        (accepted_at at time zone $2)::date::text as day
       from transfers where organization_id = $1 and mandate_id is not null and status in ('PROCESSING', 'COMPLETE')
      order by accepted_at`,
    [organizationId, ZONE],
  );
  const problems: string[] = [];
  if (new Set(rows.map(({ day }) => day.slice(0, 7))).size !== 2)
    problems.push("No month ended between the uses: nothing about its boundary was tried.");
  const mandates: TriedMandate[] = [];
  for (const { name, mandateId } of keys) {
    if (mandateId === null) continue;
    const moved = rows.filter((row) => row.mandateId === mandateId);
    const answered = [...(answers.get(name)?.values() ?? [])];
    const accepted = answered.filter((transfer) => transfer.mandateId === mandateId);
    const unknown = moved.filter(({ id }) => !accepted.some((transfer) => transfer.id === id));
    if (unknown.length > 0 || accepted.length !== moved.length)
      problems.push(`${name}: ${accepted.length} were answered as accepted, and ${moved.length} moved.`);
    const waited = answered.length - accepted.length;
    const terms = LIMITS.find(([of]) => of === name)?.[1] ?? {};
    mandates.push({
      name,
      asked: answered.length,
      accepted: accepted.length,
      waited,
      limits: limitsOf(terms, moved),
    });
  }
  const books = await auditBooks({ ownerPool }, organizationId);
  if (books.wrongLedgers.length + books.negative.length + books.wrongHolds.length > 0)
    problems.push(`The books do not balance: ${JSON.stringify(books)}`);
  const free = [...(answers.get("asks nobody")?.values() ?? [])];
  return { mandates, problems, freeInCents: free.reduce((sum, { amountInCents }) => sum + amountInCents, 0) };
}

function limitsOf(terms: Partial<MandateTerms>, moved: readonly MovedRow[]): TriedMandate["limits"] {
  const most = (of: (row: MovedRow) => string) => {
    const sums = new Map<string, number>();
    for (const row of moved) sums.set(of(row), (sums.get(of(row)) ?? 0) + row.amountInCents);
    return Math.max(0, ...sums.values());
  };
  const rolling = moved.map(({ acceptedAt: begin }) =>
    moved
      .filter(({ acceptedAt: at }) => at >= begin && at.getTime() < begin.getTime() + 720 * HOUR_MS)
      .reduce((sum, { amountInCents }) => sum + amountInCents, 0),
  );
  const limits: [string, number, number | null | undefined][] = [
    ["a day", most(({ day }) => day), terms.dayInCents],
    ["a week", most(({ day }) => mondayOf(day)), terms.weekInCents],
    ["a calendar month", most(({ day }) => day.slice(0, 7)), terms.monthInCents],
    ["any 30 days", Math.max(0, ...rolling), terms.thirtyDaysInCents],
    ["in all", most(() => ""), terms.totalInCents],
  ];
  return limits.flatMap(([what, movedInCents, limitInCents]) =>
    limitInCents === null || limitInCents === undefined ? [] : [{ what, movedInCents, limitInCents }],
  );
}

function mondayOf(day: string): string {
  const noon = Date.parse(`${day}T12:00:00Z`);
  return new Date(noon - ((new Date(noon).getUTCDay() + 6) % 7) * 24 * HOUR_MS).toISOString().slice(0, 10);
}
