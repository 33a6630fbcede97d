import { processValues } from "@/lib/contract/process-values";
import type { ReferenceView } from "@/lib/contract/reference";
import type { AuthorizationRequests } from "@/lib/core/keys/authorization-requests";
import type { SandboxWorld } from "@/lib/core/sandbox/drive";
import type { PushSetting } from "@/lib/core/shared/push-setting";
import type { WebhookSetting } from "@/lib/core/webhooks/webhook-setting";
import type { Config } from "@/lib/platform/config";
import type { Services } from "@/lib/platform/services";
import type { AggregatorPort } from "@/lib/ports/aggregator/aggregator-port";
import type { BankPort } from "@/lib/ports/bank/bank-port";
import type { BankSimulations } from "@/lib/ports/bank/bank-simulations";
import type { CardNetworkPort } from "@/lib/ports/cards/card-network-port";
import type { IdentityPort } from "@/lib/ports/identity/identity-port";

/**
 * What the launcher (`server.ts`) opened, for pages in the same process (docs/one-process.md).
 */
export interface Runtime {
  services: Services;
  /** Encrypt the session cookies, the current one first; derived from `SLUICE_SECRET`. */
  sessionSecrets: () => readonly [string, ...string[]];
  /** Holds managed money, and registers the accounts of payees. */
  bank: BankPort;
  /** Reads accounts at external institutions. */
  aggregator: AggregatorPort;
  /** Issues cards, and asks before each purchase. */
  cards: CardNetworkPort;
  /** Verifies who legally owns an organization's money. */
  identity: IdentityPort;
  /** Delivers events and encrypts their signing secrets. */
  webhooks: WebhookSetting;
  /** Sends notifications to devices and encrypts their subscriptions. */
  push: PushSetting;
  /** Authorization requests of assistants. */
  connections: AuthorizationRequests;
  /** True until a real bank is configured; every page then says that no real money moves. */
  isSandbox: boolean;
  /** The simulated providers; null if any real provider is configured. */
  sandbox: SandboxWorld | null;
  /** Of a real bank's own sandbox; null with real money, and for the sandbox bank. */
  simulations: BankSimulations | null;
  /** Whether /mailbox shows messages that no provider delivers. */
  hasMailbox: boolean;
  /** Who may sign up. */
  signUp: Config["signUp"];
  /** Where email goes. `NONE`: nowhere, so addresses cannot be verified. */
  mailWay: "PROVIDER" | "MAILBOX" | "NONE";
  /** Where text messages go. */
  smsWay: "PROVIDER" | "MAILBOX" | "NONE";
  /** The program's version, for example 0.1.0. */
  version: string;
  /** The operator's address for help; null if none is configured. */
  supportEmail: string | null;
  /** The API reference at /docs. lib/api builds it from the operations, because pages cannot import lib/api. */
  reference: ReferenceView;
}

declare global {
  interface ProcessValues {
    runtime: Runtime;
  }
}

export function setRuntime(runtime: Runtime): void {
  processValues().runtime = runtime;
}

/** @throws Error if no launcher has opened the services, for example during a build. */
export function getRuntime(): Runtime {
  const runtime = processValues().runtime;
  if (!runtime) throw new Error("The services are not open: start Sluice through its launcher (npm start).");
  return runtime;
}
