import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { permissionsSchema } from "@/lib/contract/permissions";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { ALL_PERMISSIONS, ALL_WITHOUT_APPROVAL } from "@/lib/testing/api-proof/key-ring";
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
  const caller = await world.own.addKey(ALL_WITHOUT_APPROVAL, "twenty");
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
  /** The fields that it looks for in the data. */
  find: <Found>(fields: z.ZodType<Found>) => Found;
}

const listOf = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.object({ items: z.array(z.object(fields)) });
const NAMED = listOf({ id: z.string(), name: z.string() });
const AMOUNT = z.object({ amountInCents: z.int() });
const SUMMED = z.object({
  items: z.array(z.unknown()),
  summary: z.object({ count: z.int(), sumInCents: z.int(), moneyOutInCents: z.int() }).partial(),
});
const BALANCES = listOf({
  accountId: z.string(),
  name: z.string(),
  balance: z.object({ lastStatementBalanceInCents: z.int().nullish() }),
  paymentsOnTheirWayInCents: z.int().nullish(),
});

interface Request {
  asks: string;
  maximumCalls: number;
  /** Its calls, one after the other, and what it then tells the person. */
  answer: (call: (tool: string, sent?: Record<string, unknown>) => Promise<Heard>) => Promise<unknown>;
  tells: unknown;
}

function named<Item extends { name: string }>(items: readonly Item[], name: string): Item {
  const item = items.find((one) => one.name.includes(name));
  if (!item) throw new Error(`The answer names no ${name}`);
  return item;
}

const idOf = (heard: Heard, name: string): string => named(heard.find(NAMED).items, name).id;

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
  const { status, activation } = written.find(
    z.object({ status: z.string(), activation: z.object({ canActivate: z.boolean() }) }),
  );
  return [status, activation.canActivate, written.nextStep];
}

