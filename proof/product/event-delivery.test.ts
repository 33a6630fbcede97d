/**
 * Two processes of the product deliver the events of two organizations to receivers that fail three times in ten, and
 * one event at every attempt. One process is killed with -9 on the way, then both, and the clock is moved through the
 * whole retry schedule. The receivers' view comes only from their own record, not the product's.
 */
import { createHmac } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RETRY_DELAYS_MS, webhookEventSchema } from "@/lib/contract/webhooks";
import { seededNumbers } from "@/lib/core/demo/seeded-numbers";
import { openEmbeddedEngine } from "@/lib/db/embedded-engine";
import { createPool } from "@/lib/db/pool";
import { prepareDatabase } from "@/lib/db/prepare-database";
import { loadSecret } from "@/lib/db/secret";
import { createEncryption } from "@/lib/platform/encryption";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { type BuiltProgram, buildProgram } from "@/lib/testing/embedded-process";
import { createTestOrganization } from "@/lib/testing/organization";
import {
  findFreePort,
  type ProductProcess,
  removeDataDirectory,
  startProduct,
} from "@/lib/testing/product-process";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { createRealTimeServices } from "@/lib/testing/services";
import { waitUntil } from "@/lib/testing/wait-until";
import { addEndpoint, createTestWebhooks, startReceiver, type TestReceiver } from "@/lib/testing/webhooks";

/** Each transfer between pods is two events: created and booked. */
const TRANSFERS = proofSize(60, 5_000);
const EVENTS = 2 * TRANSFERS;
/** How often each of twenty events is refused: nine of twenty-nine deliveries, one event three times in a row. */
const REFUSALS = [3, 2, 1, 1, 1, 1, ...Array<number>(14).fill(0)];
/** This one is refused until it failed and is sent again. */
const DEAD_EVENT = 5;
const MINUTE_MS = 60_000;
/** Beyond the next due time, so that everything with jitter falls due together. */
const JUMP_MS = 10 * MINUTE_MS;
const LONGEST_ANSWER_MS = 30;
/** About thirty are needed. */
const MAXIMUM_JUMPS = 200;

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram("lib/testing/product-process-main.ts");
});
afterAll(() => program.remove());

it(`every one of ${EVENTS} events arrives, at its own organization alone and when the schedule says, over kill -9`, {
  timeout: 600_000,
}, async () => {
  const scene = await openScene();
  try {
    await scene.start();
    await scene.start();
    const asked = scene.askTransfers();
    await waitUntil("a third has arrived", () => scene.arrivals() > EVENTS / 3, 120_000);
    await scene.killOne();
    await scene.start();
    await asked;
    await scene.passSchedule();
    await scene.sendDeadAgain();
    await expectEverythingArrived(scene);
    await expectSchedule(scene.ownerPool);
  } finally {
    await scene.close();
  }
});

type Scene = Awaited<ReturnType<typeof openScene>>;

interface Arrival {
  eventId: string;
  transferId: string;
  answered: number;
}

interface Party {
  organizationId: string;
  receiver: TestReceiver;
  arrivals: Arrival[];
  /** What was wrong with a request, as a sentence. */
  faults: string[];
  ask: () => Promise<unknown>;
  /** From now on everything is accepted. */
  mend: () => void;
}

