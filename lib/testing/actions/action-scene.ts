import { z } from "zod";
import type { MemberRole } from "@/lib/contract/members";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { proposeRuleDeactivation } from "@/lib/core/approvals/propose-rule-deactivation";
import { connectAccounts } from "@/lib/core/connections/connect-accounts";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Runtime } from "@/lib/next/runtime";
import type { Services } from "@/lib/platform/services";
import { createSandboxAggregator } from "@/lib/ports/aggregator/sandbox/create-sandbox-aggregator";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { createSandboxIdentity } from "@/lib/ports/identity/sandbox/create-sandbox-identity";
import { askTransfer, askUnbooked, moveAnything } from "@/lib/testing/api";
import { createTestCards } from "@/lib/testing/cards";
import type { TestDatabase } from "@/lib/testing/database";
import { confirmAct } from "@/lib/testing/members";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestPush } from "@/lib/testing/push/push-service";
import { storeRule } from "@/lib/testing/rules/rule-runs";
import { createTestSandbox } from "@/lib/testing/sandbox";
import { createTestServices, type TestClock } from "@/lib/testing/services";
import { addEndpoint, createTestWebhooks } from "@/lib/testing/webhooks";

const proposedSchema = z.object({ data: z.object({ id: z.string() }) });

export type ActionScene = Awaited<ReturnType<typeof arrangeActions>>;

/**
 * An organization with a member of each role, in which every server action has something to act on: each call creates a
 * new subject, so no example uses up what another one needs.
 */
export async function arrangeActions(
  database: TestDatabase,
  { services, clock }: { services: Services; clock: TestClock } = createTestServices(database),
) {
  const northwind = await createTestOrganization(database, services, "Northwind");
  const stranger = await createTestOrganization(database, services, "Elsewhere");
  const { organizationId } = northwind;
  const members: Record<MemberRole, Context<MemberActor>> = {
    OWNER: northwind.owner,
    CO_OWNER: await northwind.addMember("CO_OWNER", "Jonas"),
    ACCOUNTANT: await northwind.addMember("ACCOUNTANT", "Ines"),
    VIEWER: await northwind.addMember("VIEWER", "Tomas"),
  };
  const operating = await northwind.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 90_000_000,
  });
  const taxes = await northwind.addAccount({ name: "Taxes", type: "POD" });
  const aggregator = createSandboxAggregator(database.pool);
  const webhooks = createTestWebhooks();
  const cards = createTestCards(database, services, northwind);
  const asking = await northwind.addKey([moveAnything(true)], "asks");
  const stopping = await northwind.addKey([{ type: "CREATE_AND_EDIT_RULES", rules: "ALL" }], "stops");
  const moving = await northwind.addKey([moveAnything(false)], "moves");
  let count = 0;
  /** A name not used here yet. */
  const name = (what: string) => `${what} ${++count}`;
  const owner = () => ({ ...northwind.owner, now: clock.now() });

  const makeRule = (isActive: boolean) => {
    // Within a millisecond, ids have no order.
    clock.advance(1);
    return storeRule(database, owner(), { name: name("Rule"), ...definitionOf(operating, taxes) }, isActive);
  };

  return {
    database,
    services,
    clock,
    organizationId,
    northwind,
    stranger,
    members,
    operating,
    taxes,
    aggregator,
    webhooks,
    identity: createSandboxIdentity(database.pool),
    network: cards.network,
    sandbox: createTestSandbox(services, true),
    name,
    makeRule,
    definition: (): RuleDefinition =>
      ruleDefinitionSchema.parse({ name: name("Rule"), ...definitionOf(operating, taxes) }),
    emptyPod: () => northwind.addAccount({ name: name("Pod"), type: "POD" }),
    makeCard: async () => {
      await confirmAct(database, northwind.owner.actor, `ISSUE_CARD:${operating}:NONE`, clock.now());
      return cards.issue({ accountId: operating, name: name("Card") });
    },
    makeKey: async () => (await northwind.addKey([moveAnything(true)], name("key"))).id,
    /** A rule that moves money without a person, within a cap. */
    makeCappedKey: async () => (await northwind.addKey([moveAnything(false)], name("key"), 1_000)).id,
    makeEndpoint: async () =>
      (await addEndpoint(services, webhooks, organizationId, `https://hooks.example/${++count}`)).id,
    /** A proposal waiting for a decision. */
    propose: async () => {
      clock.advance(1);
      return (await askTransfer(services, asking.context, transferOf(operating, taxes))).id;
    },
    /** A program's proposal that an active rule stops. */
    proposeStop: async () => {
      const { id: ruleId } = await makeRule(true);
      const sent = { method: "POST", path: "/", idempotencyKey: null, calledReason: null, body: {} };
      const request = { sent, idempotency: null, auditAction: null, status: 202 };
      const context = { ...stopping.context, now: clock.now() };
      const stop = { ruleId, reason: name("Why") };
      const { body } = await proposeRuleDeactivation(services, context, stop, request);
      return proposedSchema.parse(body).data.id;
    },
    /** An accepted transfer, not booked yet. */
    move: async () => {
      clock.advance(1);
      return (await askUnbooked(services, moving.context, transferOf(operating, taxes))).id;
    },
    makeMember: async (role: MemberRole) => (await northwind.addMember(role, name("Member"))).actor.id,
    connect: () => {
      clock.advance(1);
      const proof = {
        kind: "CHOICE" as const,
        institutionId: "sbx_first_harbor",
        templates: ["first_harbor_checking"],
      };
      return connectAccounts(services, aggregator, owner(), proof);
    },
  };
}

function transferOf(sourceAccountId: string, destinationAccountId: string) {
  return { sourceAccountId, destinationAccountId, amountInCents: 1_000 };
}

function definitionOf(from: string, to: string) {
  const action = { type: "FIXED", amountInCents: 1_000, sourceAccountId: from, destinationAccountId: to };
  return {
    trigger: { type: "MANUAL" as const, accountId: from },
    steps: [{ actions: [{ ...action, group: 0 }] }],
  };
}

type Given = Pick<
  ActionScene,
  "database" | "services" | "aggregator" | "network" | "webhooks" | "sandbox" | "identity"
>;

/** What the launcher would have opened, for pages, server actions and routes that a test calls directly. */
export function testRuntime(given: Given): Runtime {
  return {
    services: given.services,
    sessionSecrets: () => ["a secret of tests that has enough characters"],
    bank: createSandboxBank(given.services.pool),
    aggregator: given.aggregator,
    cards: given.network,
    identity: given.identity,
    webhooks: given.webhooks,
    push: createTestPush(),
    connections: { read: async () => null, allow: async () => null, refuse: async () => null },
    isSandbox: true,
    sandbox: given.sandbox,
    simulations: {
      bankName: "A bank",
      deposit: async () => "deposit",
      settle: async () => true,
      sendBack: async () => true,
    },
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
