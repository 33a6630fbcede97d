import { createServer, type IncomingHttpHeaders } from "node:http";
import { makeSigningSecret, secretContext, secretHint } from "@/lib/core/webhooks/sign-delivery";
import type { WebhookSetting } from "@/lib/core/webhooks/webhook-setting";
import { newId } from "@/lib/platform/ids";
import { createSealer } from "@/lib/platform/seal";
import type { Services } from "@/lib/platform/services";
import { createWebhookSender } from "@/lib/ports/webhooks/create-webhook-sender";

/** An endpoint of an organization, for tests of what happens to it. @returns its id and its secret. */
export async function addEndpoint(
  services: Pick<Services, "pool" | "clock">,
  { secrets }: WebhookSetting,
  organizationId: string,
  url: string,
): Promise<{ id: string; secret: string }> {
  const now = services.clock.now();
  const id = newId(now);
  const secret = makeSigningSecret();
  await services.pool.query(
    `insert into webhook_endpoints (organization_id, id, url, sealed_secret, secret_hint, status, created_at)
     values ($1, $2, $3, $4, $5, 'ENABLED', $6)`,
    [
      organizationId,
      id,
      url,
      secrets.seal(secret, secretContext(organizationId, id)),
      secretHint(secret),
      now,
    ],
  );
  return { id, secret };
}

/** Delivers for real, to receivers on this machine: every host is, and nothing asks the network. */
export function createTestWebhooks(): WebhookSetting {
  return {
    sender: createWebhookSender({ allowsPrivate: true }, { resolve: async () => ["127.0.0.1"] }),
    secrets: createSealer("a secret of tests that has enough characters", "webhook signing secrets"),
    allowsPrivate: true,
  };
}

export interface ReceivedDelivery {
  headers: IncomingHttpHeaders;
  /** Byte for byte, as UTF-8. */
  body: string;
}

export interface TestReceiver {
  url: string;
  received: ReceivedDelivery[];
  close(): Promise<void>;
}

type Answer = number | null;

/** A receiver on a port of its own. `answer`: the status of each delivery, at once or later; null never answers. */
export async function startReceiver(
  answer: (delivery: ReceivedDelivery, place: number) => Answer | Promise<Answer>,
): Promise<TestReceiver> {
  const received: ReceivedDelivery[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const delivery = { headers: request.headers, body: Buffer.concat(chunks).toString("utf8") };
      received.push(delivery);
      const status = await answer(delivery, received.length - 1);
      if (status !== null) response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("A TCP server has a port");
  return {
    url: `http://127.0.0.1:${address.port}/hooks`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
