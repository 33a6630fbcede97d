import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, it } from "vitest";
import { countRequestsInFlight } from "@/lib/api/launcher/requests-in-flight";
import { waitUntil } from "@/lib/testing/wait-until";

function openResponse(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()));
}

it("requests in flight and the age of the oldest are known by transport, until their responses close", async () => {
  const inFlight = countRequestsInFlight();
  const of = (name: string) => inFlight.read().find(({ transport }) => transport === name);
  expect(of("api")).toEqual({ transport: "api", count: 0, oldestSeconds: 0 });
  const [first, second] = [openResponse(), openResponse()];
  inFlight.began(first, "api");
  await waitUntil("the first one ages", () => (of("api")?.oldestSeconds ?? 0) > 0.05);
  inFlight.began(second, "api");
  inFlight.began(openResponse(), "web");
  expect(of("api")).toMatchObject({ count: 2 });
  expect(of("web")).toMatchObject({ count: 1 });
  first.emit("close");
  expect(of("api")).toMatchObject({ count: 1 });
  expect(of("api")?.oldestSeconds).toBeLessThan(0.05);
});

it("a probe is not counted: it would count itself", () => {
  const inFlight = countRequestsInFlight();
  inFlight.began(openResponse(), "metrics");
  inFlight.began(openResponse(), "health");
  expect(inFlight.read().every(({ count }) => count === 0)).toBe(true);
});
