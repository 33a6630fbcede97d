/**
 * Deliveries as Sluice's own code signs them, and everything that is not one. A receiver that takes a forgery moves
 * money for the forger; one that refuses genuine deliveries loses events.
 */
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventBody } from "@/lib/core/webhooks/claim-deliveries";
import { makeSigningSecret, signDelivery } from "@/lib/core/webhooks/sign-delivery";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { type ReceivedWebhook, verifyWebhook, type WebhookVerificationReason } from "./index.js";

const T = 1_795_182_012;
const ID = "019aa2d4-1c25-7d10-8a4e-3b7c5f9e2d1e";
const SECRET = makeSigningSecret();
const BODY = eventBody({
  id: ID,
  type: "transfer.changed",
  resourceType: "transfer",
  resourceId: "019aa2d4-1c20-7a9b-83e7-6f10d2b54c16",
  createdAt: new Date(T * 1_000),
});

const sign = (body = BODY, secret = SECRET, t = T) => signDelivery(secret, body, new Date(t * 1_000)).header;
const SIGNATURE = sign();
const V1 = SIGNATURE.slice(SIGNATURE.indexOf("v1="));

const verify = (changed: Partial<ReceivedWebhook> = {}) =>
  verifyWebhook({ body: BODY, signature: SIGNATURE, secret: SECRET, now: () => T * 1_000, ...changed });

/** The reason of a refusal; anything but a refusal fails the test. */
async function refusal(changed: Partial<ReceivedWebhook>): Promise<WebhookVerificationReason> {
  const outcome = await verify(changed).catch((error: unknown) => error);
  expect(outcome).toMatchObject({ name: "WebhookVerificationError" });
  return Object(outcome).reason;
}

describe("a genuine delivery", () => {
  it("is read, as text and as bytes", async () => {
    const event = {
      id: ID,
      type: "transfer.changed",
      resource: { type: "transfer", id: "019aa2d4-1c20-7a9b-83e7-6f10d2b54c16" },
      created_at: "2026-11-20T13:40:12.000Z",
    };
    expect(await verify()).toEqual(event);
    expect(await verify({ body: new TextEncoder().encode(BODY) })).toEqual(event);
  });

  it.each([
    ["fetch", new Headers({ "X-Service-Signature": SIGNATURE, "X-Service-Event-Id": ID })],
    ["Node", { "x-service-signature": SIGNATURE, "x-service-event-id": ID, host: "localhost" }],
    ["a framework", { "X-Service-Signature": [SIGNATURE], "X-SERVICE-EVENT-ID": ID }],
  ])("is found in the headers of %s", async (_, headers) => {
    expect((await verify({ headers, signature: null })).id).toBe(ID);
  });

  it("is taken with either secret while an endpoint is recreated, and with neither afterwards", async () => {
    const next = makeSigningSecret();
    for (const secret of [
      [SECRET, next],
      [next, SECRET],
    ])
      expect((await verify({ secret })).id).toBe(ID);
    expect(await refusal({ secret: [next] })).toBe("NO_MATCH");
  });

  it("is taken beside other signatures and schemes", async () => {
    const other = "0".repeat(64);
    for (const signature of [
      `t=${T},v1=${other},${V1}`,
      `t=${T},${V1},v1=${other}`,
      `t=${T}, v0=x, ${V1}, v2=${other}`,
    ])
      expect((await verify({ signature })).id).toBe(ID);
  });

  it("may name what this client does not know", async () => {
    const body = JSON.stringify({
      id: ID,
      type: "card.changed",
      resource: { type: "card", id: "1", version: 2 },
      created_at: "2027-01-01T00:00:00Z",
      data: { more: true },
    });
    expect(await verify({ body, signature: sign(body) })).toEqual(JSON.parse(body));
  });
});

