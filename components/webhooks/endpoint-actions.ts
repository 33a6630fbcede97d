import type { PresenceActions } from "@/lib/contract/views/keys-view";
import type { ReplaySince } from "@/lib/contract/views/replay-since";
import type {
  EndpointChangeResult,
  NewEndpointResult,
  ReplayResult,
  TestEventResult,
} from "@/lib/contract/views/webhooks-view";

interface OfEndpoint {
  endpointId: string;
}

/** What owners and co-owners do with endpoints. */
export interface EndpointActions extends PresenceActions {
  createEndpoint: (input: { url: string }) => Promise<NewEndpointResult>;
  recreateEndpoint: (input: OfEndpoint) => Promise<NewEndpointResult>;
  deleteEndpoint: (input: OfEndpoint) => Promise<EndpointChangeResult>;
  switchOnEndpoint: (input: OfEndpoint) => Promise<EndpointChangeResult>;
  switchOffEndpoint: (input: OfEndpoint) => Promise<EndpointChangeResult>;
  sendTestEvent: (input: OfEndpoint) => Promise<TestEventResult>;
  redeliver: (input: OfEndpoint & { eventId: string }) => Promise<EndpointChangeResult>;
  replayFailed: (input: OfEndpoint & { since: ReplaySince }) => Promise<ReplayResult>;
}
