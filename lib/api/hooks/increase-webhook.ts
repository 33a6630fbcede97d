import type { Context, Hono } from "hono";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { answerRefusal, type OutgoingResponse } from "@/lib/api/http/pipeline";
import { readBody } from "@/lib/api/http/read-body";
import { AppError } from "@/lib/contract/error";
import { COLLECT_BANK_NOTICES } from "@/lib/core/shared/work-names";
import { newFacts, type RequestBindings } from "@/lib/platform/observe/request-facts";
import type { Services } from "@/lib/platform/services";

const INCREASE_WEBHOOK_PATH = "/hooks/bank/increase";

/**
 * Increase's webhooks: one that is signed and recent wakes the polling, which reads what happened from Increase itself.
 * Nothing in its body is believed, so a lost, repeated, late or forged one changes no money.
 */
export function addIncreaseWebhook(
  app: Hono<{ Bindings: RequestBindings }>,
  services: Pick<Services, "wake">,
  secret: string,
): void {
  app.post(INCREASE_WEBHOOK_PATH, async (c) => {
    const facts = c.env?.facts ?? newFacts();
    facts.route = INCREASE_WEBHOOK_PATH;
    facts.operation = "receiveBankWebhook";
    const { status, headers, body } = await answer(services, secret, c).catch((error: unknown) => {
      if (error instanceof AppError) return answerRefusal(error, {});
      throw error;
    });
    return new Response(status === 204 ? null : JSON.stringify(body), {
      status,
      headers: { ...headers, "X-Request-Id": facts.requestId, "Cache-Control": "no-store" },
    });
  });
}

async function answer(
  services: Pick<Services, "wake">,
  secret: string,
  c: Context<{ Bindings: RequestBindings }>,
): Promise<Pick<OutgoingResponse, "status" | "headers" | "body">> {
  const body = await readBody(c.env?.incoming ?? c.req.raw);
  if (!isSignedByIncrease(secret, body, c.req.raw.headers)) {
    throw new AppError("UNAUTHORIZED", "The signature of this webhook is missing, wrong or too old.");
  }
  services.wake(COLLECT_BANK_NOTICES);
  return { status: 204, headers: {}, body: null };
}

/** Standard Webhooks, as Increase's SDK verifies them: HMAC-SHA256 over id, time and body, at most 5 minutes old. */
function isSignedByIncrease(secret: string, body: string, headers: Headers): boolean {
  const verifier = new Webhook(`whsec_${Buffer.from(secret).toString("base64")}`);
  try {
    verifier.verify(body, {
      "webhook-id": headers.get("webhook-id") ?? "",
      "webhook-timestamp": headers.get("webhook-timestamp") ?? "",
      "webhook-signature": headers.get("webhook-signature") ?? "",
    });
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError || error instanceof SyntaxError) return false;
    throw error;
  }
}
