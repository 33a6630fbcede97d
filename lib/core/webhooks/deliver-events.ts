import { DELIVERY_TIMEOUT_MS, EVENT_ID_HEADER, SIGNATURE_HEADER } from "@/lib/contract/webhooks";
import { DELIVER_EVENTS } from "@/lib/core/shared/work-names";
import {
  type ClaimedDelivery,
  type ClaimLimits,
  claimDeliveries,
  type EndpointLoad,
  eventBody,
} from "@/lib/core/webhooks/claim-deliveries";
import { recordAttempt } from "@/lib/core/webhooks/record-attempt";
import { nextDelayMs } from "@/lib/core/webhooks/retry-schedule";
import { secretContext, signDelivery } from "@/lib/core/webhooks/sign-delivery";
import type { WebhookSetting } from "@/lib/core/webhooks/webhook-setting";
import { DecryptionFailed, type Encryption } from "@/lib/platform/encryption";
import { incrementCounter } from "@/lib/platform/observe/counters";
import type { Services } from "@/lib/platform/services";
import type { WebhookAnswer, WebhookSender } from "@/lib/ports/webhooks/webhook-sender";

export interface EventDelivery {
  /** Leases deliveries up to the limits and starts sending them, without waiting for receivers. @returns how many. */
  runBatch(limit: number): Promise<number>;
  /** Resolves when all started attempts are recorded. */
  drain(): Promise<void>;
}

/** Concurrent attempts of this process. */
const MAXIMUM_RUNNING = 512;
/** How often whole queues are looked through: events may be committed late, lose their leases, or be switched on again. */
const WHOLE_QUEUES_EVERY_MS = 1_000;
const LIMITS: Omit<ClaimLimits, "total"> = {
  perEndpoint: 32,
  // More than `perEndpoint`, because recording waits for the disk while the receiver could get the next ones.
  unrecordedPerEndpoint: 128,
  perFailingEndpoint: 2,
  // Longer than an attempt and its recording, so that two processes never send one delivery at the same time.
  leaseMs: DELIVERY_TIMEOUT_MS + 20_000,
};

/**
 * Sends events to their endpoints, at least once each: leased, sent outside any transaction, recorded. After a crash a
 * delivery is repeated under the same event id when its lease expires. A slow receiver delays only its own deliveries
 * (specification, Part 6; docs/behavior/webhooks.md).
 */
export function createEventDelivery(
  services: Pick<Services, "pool" | "clock" | "log" | "wake">,
  setting: Pick<WebhookSetting, "sender" | "secrets">,
): EventDelivery {
  const running = new Set<Promise<void>>();
  // By endpoint. Entries of idle endpoints are removed with each look through whole queues, which bounds the map.
  const busy = new Map<string, EndpointLoad>();
  let lookedThrough: Date | null = null;
  let lastWholeLook = new Date(0);

  function start(delivery: ClaimedDelivery, open: OpenSecret): void {
    const { endpointId } = delivery;
    const load = busy.get(endpointId) ?? { sending: 0, unrecorded: 0, claimedTo: null };
    busy.set(endpointId, load);
    load.claimedTo = delivery.place;
    load.sending += 1;
    load.unrecorded += 1;
    const answered = () => {
      load.sending -= 1;
      services.wake(DELIVER_EVENTS);
    };
    const ended = deliverOne(services, setting.sender, delivery, open, answered).finally(() => {
      running.delete(ended);
      load.unrecorded -= 1;
      services.wake(DELIVER_EVENTS);
    });
    running.add(ended);
  }

  function forgetPlaces(now: Date): void {
    lastWholeLook = now;
    lookedThrough = null;
    for (const [endpointId, load] of busy) {
      load.claimedTo = null;
      if (load.unrecorded === 0) busy.delete(endpointId);
    }
  }

  return {
    runBatch: async (limit) => {
      const total = Math.min(limit, MAXIMUM_RUNNING - running.size);
      if (total <= 0) return 0;
      const now = services.clock.now();
      // Also after the clock was set back, when the places found before would hide what is due.
      const areWhole = Math.abs(now.getTime() - lastWholeLook.getTime()) >= WHOLE_QUEUES_EVERY_MS;
      if (areWhole) forgetPlaces(now);
      const claimed = await claimDeliveries(
        services.pool,
        now,
        { busy, lookedThrough },
        { ...LIMITS, total },
      );
      // Endpoints that got none had nothing due, unless the others used up the total.
      if (areWhole && claimed.length < total) lookedThrough = now;
      const open = openEachOnce(setting.secrets);
      for (const delivery of claimed) start(delivery, open);
      return claimed.length;
    },
    drain: async () => {
      await Promise.all(running);
    },
  };
}

/**
 * Never rejects: an attempt that cannot be recorded stays leased and is repeated when the lease expires.
 * @param answered called once, when the request has ended
 */
async function deliverOne(
  services: Pick<Services, "pool" | "clock" | "log">,
  sender: WebhookSender,
  delivery: ClaimedDelivery,
  open: OpenSecret,
  answered: () => void,
): Promise<void> {
  const { organizationId, endpointId, event, roundAttempts } = delivery;
  try {
    const startedAt = services.clock.now();
    const { retryAfterMs, ...attempt } = await attemptOnce(sender, delivery, open, startedAt).finally(
      answered,
    );
    const { status } = await recordAttempt(services.pool, {
      organizationId,
      endpointId,
      eventId: event.id,
      startedAt: startedAt.toISOString(),
      finishedAt: services.clock.now().toISOString(),
      ...attempt,
      roundAttempts,
      retryInMs: nextDelayMs(roundAttempts + 1, Math.random, retryAfterMs),
    });
    incrementCounter("webhookAttempts", status);
  } catch (error) {
    services.log.error(
      { err: error, organizationId, endpointId, eventId: event.id },
      "a delivery attempt could not be recorded",
    );
  }
}

type Attempt = WebhookAnswer & { signatureStart: string | null };

async function attemptOnce(
  sender: WebhookSender,
  delivery: ClaimedDelivery,
  open: OpenSecret,
  at: Date,
): Promise<Attempt> {
  const { url, event } = delivery;
  const secret = open(delivery);
  if (secret === null) return UNSIGNED;
  const body = eventBody(event);
  const signature = signDelivery(secret, body, at);
  const answer = await sender.post({
    url,
    headers: {
      "content-type": "application/json",
      [EVENT_ID_HEADER]: event.id,
      [SIGNATURE_HEADER]: signature.header,
    },
    body,
  });
  return { ...answer, signatureStart: signature.start };
}

const UNSIGNED: Attempt = {
  statusCode: null,
  problem: "SECRET",
  answer: null,
  durationMs: 0,
  retryAfterMs: null,
  signatureStart: null,
};

/** Null if it cannot be decrypted, which the endpoint's history shows to its owners, who can recreate it. */
type OpenSecret = (of: ClaimedDelivery) => string | null;

/** For the deliveries of one batch: decrypting takes longer than signing. */
function openEachOnce(secrets: Encryption): OpenSecret {
  const opened = new Map<string, string | null>();
  return ({ organizationId, endpointId, encryptedSecret }) => {
    const known = opened.get(endpointId);
    if (known !== undefined) return known;
    const secret = openSecret(secrets, encryptedSecret, secretContext(organizationId, endpointId));
    opened.set(endpointId, secret);
    return secret;
  };
}

function openSecret(secrets: Encryption, sealed: Buffer, context: string): string | null {
  try {
    return secrets.decrypt(sealed, context);
  } catch (error) {
    if (error instanceof DecryptionFailed) return null;
    throw error;
  }
}
