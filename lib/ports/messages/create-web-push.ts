import { createECDH, ECDH, hkdfSync } from "node:crypto";
import webPush from "web-push";
import type { PushSubscriptionFacts } from "@/lib/contract/notifications";
import type { Config } from "@/lib/platform/config";
import { MessageNotSent, type PushPort, SUBSCRIPTION_ENDED } from "@/lib/ports/messages/message-ports";
import type { WebhookAnswer, WebhookSender } from "@/lib/ports/webhooks/webhook-sender";

/** The key pair that push services know this server by (VAPID), in base64url. */
export interface PushIdentity {
  publicKey: string;
  privateKey: string;
}

interface WebPushOptions {
  identity: PushIdentity;
  /** Where a push service reaches the operator: `mailto:` or `https:`. */
  subject: string;
  /** Endpoints are addresses from outside, as those of webhooks are: the same guard opens every connection. */
  sender: Pick<WebhookSender, "post" | "checkUrl">;
}

/**
 * Web push (RFC 8030) with payloads that only the device can read (RFC 8291), signed with this server's key (RFC 8292).
 */
export function createWebPush({ identity, subject, sender }: WebPushOptions): PushPort {
  const { publicKey, privateKey } = identity;
  return {
    publicKey,
    check: async ({ endpoint, keys }) =>
      isOnCurve(keys.p256dh) ? await sender.checkUrl(endpoint) : "The browser sent an unusable key.",
    send: async ({ subscription, payload, keepSeconds, isUrgent, topic }) => {
      const { endpoint, headers, body } = webPush.generateRequestDetails(subscription, payload, {
        vapidDetails: { subject, publicKey, privateKey },
        TTL: keepSeconds,
        urgency: isUrgent ? "high" : "normal",
        topic,
        contentEncoding: "aes128gcm",
      });
      settle(await sender.post({ url: endpoint, headers: asText(headers), body }));
    },
  };
}

/** Bad luck of 1 in 4 billion per attempt. */
const MAXIMUM_DERIVATIONS = 8;
const SCALAR_BYTES = 32;

/**
 * The key pair that identifies this server to push services (VAPID). Derived, so that every process and every restored
 * backup has the same: subscriptions are bound to it.
 */
export function derivePushKeys(productSecret: string): PushIdentity {
  for (let round = 0; round < MAXIMUM_DERIVATIONS; round += 1) {
    // Never change the label: every device would have to be registered again.
    const scalar = Buffer.from(
      hkdfSync("sha256", productSecret, "", `sluice push identity ${round}`, SCALAR_BYTES),
    );
    const pair = createECDH("prime256v1");
    try {
      pair.setPrivateKey(scalar);
    } catch {
      // Not below the order of the curve.
      continue;
    }
    return { publicKey: pair.getPublicKey("base64url"), privateKey: scalar.toString("base64url") };
  }
  throw new Error("No key for web push can be derived from the product secret.");
}

/** @param privateKey as `derivePushKeys` returned it */
export function pushIdentityOf(privateKey: string): PushIdentity {
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(Buffer.from(privateKey, "base64url"));
  return { publicKey: pair.getPublicKey("base64url"), privateKey };
}

/** Push services require a way to reach the sender: the operator's address, else the server's. */
export function pushSubject({
  supportEmail,
  appUrl,
  mailFrom,
}: Pick<Config, "supportEmail" | "appUrl" | "mailFrom">): string {
  if (supportEmail !== null) return `mailto:${supportEmail}`;
  if (appUrl.startsWith("https://")) return appUrl;
  return `mailto:${/<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom.trim()}`;
}

function isOnCurve(publicKey: PushSubscriptionFacts["keys"]["p256dh"]): boolean {
  try {
    ECDH.convertKey(Buffer.from(publicKey, "base64url"), "prime256v1");
    return true;
  } catch {
    return false;
  }
}

function asText(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

const ENDED: readonly number[] = [404, 410];
/** A refused signature, which the operator can correct, and too many requests. */
const WORTH_A_RETRY: readonly number[] = [401, 403, 408, 429];

/** Never repeats the answer: it could contain the endpoint, which suffices to send. */
function settle({ statusCode, problem }: WebhookAnswer): void {
  if (problem === null) return;
  if (statusCode === null) {
    const isPermanent = problem === "ADDRESS";
    throw new MessageNotSent(
      isPermanent ? "PERMANENT" : "TEMPORARY",
      problem,
      isPermanent
        ? "The push service has an address that this server must not call."
        : "The push service could not be reached.",
    );
  }
  if (ENDED.includes(statusCode)) {
    throw new MessageNotSent("PERMANENT", SUBSCRIPTION_ENDED, "The device ended its subscription.");
  }
  const isWorthARetry = statusCode >= 500 || WORTH_A_RETRY.includes(statusCode);
  throw new MessageNotSent(
    isWorthARetry ? "TEMPORARY" : "PERMANENT",
    String(statusCode),
    `The push service answered ${statusCode}.`,
  );
}