async function payStatement(call: Parameters<Request["answer"]>[0]): Promise<string> {
  const { items } = (await call("listBalances")).find(BALANCES);
  const visa = named(items, "Visa");
  const owed = (visa.balance.lastStatementBalanceInCents ?? 0) - (visa.paymentsOnTheirWayInCents ?? 0);
  if (owed <= 0) return "paid";
  const move = {
    sourceAccountId: named(items, "Operating").accountId,
    destinationAccountId: visa.accountId,
    amountInCents: owed,
  };
  const dryRun = await call("createTransfer", { ...move, simulation: true });
  const { errorCode } = dryRun.find(z.object({ errorCode: z.string().nullable() }));
  if (errorCode !== null) return errorCode;
  const made = await call("createTransfer", { ...move, reasonForApproval: "The statement is due." });
  return made.find(z.object({ status: z.string() })).status;
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
      const made = await call("createTransfer", {
        sourceAccountId: idOf(accounts, "Operating"),
        destinationAccountId: idOf(accounts, "Taxes"),
        amountInCents: 50_000,
        idempotencyKey: crypto.randomUUID(),
      });
      return [made.find(AMOUNT).amountInCents, made.nextStep];
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
    answer: async (call) => {
      const runs = await call("listAllRuleExecutions", { status: ["FAILED"] });
      return runs.find(listOf({ reason: z.string() })).items.map(({ reason }) => reason);
    },
    tells: ["The bank said no."],
  },
  {
    asks: "What waits?",
    maximumCalls: 1,
    answer: async (call) => {
      const waiting = await call("listProposals", { status: ["WAITING"], mine: true });
      return waiting
        .find(listOf({ amountInCents: z.int().nullable() }))
        .items.map(({ amountInCents }) => amountInCents);
    },
    tells: expect.arrayContaining([11_100, 33_300, 44_400]),
  },
  {
    asks: "Withdraw what you proposed.",
    maximumCalls: 1,
    answer: async (call) =>
      (await call("cancelTransfer", { id: proposal })).find(
        z.object({ decision: z.object({ outcome: z.string() }) }),
      ).decision.outcome,
    tells: "WITHDRAWN",
  },
  {
    asks: "What did we spend on shopping last month?",
    maximumCalls: 1,
    answer: async (call) => {
      const profile = await call("getFinancialProfile", { from: "2025-11-01" });
      const { categoryBreakdown } = profile.find(
        z.object({ categoryBreakdown: z.array(AMOUNT.extend({ category: z.string() })) }),
      );
      return categoryBreakdown.find(({ category }) => category === "SHOPPING")?.amountInCents;
    },
    tells: 6_050,
  },
  {
    asks: "What did we buy at the cafe?",
    maximumCalls: 1,
    answer: async (call) => {
      const { items, summary } = (await call("listTransactions", { q: "cafe", summary: true })).find(SUMMED);
      return [items.length, summary.moneyOutInCents];
    },
    tells: [1, 1_850],
  },
  {
    asks: "Everything for Brightpay since June, with its sum?",
    maximumCalls: 1,
    answer: async (call) =>
      (await call("listTransfers", { q: "Brightpay", from: "2025-06-01", summary: true })).find(SUMMED)
        .summary,
    tells: expect.objectContaining({ count: 2, sumInCents: 77_700 }),
  },
  {
    asks: "Pause that rule.",
    maximumCalls: 1,
    answer: async (call) => {
      const proposed = await call("proposeRuleDeactivation", {
        id: world.own.ids.rule,
        idempotencyKey: crypto.randomUUID(),
      });
      const { kind, status } = proposed.find(z.object({ kind: z.string(), status: z.string() }));
      return [kind, status];
    },
    tells: ["RULE_DEACTIVATION", "WAITING"],
  },
  {
    asks: "Open a pod for a laptop, with a goal of $3,000.",
    maximumCalls: 1,
    answer: async (call) =>
      (await call("createAccount", { type: "POD", name: "Laptop", savingsTargetInCents: 300_000 })).find(
        z.object({ savingsTargetInCents: z.int() }),
      ).savingsTargetInCents,
    tells: 300_000,
  },
  {
    asks: "Make that rule move $25, and show me what it would do.",
    maximumCalls: 2,
    answer: async (call) => {
      const { rule: id } = world.own.ids;
      const set = [{ path: "steps.0.actions.0.amountInCents", value: 2_500 }];
      const { version, steps } = (await call("updateRule", { id, set })).find(
        z.object({ version: z.int(), steps: z.array(z.object({ actions: z.array(AMOUNT) })) }),
      );
      const preview = await call("triggerRule", { id, simulation: true, version });
      return [steps, preview.find(z.object({ ruleVersion: z.int(), status: z.string() }))];
    },
    tells: [[{ actions: [{ amountInCents: 2_500 }] }], { ruleVersion: 2, status: "EXECUTED" }],
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
      ).find(z.object({ base: z.object({ simulatedIncomingFundsInCents: z.int() }) })).base
        .simulatedIncomingFundsInCents,
    tells: 1_000_000,
  },
  {
    asks: "Pay the print shop $120.",
    maximumCalls: 2,
    answer: async (call) => {
      const payees = await call("listPayees", { state: ["ACTIVE"] });
      const made = await call("createTransfer", {
        sourceAccountId: world.own.ids.operating,
        destinationAccountId: idOf(payees, "Print Shop"),
        amountInCents: 12_000,
        reasonForApproval: "Invoice 2291.",
      });
      return made.find(z.object({ destination: z.object({ name: z.string() }) })).destination.name;
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
        const made = await call("createTransfer", {
          sourceAccountId,
          destinationAccountId,
          amountInCents,
        });
        moved.push(made.find(AMOUNT).amountInCents);
      }
      return moved;
    },
    tells: [1_000, 2_000, 3_000],
  },
  {
    asks: "What may you do?",
    maximumCalls: 1,
    answer: async (call) =>
      (await call("whoami"))
        .find(z.object({ permissions: z.array(z.object({ permission: z.string() })) }))
        .permissions.map(({ permission }) => permission),
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
    answer: async (call) =>
      (await call("getTransfer", { id: denied })).find(
        z.object({
          decision: z.object({ reason: z.object({ kind: z.string(), text: z.string() }) }),
        }),
      ).decision.reason,
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
    const answer: Heard = {
      text,
      nextStep: structured.nextStep,
      find: (fields) => fields.parse(structured.data),
    };
    heard.push(answer);
    return answer;
  };
  expect(await request.answer(call)).toEqual(request.tells);
  expect(heard.length).toBeLessThanOrEqual(request.maximumCalls);
  const tokens = heard.reduce((sum, { text }) => sum + countTokens(text), 0);
  expect(tokens).toBeLessThanOrEqual(MAXIMUM_TOKENS);
});
