import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { beforeAll, expect, test } from "vitest";
import { permissionsSchema } from "@/lib/contract/permissions";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { ALL_PERMISSIONS } from "@/lib/testing/api-proof/key-ring";
import { createProofWorld, type ProofWorld } from "@/lib/testing/api-proof/world";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestMcp, type TestMcp } from "@/lib/testing/mcp";

/**
 * Goal: what people ask their assistants is answered with the tools as listed, in few calls and few words.
 * Method: a scripted caller that reads nothing but the answers, with a bound on its calls and on what they cost a model.
 */
const MAXIMUM_TOKENS = 1_500;

const ASKING = permissionsSchema.parse([moveAnything(true)]);

const database = useTestDatabase();
let world: ProofWorld;
let mcp: TestMcp;
let key: string;
/** Of the caller's own: one that waits, and one that a person denied. */
let proposal: string;
let denied: string;
beforeAll(async () => {
  world = await createProofWorld(database);
  mcp = createTestMcp(world.services);
  const caller = await world.own.addKey(ALL_PERMISSIONS, "twenty");
  key = caller.text;
  const { operating, taxes, visa, rule, ruleExecution } = world.own.ids;
  const { organizationId } = world.own;
  const { ownerPool } = database;
  await ownerPool.query(
    "update provider_balances set last_statement_balance_in_cents = 80000, last_statement_date = '2025-11-01' where organization_id = $1 and account_id = $2",
    [organizationId, visa],
  );
  await ownerPool.query(
    "update rule_executions set status = 'FAILED', error_message = 'The bank said no.' where organization_id = $1 and id = $2",
    [organizationId, ruleExecution],
  );
  const asking = { sourceAccountId: operating, destinationAccountId: taxes, reasonForApproval: "Due" };
  const ask = async (amountInCents: number, description?: string) => {
    const context = { ...caller.context, actor: { ...caller.context.actor, permissions: ASKING } };
    return (await askTransfer(world.services, context, { ...asking, amountInCents, description })).id;
  };
  await ask(33_300, "BRIGHTPAY");
  await ask(44_400, "BRIGHTPAY");
  proposal = await ask(11_100);
  denied = await ask(22_200);
  const result = await decideProposal(world.services, world.own.owner, {
    proposalId: denied,
    decision: "DENY",
    digest: "",
    note: null,
    reason: { kind: "TOO_MUCH", text: "Half of it.", notBefore: null },
    confirmation: { kind: "NONE" },
  });
  expect([result, rule]).toEqual([{ kind: "DECIDED" }, rule]);
});

/** What a model reads of one answer, and the data beside it. */
interface Heard {
  text: string;
  nextStep: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: a scripted caller reads what it finds, as an agent does.
  data: any;
}

interface Request {
  asks: string;
  maximumCalls: number;
  /** Its calls, one after the other, and what it then tells the person. */
  answer: (call: (tool: string, sent?: Record<string, unknown>) => Promise<Heard>) => Promise<unknown>;
  tells: unknown;
}

const find = (heard: Heard, name: string) =>
  heard.data.items.find((item: { name: string }) => item.name.includes(name));
const idOf = (heard: Heard, name: string): string => find(heard, name).id;

async function taxRule(
  call: Parameters<Request["answer"]>[0],
  rule: (ids: Record<string, string>) => object,
) {
  const accounts = await call("listAccounts", { state: "ACTIVE" });
  const ids = {
    income: idOf(accounts, "Income"),
    operating: idOf(accounts, "Operating"),
    taxes: idOf(accounts, "Taxes"),
  };
  const written = await call("createRule", { rule: rule(ids), idempotencyKey: crypto.randomUUID() });
  return [written.data.status, written.data.activation.canActivate, written.nextStep];
}

async function payStatement(call: Parameters<Request["answer"]>[0]): Promise<string> {
  const balances = await call("listBalances");
  const named = (name: string) =>
    balances.data.items.find((one: { name: string }) => one.name.includes(name));
  const visa = named("Visa");
  const owed = visa.balance.lastStatementBalanceInCents - (visa.paymentsOnTheirWayInCents ?? 0);
  if (owed <= 0) return "paid";
  const move = {
    sourceAccountId: named("Operating").accountId,
    destinationAccountId: visa.accountId,
    amountInCents: owed,
  };
  const dryRun = await call("createTransfer", { ...move, simulation: true });
  if (dryRun.data.errorCode !== null) return dryRun.data.errorCode;
  const made = await call("createTransfer", { ...move, reasonForApproval: "The statement is due." });
  return made.data.status;
}