describe("the clock", () => {
  const at = (ageSeconds: number, toleranceSeconds?: number) => ({
    now: () => (T + ageSeconds) * 1_000,
    ...(toleranceSeconds !== undefined && { toleranceSeconds }),
  });

  it.each([0, 1, 299, 300, -1, -299, -300])("takes a signature that is %i s old", async (age) => {
    expect((await verify(at(age))).id).toBe(ID);
  });

  it.each([
    [301, "TOO_OLD"],
    [86_400, "TOO_OLD"],
    [-301, "TOO_NEW"],
    [-86_400, "TOO_NEW"],
  ])("refuses one that is %i s old", async (age, reason) => {
    expect(await refusal(at(age))).toBe(reason);
  });

  it("counts whole seconds: the last thousandth of the 300th is still in time", async () => {
    expect((await verify({ now: () => (T + 300) * 1_000 + 999 })).id).toBe(ID);
    expect(await refusal({ now: () => (T - 301) * 1_000 + 999 })).toBe("TOO_NEW");
  });

  it("keeps another tolerance to both sides, none included", async () => {
    expect((await verify(at(0, 0))).id).toBe(ID);
    expect(await refusal(at(1, 0))).toBe("TOO_OLD");
    expect(await refusal(at(-1, 0))).toBe("TOO_NEW");
    expect((await verify(at(600, 600))).id).toBe(ID);
  });

  it("refuses while it is not known what time it is, or how much may be", async () => {
    expect(await refusal({ now: () => Number.NaN })).toBe("TOO_OLD");
    expect(await refusal({ toleranceSeconds: Number.NaN })).toBe("TOO_OLD");
  });

  it("is not told to someone without the secret", async () => {
    expect(await refusal({ ...at(301), signature: sign(BODY, "whsec_guessed") })).toBe("NO_MATCH");
  });
});

describe("a header", () => {
  it.each([
    ["nothing", null],
    ["no header", undefined],
    ["an empty one", ""],
  ])("is missing: %s", async (_, signature) => {
    expect(await refusal({ signature })).toBe("MISSING_SIGNATURE");
  });

  it("is missing among others", async () => {
    expect(await refusal({ headers: {}, signature: SIGNATURE })).toBe("MISSING_SIGNATURE");
    expect(await refusal({ headers: new Headers() })).toBe("MISSING_SIGNATURE");
  });

  it.each([
    ["no t", V1],
    ["no v1", `t=${T}`],
    ["another scheme alone", `t=${T},v2=${"0".repeat(64)}`],
    ["two t", `t=${T},t=${T},${V1}`],
    ["two headers joined by a proxy", `${SIGNATURE}, ${SIGNATURE}`],
    ["a t that is not a number", `t=now,${V1}`],
    ["an empty t", `t=,${V1}`],
    ["a t with a sign", `t=+${T},${V1}`],
    ["a t with a fraction", `t=${T}.0,${V1}`],
    ["a t in other digits", `t=١٧٩,${V1}`],
    ["a t without end", `t=${"9".repeat(13)},${V1}`],
    ["a short v1", SIGNATURE.slice(0, -1)],
    ["a long v1", `${SIGNATURE}0`],
    ["a v1 in capitals", `t=${T},v1=${"A".repeat(64)}`],
    ["one bad v1 beside a good one", `${SIGNATURE},v1=x`],
    ["an empty part", `${SIGNATURE},`],
    ["a part without a value", `${SIGNATURE},v2`],
    ["semicolons", SIGNATURE.replace(",", ";")],
    ["control characters", `t=${T}\n,${V1}\0`],
    ["too many parts", `${SIGNATURE}${",a=b".repeat(15)}`],
    ["too much text", `${SIGNATURE},a=${"b".repeat(1_024)}`],
  ])("is malformed: %s", async (_, signature) => {
    expect(await refusal({ signature })).toBe("MALFORMED_SIGNATURE");
  });

  it("has room for as much as it may hold", async () => {
    expect((await verify({ signature: `${SIGNATURE}${",a=b".repeat(14)}` })).id).toBe(ID);
  });
});

describe("a body", () => {
  const bodies: [string, string][] = [
    ["no JSON", "transfer.changed"],
    ["empty", ""],
    ["null", "null"],
    ["a list", `[${BODY}]`],
    ["without an id", BODY.replace('"id"', '"no"')],
    ["with an empty id", BODY.replace(ID, "")],
    ["with an id without end", BODY.replace(ID, "9".repeat(101))],
    ["with a number as its type", BODY.replace('"transfer.changed"', "1")],
    ["without a resource", BODY.replace('"resource"', '"no"')],
    ["without a time", BODY.replace('"created_at"', '"no"')],
  ];
  it.each(bodies)("that is signed and %s is malformed", async (_, body) => {
    expect(await refusal({ body, signature: sign(body) })).toBe("MALFORMED_BODY");
  });

  it("that is signed and no UTF-8 is malformed, not read with its errors replaced", async () => {
    const body = new TextEncoder().encode(BODY);
    body[body.length - 3] = 0xff;
    const v1 = createHmac("sha256", SECRET).update(`${T}.`).update(body).digest("hex");
    expect(await refusal({ body, signature: `t=${T},v1=${v1}` })).toBe("MALFORMED_BODY");
  });

  it("may not be larger than any delivery, whatever its signature", async () => {
    const size = 256 * 1024;
    const filled = (length: number) => BODY + " ".repeat(length - BODY.length);
    expect((await verify({ body: filled(size), signature: sign(filled(size)) })).id).toBe(ID);
    const tooLarge = filled(size + 1);
    expect(await refusal({ body: tooLarge, signature: sign(tooLarge) })).toBe("MALFORMED_BODY");
  });

  it("tells its own id: a header with another one was put there by someone else", async () => {
    const headers = { "x-service-signature": SIGNATURE, "x-service-event-id": ID.replace("0", "1") };
    expect(await refusal({ headers })).toBe("EVENT_ID_MISMATCH");
  });
});