async function openScene() {
  const random = seededNumbers(proofSeed);
  const dataDirectory = await mkdtemp(join(tmpdir(), "sluice-events-"));
  const secret = await loadSecret({ dataDirectory, secret: null });
  const engine = await openEmbeddedEngine({ dataDirectory });
  await prepareDatabase(engine);
  const pool = createPool(engine.application);
  const ownerPool = createPool(engine.owner);
  const open = () => openParty({ pool, ownerPool }, secret, random);
  const parties = [await open(), await open()];
  const products: ProductProcess[] = [];
  const port = await findFreePort();
  let offsetMs = 0;

  async function passTime(ms: number): Promise<void> {
    offsetMs += Math.ceil(ms);
    await ownerPool.query("update organizations set clock_offset_ms = $1", [offsetMs]);
  }

  return {
    ownerPool,
    parties,
    arrivals: () => parties.reduce((sum, { arrivals }) => sum + arrivals.length, 0),
    async start() {
      // The first address may be free again, but not on every system yet.
      const own = products.length === 0 ? port : await findFreePort();
      products.push(
        await startProduct({
          program: program.path,
          dataDirectory,
          port: own,
          environment: { WEBHOOK_ALLOW_PRIVATE: "1" },
        }),
      );
    },
    async killOne() {
      await products.shift()?.kill();
    },
    async askTransfers() {
      for (let asked = 0; asked < TRANSFERS; asked += 10) {
        await Promise.all(Array.from({ length: 10 }, (_, index) => parties[index % 2]?.ask()));
      }
    },
    /** Advances the clock to the next due time until nothing is due. */
    async passSchedule() {
      for (let jumps = 0; jumps < MAXIMUM_JUMPS; jumps++) {
        await waitUntil("all that is due was tried", async () => (await countDue(ownerPool)) === 0, 120_000);
        const nextInMs = await readNextDue(ownerPool);
        if (nextInMs === null) return;
        await passTime(Math.max(0, nextInMs) + JUMP_MS);
      }
      throw new Error("The schedule has no end");
    },
    /** As a person does with failed events once the receiver is fixed: one event of each party. */
    async sendDeadAgain() {
      for (const party of parties) party.mend();
      const { rowCount } = await ownerPool.query(
        `update webhook_deliveries set status = 'PENDING', round_attempts = 0, due_at = '-infinity'
          where status = 'DEAD'`,
      );
      expect(rowCount, "failed events").toBe(parties.length);
      await this.passSchedule();
    },
    async close() {
      await Promise.all(products.map((product) => product.kill()));
      await Promise.all(parties.map(({ receiver }) => receiver.close()));
      await Promise.all([pool.end(), ownerPool.end()]);
      await engine.leave();
      await removeDataDirectory(dataDirectory);
    },
  };
}

async function openParty(
  database: { pool: pg.Pool; ownerPool: pg.Pool },
  productSecret: string,
  random: (least: number, most: number) => number,
): Promise<Party> {
  const services = createRealTimeServices(database.pool);
  const organization = await createTestOrganization(database, services);
  const { organizationId } = organization;
  const source = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 100_000_000,
  });
  const destination = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey([moveAnything(false)]);
  const arrivals: Arrival[] = [];
  const faults: string[] = [];
  let isMended = false;
  const refusals = new Map<string, number>();
  const planned = planRefusals(random);
  /** By event: how often one is refused does not depend on the order of arrival. */
  function answer(eventId: string): number {
    const left = refusals.get(eventId) ?? planned(refusals.size);
    refusals.set(eventId, left - 1);
    return left > 0 && !isMended ? 500 : 204;
  }
  let secret = "";
  const receiver = await startReceiver(async ({ headers, body }) => {
    const fault = findFault(secret, String(headers["x-service-signature"]), body);
    if (fault) faults.push(fault);
    const event = webhookEventSchema.parse(JSON.parse(body));
    if (headers["x-service-event-id"] !== event.id) faults.push(`${event.id} has another id in its header`);
    const answered = answer(event.id);
    arrivals.push({ eventId: event.id, transferId: event.resource.id, answered });
    // As long as a receiver takes, so that a kill finds deliveries in progress.
    await pause(random(5, LONGEST_ANSWER_MS));
    return answered;
  });
  const secrets = createEncryption(productSecret, "webhook signing secrets");
  const setting = { ...createTestWebhooks(), secrets };
  secret = (await addEndpoint(services, setting, organizationId, receiver.url)).secret;
  const ask = () =>
    askTransfer(services, key.context, {
      sourceAccountId: source,
      destinationAccountId: destination,
      amountInCents: 100,
    });
  const mend = () => {
    isMended = true;
  };
  return { organizationId, receiver, arrivals, faults, ask, mend };
}

/** @returns how often the first, second, … event is refused: the same set in every twenty, in a different order */
function planRefusals(random: (least: number, most: number) => number): (place: number) => number {
  let deck: number[] = [];
  return (place) => {
    if (deck.length === 0) deck = [...REFUSALS];
    const [drawn = 0] = deck.splice(random(0, deck.length - 1), 1);
    return place === DEAD_EVENT ? Number.POSITIVE_INFINITY : drawn;
  };
}

