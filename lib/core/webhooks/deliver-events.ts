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
import type { WebhookAnswer } from "@/lib/ports/webhooks/webhook-sender";

export interface EventDelivery {
  /** Leases what there is room for and starts to send it. Waits for no receiver. @returns how many it started. */
  runBatch(limit: number): Promise<number>;
  /** Resolves when all that is under way is recorded. */
  drain(): Promise<void>;
}

/** Under way at once in this process. */
const MAXIMUM_UNDER_WAY = 512;
const LIMITS: Omit<ClaimLimits, "total"> = {
  perEndpoint: 32,
  // Recording waits for the disk: the receiver meanwhile gets the next ones.
  unrecordedPerEndpoint: 128,
  perFailingEndpoint: 2,
  // Longer than an attempt may take and be recorded: two processes do not send one delivery at a time.
  leaseMs: DELIVERY_TIMEOUT_MS + 20_000,
};

/**
 * Sends events to their endpoints, at least once each: leased, sent outside any transaction, recorded. One whose
 * process died is sent again when its lease is over, under the same event id. Nothing here waits for a slow receiver
 * but the deliveries to that receiver (specification, Part 6; decisions page, "Webhooks").
 */
export function createEventDelivery(
  services: Pick<Services, "pool" | "clock" | "log" | "wake">,
  setting: Pick<WebhookSetting, "sender" | "secrets">,
): EventDelivery {
  const underWay = new Set<Promise<void>>();
  const busy = new Map<string, EndpointLoad>();

  function begin(delivery: ClaimedDelivery): void {
    const { endpointId } = delivery;
    const load = busy.get(endpointId) ?? { sending: 0, unrecorded: 0 };
    busy.set(endpointId, load);
    load.sending += 1;
    load.unrecorded += 1;
    const answered = () => {
      load.sending -= 1;
      // There is room again.
      services.wake(DELIVER_EVENTS);
    };
    const ended = deliverOne(services, setting, delivery, answered).finally(() => {
      underWay.delete(ended);
      load.unrecorded -= 1;
      if (load.unrecorded === 0) busy.delete(endpointId);
      services.wake(DELIVER_EVENTS);
    });
    underWay.add(ended);
  }

  return {
    runBatch: async (limit) => {
      const total = Math.min(limit, MAXIMUM_UNDER_WAY - underWay.size);
      if (total <= 0) return 0;
      const claimed = await claimDeliveries(services.pool, services.clock.now(), busy, { ...LIMITS, total });
      for (const delivery of claimed) begin(delivery);
      return claimed.length;
    },
    drain: async () => {
      await Promise.all(underWay);
    },
  };
}

/**
 * Never rejects: what cannot be recorded stays leased, and is sent again when the lease is over.
 * @param answered called once, when the receiver has nothing more to do
 */
async function deliverOne(
  services: Pick<Services, "pool" | "clock" | "log">,
  setting: Pick<WebhookSetting, "sender" | "secrets">,
  delivery: ClaimedDelivery,
  answered: () => void,
): Promise<void> {
  const { organizationId, endpointId, event, roundAttempts } = delivery;
  try {
    const startedAt = services.clock.now();
    const attempt = await attemptOnce(setting, delivery, startedAt).finally(answered);
    const { status } = await recordAttempt(services.pool, {
      organizationId,
      endpointId,
      eventId: event.id,
      startedAt: startedAt.toISOString(),
      finishedAt: services.clock.now().toISOString(),
      ...attempt,
      roundAttempts,
      retryInMs: nextDelayMs(roundAttempts + 1, Math.random),
    });
    incrementCounter("webhookAttempts", status);
  } catch (error) {
    services.log.error(
      { err: error, organizationId, endpointId, eventId: event.id },
      "an attempt to deliver could not be recorded",
    );
  }
}

type Attempt = WebhookAnswer & { signatureStart: string | null };

async function attemptOnce(
  { sender, secrets }: Pick<WebhookSetting, "sender" | "secrets">,
  { organizationId, endpointId, url, sealedSecret, event }: ClaimedDelivery,
  at: Date,
): Promise<Attempt> {
  const secret = openSecret(secrets, sealedSecret, secretContext(organizationId, endpointId));
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
  signatureStart: null,
};

/** @returns null when it does not open: the endpoint's history tells its owners, who can recreate it. */
function openSecret(secrets: Encryption, sealed: Buffer, context: string): string | null {
  try {
    return secrets.decrypt(sealed, context);
  } catch (error) {
    if (error instanceof DecryptionFailed) return null;
    throw error;
  }
}
