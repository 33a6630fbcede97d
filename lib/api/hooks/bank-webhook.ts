import { createHmac, timingSafeEqual } from "node:crypto";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { answerRefusal, type OutgoingResponse } from "@/lib/api/http/pipeline";
import { AppError } from "@/lib/contract/error";
import { COLLECT_BANK_NOTICES } from "@/lib/core/shared/work-names";
import type { Config } from "@/lib/platform/config";
import type { RequestFacts } from "@/lib/platform/observe/request-facts";
import type { Services } from "@/lib/platform/services";

/** What a signature is over: the body as sent, since one character more makes it another one. */
export interface SignedRequest {
  body: string;
  header: (name: string) => string | undefined;
  now: Date;
}

/** Whether the bank signed this request, not long ago; compares in constant time. */
export type VerifyBankWebhook = (request: SignedRequest) => boolean;

/** Those that may call, by the name in their path. Others do not exist. */
export type BankWebhooks = ReadonlyMap<string, VerifyBankWebhook>;

/** The parts of a request in use; the body is read only when the bank is known. */
export interface IncomingBankWebhook {
  bank: string;
  header: (name: string) => string | undefined;
  /** @throws AppError `PAYLOAD_TOO_LARGE`, `INVALID_PARAMETERS` when it is not UTF-8 */
  readBody: () => Promise<string>;
  facts: RequestFacts;
}

/** What is older may be a replay; Mercury and Standard Webhooks both recommend five minutes. */
export const SIGNATURE_TOLERANCE_MS = 5 * 60_000;
/** Banks sign the body; no registered scheme is called so. */
const SIGNATURE_CHALLENGE = 'Signature realm="bank webhooks"';
/** Per process, signed ones: many more than a bank sends. A stranger's cost one hash of a bounded body. */
const WEBHOOKS_PER_MINUTE = 600;
const MINUTE_MS = 60_000;

interface BankSecrets {
  increase: Pick<NonNullable<Config["increase"]>, "webhookSecret"> | null;
  mercury: Pick<NonNullable<Config["mercury"]>, "webhookSecret"> | null;
}

export function openBankWebhooks({ increase, mercury }: BankSecrets): BankWebhooks {
  const webhooks = new Map<string, VerifyBankWebhook>();
  if (increase?.webhookSecret) webhooks.set("increase", verifyIncrease(increase.webhookSecret));
  if (mercury?.webhookSecret) webhooks.set("mercury", verifyMercury(mercury.webhookSecret));
  return webhooks;
}

/**
 * Receives a bank's webhooks. One that the bank signed wakes the work that asks the bank what happened; nothing that it
 * says is believed, so a replay or a stolen secret causes one more question. No answer tells which organization is
 * served, or that one is.
 * @returns null for a bank that is not configured
 */
export function createBankWebhook(
  services: Pick<Services, "clock" | "wake" | "log">,
  webhooks: BankWebhooks,
): (request: IncomingBankWebhook) => Promise<OutgoingResponse | null> {
  const takeOne = createCounter();
  return async ({ bank, header, readBody, facts }) => {
    const verify = webhooks.get(bank);
    if (!verify) return null;
    facts.operation = "receiveBankWebhook";
    const headers: Record<string, string> = { "X-Request-Id": facts.requestId };
    const now = services.clock.now();
    try {
      const body = await readBody();
      if (!verify({ body, header, now })) {
        throw new AppError("UNAUTHORIZED", "The signature is missing, wrong or too old.");
      }
      // Only now: a stranger's requests would otherwise use up what the bank may send.
      const retryAfterSeconds = takeOne(now);
      if (retryAfterSeconds !== null) {
        headers["Retry-After"] = String(retryAfterSeconds);
        throw new AppError("RATE_LIMIT_EXCEEDED", "Too many webhooks. Send it again later.");
      }
      services.wake(COLLECT_BANK_NOTICES);
      return { status: 200, headers, body: { received: true } };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return answerRefusal(error, headers, SIGNATURE_CHALLENGE);
    }
  };
}

/** Counts within a minute of the clock. @returns seconds to wait, or null */
function createCounter(): (now: Date) => number | null {
  let minute = 0;
  let count = 0;
  return (now) => {
    const current = Math.floor(now.getTime() / MINUTE_MS);
    count = current === minute ? count + 1 : 1;
    minute = current;
    return count > WEBHOOKS_PER_MINUTE ? 60 - now.getUTCSeconds() : null;
  };
}

/** `Mercury-Signature: t=<seconds>,v1=<hex>`, HMAC-SHA256 of `t.body` (docs.mercury.com/reference/webhooks). */
function verifyMercury(secret: string): VerifyBankWebhook {
  return ({ body, header, now }) => {
    const sent = /^t=([0-9]{1,12}),v1=([0-9a-f]{64})$/.exec(header("mercury-signature") ?? "");
    const [, seconds, signature] = sent ?? [];
    if (seconds === undefined || signature === undefined) return false;
    if (Math.abs(now.getTime() - Number(seconds) * 1_000) > SIGNATURE_TOLERANCE_MS) return false;
    const expected = createHmac("sha256", secret).update(`${seconds}.${body}`).digest();
    return timingSafeEqual(expected, Buffer.from(signature, "hex"));
  };
}

/** Standard Webhooks, as Increase's SDK verifies them: HMAC-SHA256 over id, time and body, at most five minutes old. */
function verifyIncrease(secret: string): VerifyBankWebhook {
  const verifier = new Webhook(`whsec_${Buffer.from(secret).toString("base64")}`);
  return ({ body, header }) => {
    try {
      verifier.verify(body, {
        "webhook-id": header("webhook-id") ?? "",
        "webhook-timestamp": header("webhook-timestamp") ?? "",
        "webhook-signature": header("webhook-signature") ?? "",
      });
      return true;
    } catch (error) {
      if (error instanceof WebhookVerificationError || error instanceof SyntaxError) return false;
      throw error;
    }
  };
}
