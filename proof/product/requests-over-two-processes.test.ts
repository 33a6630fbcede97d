import { once } from "node:events";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { transferSchema } from "@/lib/contract/transfer";
import { moveAnything, readEverything } from "@/lib/testing/api";
import { auditBooks } from "@/lib/testing/conservation";
import { createTestOrganization } from "@/lib/testing/organization";
import { type ProductPair, startProductPair } from "@/lib/testing/product-process";
import { createRealTimeServices } from "@/lib/testing/services";
import { waitForRoomInMinute } from "@/lib/testing/wait-until";

/**
 * Two real processes on one database, as behind a load balancer: what one of them knows, both must. Goal: a retry that
 * lands elsewhere makes no second transfer, and a second process adds no allowance.
 */
/** Far more than the requests of one test take, also on a busy machine. */
const ROOM_MS = 12_000;

let pair: ProductPair;
let scene: Awaited<ReturnType<typeof arrange>>;
beforeAll(async () => {
  pair = await startProductPair();
  scene = await arrange();
}, 180_000);
afterAll(() => pair?.close());

async function arrange() {
  const services = createRealTimeServices(pair.pool);
  const organization = await createTestOrganization(pair, services);
  const add = (name: string) => organization.addAccount({ name, type: "POD", balanceInCents: 1_000_000 });
  const body = {
    sourceAccountId: await add("Operating"),
    destinationAccountId: await add("Taxes"),
    amountInCents: 12_500,
  };
  const addKey = () => organization.addKey([...readEverything, moveAnything(false)]);
  return { organization, body, addKey };
}

interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** The request, sent to one process or the other in turn. */
async function send(turn: number, path: string, keyText: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`${pair.apiUrls[turn % pair.apiUrls.length]}${path}`, {
    ...init,
    headers: { Authorization: `Bearer ${keyText}`, "Content-Type": "application/json", ...init.headers },
    signal: AbortSignal.timeout(30_000),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const countTransfers = async () => {
  const { rows } = await pair.ownerPool.query<{ count: number }>(
    "select count(*)::int as count from transfers where origin = 'API'",
  );
  return rows[0]?.count ?? 0;
};

describe("idempotency over two processes", () => {
  it("makes one transfer of 50 identical requests at once; the rest are its replay or told to wait", async () => {
    const before = await countTransfers();
    const { text } = await scene.addKey();
    const init = {
      method: "POST",
      body: JSON.stringify(scene.body),
      headers: { "Idempotency-Key": "invoice-318" },
    };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, turn) => send(turn, "/transfers", text, init)),
    );
    expect(await countTransfers()).toBe(before + 1);
    const made = answers.filter(({ status }) => status === 202);
    const ids = made.map(({ body }) => transferSchema.parse(Object(body).data).id);
    expect(new Set(ids).size).toBe(1);
    expect(made.filter(({ headers }) => headers.get("idempotent-replayed") === null)).toHaveLength(1);
    for (const { status, body } of answers.filter((answer) => answer.status !== 202)) {
      expect([status, Object(body).error.code]).toEqual([409, "TRANSFER_IN_PROGRESS"]);
    }
    // And each process gives the same answer afterwards, whichever of them made it.
    for (const turn of [0, 1]) {
      const later = await send(turn, "/transfers", text, init);
      expect([later.status, Object(later.body).data.id]).toEqual([202, ids[0]]);
    }
    const books = await auditBooks(pair, scene.organization.organizationId);
    expect(books).toMatchObject({ wrongLedgers: [], negative: [], wrongHolds: [] });
  });
});

describe("the rate limit over two processes", () => {
  it("allows a hundred requests of a clock minute between them, and refuses the others with the way back", async () => {
    await waitForRoomInMinute(ROOM_MS);
    // Making a key asks once, in this minute too.
    const { text } = await scene.addKey();
    const other = await scene.addKey();
    const answers: Answer[] = [];
    for (let sent = 0; sent < 120; sent += 20) {
      answers.push(
        ...(await Promise.all(
          Array.from({ length: 20 }, (_, turn) => send(turn, "/accounts?pageSize=1", text)),
        )),
      );
    }
    const refused = answers.filter(({ status }) => status === 429);
    const allowed = answers.filter(({ status }) => status === 200);
    const before = 1;
    expect([allowed.length, refused.length]).toEqual([100 - before, 20 + before]);
    for (const { headers, body } of refused) {
      expect(Object(body).error.code).toBe("RATE_LIMIT_EXCEEDED");
      const seconds = Number(headers.get("retry-after"));
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(headers.get("ratelimit")).toBe(`"per-key";r=0;t=${seconds}`);
    }
    // Each allowed request gets a different remaining number: none was counted twice or missed.
    const remaining = allowed.map(({ headers }) => /r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]);
    expect(new Set(remaining).size).toBe(allowed.length);
    expect((await send(1, "/accounts", other.text)).status).toBe(200);
    const { rows } = await pair.ownerPool.query(
      `select count(*)::int as count from audit_entries
        where api_key_name = 'test-key' and error_code = 'RATE_LIMIT_EXCEEDED' and outcome = 'FAILURE'`,
    );
    // Each process writes the first that it refuses; the rest are counted until the minute is over.
    expect([1, 2]).toContain(rows[0]?.count);
  });
});

describe("a body that hides its length", () => {
  it.each([
    { what: "up to the limit is read", bytes: 64 * 1024, status: 202 },
    { what: "beyond it is refused without being kept", bytes: 64 * 1024 + 1, status: 413 },
    {
      what: "far beyond it is refused without being kept, and its sender hears of it",
      bytes: 4 * 1024 * 1024,
      status: 413,
    },
  ])("$what", async ({ bytes, status }) => {
    const { text } = await scene.addKey();
    const whole = JSON.stringify(scene.body);
    const body = Buffer.from(whole.padEnd(bytes, " "));
    expect(await sendChunked(text, body)).toBe(status);
  });

  it("that is cut off in the middle changes nothing", async () => {
    const { text } = await scene.addKey();
    const before = await countTransfers();
    const outgoing = openChunked(text);
    outgoing.on("error", () => {});
    const closed = new Promise<void>((resolve) => outgoing.on("close", resolve));
    outgoing.write(JSON.stringify(scene.body).slice(0, 40));
    await once(outgoing, "socket");
    outgoing.destroy();
    await closed;
    expect((await send(0, "/accounts", text)).status).toBe(200);
    expect(await countTransfers()).toBe(before);
  });
});

function openChunked(keyText: string) {
  return request(`${pair.apiUrls[0]}/transfers`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${keyText}`,
      "Content-Type": "application/json",
      "Transfer-Encoding": "chunked",
    },
  });
}

/** In pieces of 16 KiB; a server that has answered may close before it has heard all. */
async function sendChunked(keyText: string, body: Buffer): Promise<number> {
  const outgoing = openChunked(keyText);
  const status = new Promise<number>((resolve, reject) => {
    outgoing.on("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    // After an answer it means nothing.
    outgoing.on("error", reject);
  });
  for (let start = 0; start < body.length; start += 16_384)
    outgoing.write(body.subarray(start, start + 16_384));
  outgoing.end();
  const answered = await status;
  outgoing.destroy();
  return answered;
}
