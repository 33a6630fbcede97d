/**
 * Goal: a webhook of the bank wakes the work that asks the bank, and a request that the bank did not sign does nothing
 * and learns nothing. Method: the hooks' own app; signatures are those of the emulator, and of Mercury's documentation.
 */
import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { createHooks } from "@/lib/api/hooks/app";
import { openBankWebhooks, SIGNATURE_TOLERANCE_MS } from "@/lib/api/hooks/bank-webhook";
import { createAuditWriter } from "@/lib/core/audit/audit-writer";
import { COLLECT_BANK_NOTICES } from "@/lib/core/shared/work-names";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestServices } from "@/lib/testing/services";
import { openMercuryEmulator } from "@/proof/emulators/mercury/emulator";
import { signMercury } from "@/proof/emulators/mercury/world";

const SECRET = "a secret of the webhook at Mercury";
const BODY = '{"id":"bfa85eaa","resourceType":"transaction","mergePatch":{"status":"sent"}}';

const database = useTestDatabase();

function arrange(webhookSecret: string | null = SECRET) {
  const { services, clock, woken } = createTestServices(database);
  const audit = createAuditWriter(services);
  onTestFinished(() => audit.close());
  const hooks = createHooks(
    { ...services, audit },
    openBankWebhooks({ increase: null, mercury: { webhookSecret } }),
  );
  const post = (body: string, headers: Record<string, string> = {}, path = "/hooks/bank/mercury") =>
    hooks.request(path, { method: "POST", body, headers });
  const signed = (at = clock.now()) => ({ "mercury-signature": signMercury(SECRET, at, BODY) });
  return { clock, woken, post, signed };
}

describe("a webhook of Mercury", () => {
  test("that it signed wakes the asking, and nothing else", async () => {
    const { woken, post, signed } = arrange();
    const response = await post(BODY, signed());
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ received: true });
    expect(woken).toEqual([COLLECT_BANK_NOTICES]);
  });

  test("that nobody signed, or someone else, is refused with one answer, and wakes nothing", async () => {
    const { clock, woken, post, signed } = arrange();
    const { "mercury-signature": right } = signed();
    const [time, signature = ""] = right.split(",");
    const wrong: Record<string, string>[] = [
      {},
      { "mercury-signature": "" },
      { "mercury-signature": signMercury("another secret", clock.now(), BODY) },
      { "mercury-signature": signMercury(SECRET, clock.now(), `${BODY} `) },
      { "mercury-signature": `${time},v1=` },
      { "mercury-signature": `${time},v1=${"0".repeat(64)}` },
      { "mercury-signature": `${signature},${time}` },
      { "mercury-signature": `t=1,${signature}` },
      { "mercury-signature": `${right},v1=${"0".repeat(64)}` },
    ];
    const answers = await Promise.all(wrong.map((headers) => post(BODY, headers)));
    expect(answers.map((answer) => answer.status)).toEqual(wrong.map(() => 401));
    expect(answers.map(({ headers }) => headers.get("www-authenticate"))).toEqual(
      wrong.map(() => 'Signature realm="bank webhooks"'),
    );
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
    expect(woken).toEqual([]);
  });

  test("is refused when its signature is too old, or of the future", async () => {
    const { clock, woken, post, signed } = arrange();
    const at = (ms: number) => new Date(clock.now().getTime() + ms);
    expect((await post(BODY, signed(at(-SIGNATURE_TOLERANCE_MS)))).status).toBe(200);
    expect((await post(BODY, signed(at(-SIGNATURE_TOLERANCE_MS - 1_000)))).status).toBe(401);
    expect((await post(BODY, signed(at(SIGNATURE_TOLERANCE_MS + 1_000)))).status).toBe(401);
    expect(woken).toHaveLength(1);
  });

  test("with a body that is too large is refused", async () => {
    const { woken, post, signed } = arrange();
    expect((await post("x".repeat(70_000), signed())).status).toBe(413);
    expect(woken).toEqual([]);
  });

  test("is refused for the rest of the minute when there are too many, which Mercury sends again", async () => {
    const { clock, post, signed } = arrange();
    const answers = await Promise.all(Array.from({ length: 601 }, () => post(BODY, signed())));
    expect(answers.at(-1)?.status).toBe(429);
    expect(answers.at(-1)?.headers.get("retry-after")).toBe("60");
    clock.advance(60_000);
    expect((await post(BODY, signed())).status).toBe(200);
  });

  test("is accepted during a flood of strangers, who have no signature", async () => {
    const { woken, post, signed } = arrange();
    const strangers = await Promise.all(Array.from({ length: 700 }, () => post(BODY)));
    expect(new Set(strangers.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await post(BODY, signed())).status).toBe(200);
    expect(woken).toHaveLength(1);
  });

  test("finds nothing where no secret is set, at another bank and by another method", async () => {
    const without = arrange(null);
    expect((await without.post(BODY, without.signed())).status).toBe(404);
    const { woken, post, signed } = arrange();
    for (const path of [
      "/hooks/bank",
      "/hooks/bank/increase",
      "/hooks/bank/mercury/more",
      "/hooks/bank/MERCURY",
    ]) {
      expect((await post(BODY, signed(), path)).status).toBe(404);
    }
    expect(woken).toEqual([]);
  });
});

test("the emulator signs what it delivers as the receiver expects", async () => {
  const received: { body: string; signature: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const signature = String(request.headers["mercury-signature"]);
      received.push({ body: Buffer.concat(chunks).toString(), signature });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const emulator = await openMercuryEmulator({ startsAt: new Date("2026-11-20T15:00:00Z"), token: "token" });
  const account = emulator.openAccount(0);
  const registered = await fetch(`${emulator.url}/webhooks`, {
    method: "POST",
    headers: { authorization: "Bearer token", "content-type": "application/json" },
    body: JSON.stringify({ url: `http://127.0.0.1:${address.port}/` }),
  });
  const answer: unknown = await registered.json();
  const secretKey =
    answer && typeof answer === "object" && "secretKey" in answer ? String(answer.secretKey) : "";
  await emulator.simulate(`/account/${account}/receive`, { amountInCents: 29 });
  const [first] = received;
  if (!first) throw new Error("nothing was delivered");
  expect(JSON.parse(first.body)).toMatchObject({ resourceType: "transaction", mergePatch: { amount: 0.29 } });
  const verify = openBankWebhooks({ increase: null, mercury: { webhookSecret: secretKey } }).get("mercury");
  const header = () => first.signature;
  expect(verify?.({ body: first.body, header, now: new Date() })).toBe(true);
  expect(verify?.({ body: `${first.body} `, header, now: new Date() })).toBe(false);
  server.close();
  await emulator.close();
});