it.each([[""], [[]], [["", SECRET]]])(
  "no secret is an error of the program, not a delivery that verifies: %j",
  async (secret) => {
    await expect(verify({ secret })).rejects.toBeInstanceOf(TypeError);
  },
);

/** Every text that differs in one of the lower eight bits of one character. */
function flips(text: string): string[] {
  return [...text].flatMap((character, place) =>
    [0, 1, 2, 3, 4, 5, 6, 7].map((bit) => {
      const flipped = String.fromCharCode(character.charCodeAt(0) ^ (1 << bit));
      return text.slice(0, place) + flipped + text.slice(place + 1);
    }),
  );
}

describe("one flipped bit", () => {
  it.each([
    ["the body", BODY, (body: string) => ({ body })],
    ["the header", SIGNATURE, (signature: string) => ({ signature })],
    ["the secret", SECRET, (secret: string) => ({ secret })],
  ])("anywhere in %s is refused", async (_, text, change) => {
    const changed = flips(text);
    expect(changed).toHaveLength(text.length * 8);
    for (const one of changed) {
      const reason = await refusal(change(one));
      expect(["NO_MATCH", "MALFORMED_SIGNATURE"], one).toContain(reason);
    }
  });

  it("in bytes that are not text is refused too", async () => {
    const bytes = new TextEncoder().encode(BODY);
    for (const [place, byte] of bytes.entries()) {
      const body = Uint8Array.from(bytes);
      body[place] = byte ^ 0x80;
      expect(await refusal({ body })).toBe("NO_MATCH");
    }
  });
});

describe("whatever arrives", () => {
  const options = { seed: proofSeed, numRuns: proofSize(300, 10_000) };
  const piece = fc.oneof(
    fc.constantFrom("t=", "v1=", "v0=", ",", "=", " ", `${T}`, V1, SIGNATURE, "0".repeat(64)),
    fc.string({ maxLength: 20, unit: "binary" }),
  );

  it("is refused with a reason unless it is signed: no header makes it crash or pass", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
        const signature = pieces.join("");
        const outcome = await verify({ signature, secret: "whsec_another" }).catch((error: unknown) => error);
        expect(outcome).toMatchObject({
          reason: expect.stringMatching(/^(MISSING|MALFORMED)_SIG|^NO_MATCH$/),
        });
      }),
      options,
    );
  });

  it("passes with its own secret, body and time, and with no other", async () => {
    const json = fc.record({
      id: fc.uuid(),
      type: fc.string({ minLength: 1, unit: "grapheme" }),
      resource: fc.record({ type: fc.string({ minLength: 1 }), id: fc.uuid() }),
      created_at: fc.string({ minLength: 1 }),
      more: fc.jsonValue(),
    });
    const secrets = fc.string({ minLength: 1, maxLength: 200, unit: "grapheme" });
    const times = fc.integer({ min: 1, max: 999_999_999_999 });
    await fc.assert(
      fc.asyncProperty(json, secrets, secrets, times, async (event, secret, other, t) => {
        const body = JSON.stringify(event);
        const received = { body, secret, signature: sign(body, secret, t), now: () => t * 1_000 };
        expect(await verify(received)).toEqual(JSON.parse(body));
        if (other !== secret) expect(await refusal({ ...received, secret: other })).toBe("NO_MATCH");
        expect(await refusal({ ...received, body: `${body} ` })).toBe("NO_MATCH");
        const moved = received.signature.replace(`t=${t}`, `t=${t + 1}`);
        if (`${t + 1}`.length < 13) expect(await refusal({ ...received, signature: moved })).toBe("NO_MATCH");
      }),
      options,
    );
  });
});
