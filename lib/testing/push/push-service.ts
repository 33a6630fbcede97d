import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { PushSubscriptionFacts } from "@/lib/contract/notifications";
import type { PushSetting } from "@/lib/core/shared/push-setting";
import { createEncryption } from "@/lib/platform/encryption";
import { createWebPush, derivePushKeys } from "@/lib/ports/messages/create-web-push";
import { createWebhookSender } from "@/lib/ports/webhooks/create-webhook-sender";

/** RFC 8030: what a push service must take; ours take no more. */
const MAXIMUM_BODY_BYTES = 4_096;

export interface ReceivedPush {
  /** The last part of the endpoint. */
  token: string;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

export interface TestPushService {
  origin: string;
  received: ReceivedPush[];
  /** Answers later messages to a token with this status; 201 otherwise. */
  answerWith(token: string, status: number): void;
  close(): Promise<void>;
}

/**
 * A push service (RFC 8030) on this machine: takes what a server posts to an endpoint, and refuses what a real one would:
 * another encoding, no time to live, no valid signature of the server (RFC 8292), more than 4 KB.
 * @param onPush called for each accepted message
 */
export async function startPushService(
  onPush: (push: ReceivedPush) => void = () => undefined,
): Promise<TestPushService> {
  const received: ReceivedPush[] = [];
  const answers = new Map<string, number>();
  let origin = "";
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const token = request.url?.split("/").at(-1) ?? "";
      const refusal = refuse(request, body, origin);
      const status = refusal ?? answers.get(token) ?? 201;
      const push = { token, headers: request.headers, body };
      if (refusal === null) received.push(push);
      if (status === 201) onPush(push);
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The push service has no port");
  origin = `http://127.0.0.1:${address.port}`;
  return {
    origin,
    received,
    answerWith: (token, status) => void answers.set(token, status),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function refuse({ method, headers }: IncomingMessage, body: Buffer, origin: string): number | null {
  if (method !== "POST") return 405;
  if (body.length > MAXIMUM_BODY_BYTES) return 413;
  if (headers["content-encoding"] !== "aes128gcm" || !/^\d+$/.test(String(headers.ttl))) return 400;
  return isSigned(headers.authorization ?? "", origin) ? null : 403;
}

/** `vapid t=<JWT signed with ES256>, k=<public key>` */
function isSigned(authorization: string, origin: string): boolean {
  const found = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]+)$/.exec(authorization);
  if (!found) return false;
  const [, head = "", claims = "", signature = "", key = ""] = found;
  const point = Buffer.from(key, "base64url");
  const publicKey = createPublicKey({
    format: "jwk",
    key: {
      kty: "EC",
      crv: "P-256",
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    },
  });
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, "base64url").toString());
  return (
    verify(
      "sha256",
      Buffer.from(`${head}.${claims}`),
      { key: publicKey, dsaEncoding: "ieee-p1363" },
      Buffer.from(signature, "base64url"),
    ) &&
    aud === origin &&
    exp * 1_000 > Date.now() &&
    /^(mailto:|https:)/.test(sub)
  );
}

export interface TestPushDevice {
  token: string;
  subscription: PushSubscriptionFacts;
  /** What the device reads of a message (RFC 8291, with one record of RFC 8188). */
  decrypt(body: Buffer): string;
}

const SALT_BYTES = 16;
const RECORD_SIZE_BYTES = 4;
const TAG_BYTES = 16;

/** A browser's side of a subscription: its own keys, as a browser makes them. */
export function createTestDevice(origin: string): TestPushDevice {
  const keys = createECDH("prime256v1");
  keys.generateKeys();
  const auth = randomBytes(16);
  const token = randomBytes(24).toString("base64url");
  return {
    token,
    subscription: {
      endpoint: `${origin}/push/${token}`,
      keys: { p256dh: keys.getPublicKey("base64url"), auth: auth.toString("base64url") },
    },
    decrypt: (body) => decryptFor(keys, auth, body),
  };
}

function decryptFor(keys: ECDH, auth: Buffer, body: Buffer): string {
  const salt = body.subarray(0, SALT_BYTES);
  const keyLengthAt = SALT_BYTES + RECORD_SIZE_BYTES;
  const keyEnd = keyLengthAt + 1 + body.readUInt8(keyLengthAt);
  const senderKey = body.subarray(keyLengthAt + 1, keyEnd);
  const shared = keys.computeSecret(senderKey);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), keys.getPublicKey(), senderKey]);
  const keying = Buffer.from(hkdfSync("sha256", shared, auth, info, 32));
  const derive = (label: string, length: number) =>
    Buffer.from(hkdfSync("sha256", keying, salt, `Content-Encoding: ${label}\0`, length));
  const record = body.subarray(keyEnd);
  const decipher = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
  decipher.setAuthTag(record.subarray(-TAG_BYTES));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG_BYTES)), decipher.final()]);
  // The last record ends with 2 and zeros.
  return padded.subarray(0, padded.lastIndexOf(2)).toString("utf8");
}

/** Sends for real, but only to this machine. */
export function createTestPush(): PushSetting {
  const secret = "a product secret of tests";
  return {
    port: createWebPush({
      identity: derivePushKeys(secret),
      subject: "mailto:operator@example.com",
      sender: createWebhookSender({ allowsPrivate: true }, { resolve: async () => ["127.0.0.1"] }),
    }),
    subscriptions: createEncryption(secret, "push subscriptions"),
  };
}
