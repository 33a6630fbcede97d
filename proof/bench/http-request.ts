import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import type { Wish } from "./load";

/** Makes transfers through the API, over connections that stay open. */
export function createHttpRequester(apiUrl: string, concurrency: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const url = new URL(`${apiUrl}/transfers`);

  function make({ caller, ...transfer }: Wish): Promise<void> {
    const body = JSON.stringify({ ...transfer, description: "bench" });
    return new Promise((resolve, reject) => {
      const sent = request(
        url,
        {
          agent,
          method: "POST",
          headers: {
            Authorization: `Bearer ${caller.keyText}`,
            "Content-Type": "application/json",
            "Content-Length": Buffer.byteLength(body),
            "Idempotency-Key": randomUUID(),
          },
        },
        (response) => {
          text(response).then((answer) => {
            if (response.statusCode === 202) resolve();
            else reject(new Error(`Refused with ${response.statusCode}: ${answer}`));
          }, reject);
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  }

  return { make, close: () => agent.destroy() };
}
