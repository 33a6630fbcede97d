import { expect, it } from "vitest";
import { endpointsTitle } from "@/app/settings/webhooks/_components/endpoints-list";
import type { EndpointStateView } from "@/lib/views/webhooks/endpoint-facts";

const NEW: EndpointStateView = { kind: "NEW" };
const RECEIVING: EndpointStateView = { kind: "RECEIVING" };
const FAILING: EndpointStateView = {
  kind: "FAILING",
  since: "2026-11-20T13:40:05Z",
  disablesAt: "2026-11-25T13:40:05Z",
};
const OFF: EndpointStateView = { kind: "OFF", at: "2026-11-20T13:40:05Z", because: "GONE", byName: null };

it.each([
  [[], "No endpoints yet"],
  [[NEW], "One endpoint waits for a first event"],
  [[RECEIVING], "One endpoint receives every event"],
  [[RECEIVING, NEW], "Two endpoints receive every event"],
  [[RECEIVING, OFF], "One endpoint is switched off"],
  [[RECEIVING, OFF, FAILING, FAILING], "Two endpoints are failing"],
])("says the worst first: %o", (states, title) => {
  expect(endpointsTitle(states.map((state) => ({ state })))).toBe(title);
});
