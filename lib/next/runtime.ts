import type { ReferenceView } from "@/lib/contract/views/reference-view";
import type { AuthorizationRequests } from "@/lib/core/keys/authorization-requests";
import type { SandboxWorld } from "@/lib/core/sandbox/drive";
import type { WebhookSetting } from "@/lib/core/webhooks/webhook-setting";
import type { Config } from "@/lib/platform/config";
import type { Services } from "@/lib/platform/services";
import type { AggregatorPort } from "@/lib/ports/aggregator/aggregator-port";
import type { CardNetworkPort } from "@/lib/ports/cards/card-network-port";
import type { IdentityPort } from "@/lib/ports/identity/identity-port";

/**
 * What the launcher (`server.ts`) opened, for the pages of the same process. Next evaluates a module several times in
 * bundles of its own, so a module-level variable would exist several times; the process's global object exists once.
 */
export interface Runtime {
  services: Services;
  /** Signs the session cookies; derived from `SLUICE_SECRET`. */
  sessionSecret: string;
  /** Reads accounts at institutions outside. */
  aggregator: AggregatorPort;
  /** Makes cards, and asks before each purchase. */
  cards: CardNetworkPort;
  /** Checks who owns the money of an organization. */
  identity: IdentityPort;
  /** Delivers events, and seals what signs them. */
  webhooks: WebhookSetting;
  /** Where members let assistants in. */
  connections: AuthorizationRequests;
  /** True until a real bank is configured: every page says that no real money moves. */
  isSandbox: boolean;
  /** What members may drive; null where a real provider is configured. */
  sandbox: SandboxWorld | null;
  /** Whether messages that no provider takes are shown at /mailbox. */
  hasMailbox: boolean;
  /** Who may sign up by themselves. */
  signUp: Config["signUp"];
  /** Where email goes. `NONE`: nowhere, so nobody can prove an address. */
  mailWay: "PROVIDER" | "MAILBOX" | "NONE";
  /** Where text messages go. */
  smsWay: "PROVIDER" | "MAILBOX" | "NONE";
  /** Of this program, e.g. 0.1.0. */
  version: string;
  /** Where members write for help; null where the operator gave no address. */
  supportEmail: string | null;
  /** The API reference at /docs. Built by lib/api, which knows the operations; pages do not import it. */
  reference: ReferenceView;
}

declare global {
  // `var` is what a declaration of a global needs.
  var sluiceRuntime: Runtime | undefined;
}

export function setRuntime(runtime: Runtime): void {
  globalThis.sluiceRuntime = runtime;
}

/** @throws Error where no launcher has opened the services, e.g. while building. */
export function getRuntime(): Runtime {
  const runtime = globalThis.sluiceRuntime;
  if (!runtime) throw new Error("The services are not open: start Sluice through its launcher (npm start).");
  return runtime;
}
