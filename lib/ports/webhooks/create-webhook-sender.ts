import { Agent, request } from "undici";
import { DELIVERY_TIMEOUT_MS, KEPT_ANSWER_CHARACTERS } from "@/lib/contract/webhooks";
import type { WebhookAnswer, WebhookRequest, WebhookSender } from "@/lib/ports/webhooks/webhook-sender";

/** Sends through undici; follows no redirect. */
export function createWebhookSender(): WebhookSender {
  const agent = new Agent();
  return {
    post: (delivery) => post(agent, delivery),
    checkUrl: async () => null,
    close: () => agent.close(),
  };
}

async function post(agent: Agent, { url, headers, body }: WebhookRequest): Promise<WebhookAnswer> {
  const startedAt = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAt);
  try {
    const answer = await request(url, {
      method: "POST",
      headers,
      body,
      dispatcher: agent,
      signal: AbortSignal.timeout(DELIVERY_TIMEOUT_MS),
    });
    const text = (await answer.body.text()).slice(0, KEPT_ANSWER_CHARACTERS);
    const succeeded = answer.statusCode >= 200 && answer.statusCode < 300;
    return {
      statusCode: answer.statusCode,
      problem: succeeded ? null : "STATUS",
      answer: text,
      durationMs: durationMs(),
    };
  } catch (error) {
    return {
      statusCode: null,
      problem: "CONNECTION",
      answer: error instanceof Error ? error.message.slice(0, KEPT_ANSWER_CHARACTERS) : null,
      durationMs: durationMs(),
    };
  }
}