const REQUESTS: readonly Request[] = [
  {
    asks: "What is our total cash?",
    maximumCalls: 1,
    answer: async (call) => (await call("listBalances")).text,
    tells: expect.stringMatching(
      /^Managed by Sluice, in all accounts that you may read: \$[\d,]+\.\d\d, of which/,
    ),
  },
  {
    asks: "Move $500 from Operating to Taxes.",
    maximumCalls: 2,
    answer: async (call) => {
      const accounts = await call("listAccounts");
      const { data, nextStep } = await call("createTransfer", {
        sourceAccountId: idOf(accounts, "Operating"),
        destinationAccountId: idOf(accounts, "Taxes"),
        amountInCents: 50_000,
        idempotencyKey: crypto.randomUUID(),
      });
      return [data.amountInCents, nextStep];
    },
    tells: [50_000, expect.stringContaining("getTransfer")],
  },
  { asks: "Pay the card's statement.", maximumCalls: 3, answer: payStatement, tells: "PROCESSING" },
  { asks: "Pay the card's statement, once more.", maximumCalls: 3, answer: payStatement, tells: "paid" },
  {
    asks: "Set 30 % of each payment aside for taxes.",
    maximumCalls: 2,
    answer: (call) =>
      taxRule(call, ({ income, taxes }) => ({
        name: "Taxes, 30 %",
        trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: income },
        steps: [
          {
            actions: [
              {
                type: "PERCENTAGE",
                sourceAccountId: income,
                destinationAccountId: taxes,
                group: 0,
                percentage: 30,
                of: "INCOMING_AMOUNT",
              },
            ],
          },
        ],
      })),
    tells: ["INACTIVE", true, expect.stringContaining("triggerRule")],
  },
  {
    asks: "Sweep what is above $5,000 every night.",
    maximumCalls: 2,
    answer: (call) =>
      taxRule(call, ({ operating, taxes }) => ({
        name: "Sweep at night",
        trigger: {
          type: "SCHEDULED",
          accountId: operating,
          schedule: {
            frequency: "DAILY",
            startAt: "2027-01-01T00:00:00-05:00",
            time: "23:00",
            timeZone: "America/New_York",
          },
        },
        steps: [
          {
            actions: [
              {
                type: "REMAINDER",
                sourceAccountId: operating,
                destinationAccountId: taxes,
                group: 0,
                keepInCents: 500_000,
              },
            ],
          },
        ],
      })),
    tells: ["INACTIVE", true, expect.stringContaining("triggerRule")],
  },
  {
    asks: "Why did the run fail?",
    maximumCalls: 1,
    answer: async (call) =>
      (await call("listAllRuleExecutions", { status: ["FAILED"] })).data.items[0].reason,
    tells: "The bank said no.",
  },
  {
    asks: "What waits?",
    maximumCalls: 1,
    answer: async (call) => {
      const { data } = await call("listProposals", { status: ["WAITING"], mine: true });
      return data.items.map(({ amountInCents }: { amountInCents: number }) => amountInCents);
    },
    tells: expect.arrayContaining([11_100, 33_300, 44_400]),
  },
  {
    asks: "Withdraw what you proposed.",
    maximumCalls: 1,
    answer: async (call) => (await call("cancelTransfer", { id: proposal })).data.decision.outcome,
    tells: "WITHDRAWN",
  },
  {
    asks: "What did we spend on shopping last month?",
    maximumCalls: 1,
    answer: async (call) => {
      const { data } = await call("getFinancialProfile", { from: "2025-11-01" });
      const shopping = data.categoryBreakdown.find(
        (one: { category: string }) => one.category === "SHOPPING",
      );
      return shopping.amountInCents;
    },
    tells: 6_050,
  },
  {
    asks: "What did we buy at the cafe?",
    maximumCalls: 1,
    answer: async (call) => {
      const { data } = await call("listTransactions", { q: "cafe", summary: true });
      return [data.items.length, data.summary.moneyOutInCents];
    },
    tells: [1, 1_850],
  },
  {
    asks: "Everything for Brightpay since June, with its sum?",
    maximumCalls: 1,
    answer: async (call) =>
      (await call("listTransfers", { q: "Brightpay", from: "2025-06-01", summary: true })).data.summary,
    tells: expect.objectContaining({ count: 2, sumInCents: 77_700 }),
  },
  {
    asks: "Pause that rule.",
    maximumCalls: 1,
    answer: async (call) => {
      const { data } = await call("proposeRuleDeactivation", {
        id: world.own.ids.rule,
        idempotencyKey: crypto.randomUUID(),
      });
      return [data.kind, data.status];
    },
    tells: ["RULE_DEACTIVATION", "WAITING"],
  },
  {
    asks: "Open a pod for a laptop, with a goal of $3,000.",
    maximumCalls: 1,
    answer: async (call) =>
      (await call("createAccount", { type: "POD", name: "Laptop", savingsTargetInCents: 300_000 })).data
        .savingsTargetInCents,
    tells: 300_000,
  },
  {
    asks: "Make that rule move $25, and show me what it would do.",
    maximumCalls: 2,
    answer: async (call) => {
      const { rule: id } = world.own.ids;
      const set = [{ path: "steps.0.actions.0.amountInCents", value: 2_500 }];
      const { data } = await call("updateRule", { id, set });
      const preview = await call("triggerRule", { id, simulation: true, version: data.version });
      return [data.steps[0].actions[0].amountInCents, preview.data.ruleVersion, preview.data.status];
    },
    tells: [2_500, 2, "EXECUTED"],
  },
  {
    asks: "What if $10,000 arrives?",
    maximumCalls: 1,
    answer: async (call) =>
      (
        await call("triggerRule", {
          id: world.own.ids.rule,
          simulation: true,
          simulatedIncomingFunds: 1_000_000,
        })
      ).data.base.simulatedIncomingFundsInCents,
    tells: 1_000_000,
  },
  {
    asks: "Pay the print shop $120.",
    maximumCalls: 2,
    answer: async (call) => {
      const payees = await call("listPayees", { state: ["ACTIVE"] });
      const { data } = await call("createTransfer", {
        sourceAccountId: world.own.ids.operating,
        destinationAccountId: idOf(payees, "Print Shop"),
        amountInCents: 12_000,
        reasonForApproval: "Invoice 2291.",
      });
      return data.destination.name;
    },
    tells: expect.stringContaining("Print Shop"),
  },
  {
    asks: "Move $10, $20 and $30 to Taxes.",
    maximumCalls: 3,
    answer: async (call) => {
      const { operating: sourceAccountId, taxes: destinationAccountId } = world.own.ids;
      const moved: number[] = [];
      for (const amountInCents of [1_000, 2_000, 3_000]) {
        const { data } = await call("createTransfer", {
          sourceAccountId,
          destinationAccountId,
          amountInCents,
        });
        moved.push(data.amountInCents);
      }
      return moved;
    },
    tells: [1_000, 2_000, 3_000],
  },
  {
    asks: "What may you do?",
    maximumCalls: 1,
    answer: async (call) =>
      (await call("whoami")).data.permissions.map(({ permission }: { permission: string }) => permission),
    tells: ALL_PERMISSIONS.map(({ type }) => type),
  },
  {
    asks: "Who are you?",
    maximumCalls: 1,
    answer: async (call) => (await call("whoami")).text,
    tells: expect.stringMatching(/^You are the API key «twenty»/),
  },
  {
    asks: "What did the person say to your last proposal?",
    maximumCalls: 1,
    answer: async (call) => (await call("getTransfer", { id: denied })).data.decision.reason,
    tells: { kind: "TOO_MUCH", text: "Half of it." },
  },
];

test.each(REQUESTS.map((request) => [request.asks, request] as const))("%s", async (_, request) => {
  const heard: Heard[] = [];
  const call = async (tool: string, sent: Record<string, unknown> = {}): Promise<Heard> => {
    const { isError, text, structured } = await mcp.callTool(key, tool, sent);
    expect([tool, isError, text]).toEqual([tool, false, text]);
    // What it means comes first, for clients that give a model one of the two.
    expect(Object.keys(structured).slice(0, 3)).toEqual(["guidance", "nextStep", "data"]);
    const answer = { text, nextStep: structured.nextStep, data: structured.data };
    heard.push(answer);
    return answer;
  };
  expect(await request.answer(call)).toEqual(request.tells);
  expect(heard.length).toBeLessThanOrEqual(request.maximumCalls);
  const tokens = heard.reduce((sum, { text }) => sum + countTokens(text), 0);
  expect(tokens).toBeLessThanOrEqual(MAXIMUM_TOKENS);
});
