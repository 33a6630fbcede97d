import type { Refused } from "@/lib/contract/refused";
import type { NewEndpointResult, ReplayResult, ReplaySince, TestEventResult } from "@/lib/contract/webhooks";

export type EndpointChangeResult = { kind: "CHANGED" } | Refused;

interface OfEndpoint {
  endpointId: string;
}

/** The server actions of the pages of endpoints. */
export interface EndpointActions {
  createEndpoint: (input: { url: string }) => Promise<NewEndpointResult>;
  recreateEndpoint: (input: OfEndpoint) => Promise<NewEndpointResult>;
  deleteEndpoint: (input: OfEndpoint) => Promise<EndpointChangeResult>;
  switchOnEndpoint: (input: OfEndpoint) => Promise<EndpointChangeResult>;
  switchOffEndpoint: (input: OfEndpoint) => Promise<EndpointChangeResult>;
  sendTestEvent: (input: OfEndpoint) => Promise<TestEventResult>;
  redeliver: (input: OfEndpoint & { eventId: string }) => Promise<EndpointChangeResult>;
  replayFailed: (input: OfEndpoint & { since: ReplaySince }) => Promise<ReplayResult>;
}
