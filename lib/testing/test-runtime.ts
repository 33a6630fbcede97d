import type { Runtime } from "@/lib/next/runtime";
import type { ActionScene } from "@/lib/testing/action-scene";

type Given = Pick<
  ActionScene,
  "database" | "services" | "aggregator" | "network" | "webhooks" | "sandbox" | "identity"
>;

/** What the launcher would have opened, for pages, server actions and routes that a test calls by themselves. */
export function testRuntime(given: Given): Runtime {
  return {
    services: given.services,
    sessionSecret: "a secret of tests that has enough characters",
    aggregator: given.aggregator,
    cards: given.network,
    identity: given.identity,
    webhooks: given.webhooks,
    connections: { read: async () => null, allow: async () => null, refuse: async () => null },
    isSandbox: true,
    sandbox: given.sandbox,
    hasMailbox: true,
    signUp: "FIRST_OWNER",
    smsWay: "MAILBOX",
    mailWay: "MAILBOX",
    version: "0.0.0",
    supportEmail: null,
    reference: {
      baseUrl: "",
      basePath: "",
      openApiUrl: "",
      chapters: [],
      assistants: { mcpUrl: "", tools: [] },
    },
  };
}