/** The receiver's own clock is real, however far the organization's was moved. */
function findFault(secret: string, header: string, body: string): string | null {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  const mine = createHmac("sha256", secret).update(`${t}.${body}`).digest("hex");
  if (mine !== v1) return `${body} is not signed by its endpoint's secret`;
  const nowSeconds = (performance.timeOrigin + performance.now()) / 1_000;
  return Math.abs(nowSeconds - Number(t)) <= 300 ? null : `${body} was signed at ${t}`;
}

async function countDue(ownerPool: pg.Pool): Promise<number> {
  const { rows } = await ownerPool.query<{ count: number }>(
    `select (select count(*) from transfers where status = 'PROCESSING')::int
          + (select count(*) from webhook_deliveries d join organizations o on o.id = d.organization_id
              where d.status = 'PENDING'
                and (d.due_at <= clock_timestamp() + o.clock_offset_ms * interval '1 millisecond'
                  or d.leased_until is not null))::int as count`,
  );
  return rows[0]?.count ?? 0;
}

/** Business time until the next attempt, in milliseconds; null: there is none. */
async function readNextDue(ownerPool: pg.Pool): Promise<number | null> {
  const { rows } = await ownerPool.query<{ ms: number | null }>(
    `select (extract(epoch from min(d.due_at - clock_timestamp() - o.clock_offset_ms * interval '1 millisecond'))
              * 1000)::float8 as ms
       from webhook_deliveries d join organizations o on o.id = d.organization_id where d.status = 'PENDING'`,
  );
  return rows[0]?.ms ?? null;
}

async function expectEverythingArrived({ parties, ownerPool }: Scene): Promise<void> {
  for (const { organizationId, arrivals, faults } of parties) {
    expect(faults).toEqual([]);
    const { rows } = await ownerPool.query<{ id: string }>(
      "select id from transfers where organization_id = $1 and proposed_by_kind = 'API_KEY'",
      [organizationId],
    );
    expect(rows).toHaveLength(TRANSFERS / 2);
    const reported = new Map<string, Set<string>>();
    for (const { transferId, eventId, answered } of arrivals) {
      if (answered === 204) reported.set(transferId, (reported.get(transferId) ?? new Set()).add(eventId));
    }
    // Created and booked: both were received with a 2xx, for each transfer of this organization and no other.
    expect(new Set(reported.keys())).toEqual(new Set(rows.map(({ id }) => id)));
    expect([...reported.values()].filter((events) => events.size !== 2)).toEqual([]);
    const failed = arrivals.filter(({ answered }) => answered === 500).length;
    expect(failed / arrivals.length, "the receiver did fail").toBeGreaterThan(0.2);
  }
}

/** By the product's own history: never earlier than the schedule, and no later than the next jump of the clock. */
async function expectSchedule(ownerPool: pg.Pool): Promise<void> {
  const { rows } = await ownerPool.query<{ number: number; earlyMs: number; lateMs: number }>(
    `with gaps as (
       select number, extract(epoch from attempted_at - lag(attempted_at) over attempt) * 1000
            - lag(duration_ms) over attempt as gap_ms, number - 1 as failed
         from webhook_attempts
         window attempt as (partition by organization_id, endpoint_id, event_id order by number))
     select g.number, min(g.gap_ms - 0.9 * s.delay_ms)::float8 as "earlyMs",
         max(g.gap_ms - s.delay_ms)::float8 as "lateMs"
       from gaps g join unnest($1::bigint[]) with ordinality as s (delay_ms, failed) on s.failed = g.failed
      where g.gap_ms is not null
      group by g.number order by g.number`,
    [[...RETRY_DELAYS_MS]],
  );
  expect(rows.length, "the whole schedule was needed").toBe(RETRY_DELAYS_MS.length);
  for (const { number, earlyMs, lateMs } of rows) {
    // Durations are whole milliseconds, and the last one was recorded a moment after it ended.
    expect(earlyMs, `attempt ${number} is never early`).toBeGreaterThan(-50);
    expect(lateMs, `attempt ${number} is made when the clock passes it`).toBeLessThan(
      JUMP_MS + 5 * MINUTE_MS,
    );
  }
}
