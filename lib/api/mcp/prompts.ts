import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { oneLine, quote, quoteExactly } from "@/lib/api/mcp/describe/text";
import { describeJob, type PromptTemplate, promptTemplate, promptText } from "@/lib/api/mcp/prompt-template";
import { toProblems } from "@/lib/core/shared/parse-input";

const weeklySummary = promptTemplate({
  name: "weekly-summary",
  title: "What happened this week",
  description:
    "Summarizes the last seven days: what came in, what went out, what rules did, what failed and what waits.",
  input: z.strictObject({}),
  render: () =>
    describeJob(
      "Summarize what happened with my money in the last seven days.",
      [
        'listAccounts with state: "ACTIVE", and getAccount on each pod and income source, for the balances. Read no account twice.',
        "listTransfers with the ids of all accounts and from: seven days ago. Read further pages while there are more, ten at most.",
        "listTransactions and listExternalTransactions with the same from. The other side of a transfer also appears among the external transactions: do not count it twice.",
        "listRules, and listRuleExecutions with the same from for each active rule: how often it ran, and what failed.",
        "Tell me, in this order and in plain sentences: what needs me (what waits for approval with its approvalUrl, what failed, connections that are out of date); what came in; what went out, and the three largest; what rules set aside; the current balances.",
        "Name the period you looked at, and what you could not see. Do not round: write amounts to the cent.",
      ],
      "READS",
    ),
});

/** A percentage as people write it: `27`, `27.5`, `27 %`. */
const percent = promptText
  .regex(/^\d{1,3}(\.\d{1,4})?\s*%?$/, "must be a number like 27 or 27.5")
  .transform((text) => Number.parseFloat(text))
  .refine((value) => value > 0 && value <= 100, "must be above 0 and at most 100");

const setAsideTaxes = promptTemplate({
  name: "set-aside-taxes",
  title: "Set aside taxes",
  description:
    "Writes a rule that sends a share of each incoming payment to an account for taxes. A person activates it.",
  input: z.strictObject({
    percent: percent.describe("Share of each payment, in percent, e.g. 27."),
    incomeAccount: promptText
      .optional()
      .describe("The account that receives payments. If empty, the assistant asks you."),
    taxAccount: promptText
      .optional()
      .describe("The account for taxes. If empty, the assistant looks for one."),
  }),
  render: ({ percent: share, incomeAccount, taxAccount }) =>
    describeJob(
      `Set aside ${share} percent of each incoming payment for taxes.`,
      [
        incomeAccount
          ? `listAccounts with state: "ACTIVE". The account that receives payments is the one I call ${quote(incomeAccount)}. If none or several match, ask me.`
          : 'listAccounts with state: "ACTIVE". Ask me which account receives payments; an income source (INCOME_SOURCE) is the likeliest.',
        taxAccount
          ? `The account for taxes is the one I call ${quote(taxAccount)}. If none or several match, ask me.`
          : "Look for a pod for taxes by its name, and ask me whether it is the right one. If there is none, offer to open one with createAccount (type POD, name Taxes), and wait for my yes.",
        "listRules with sourceAccountId of the income account. If a rule already acts on arrivals there, only one can be active: show me what it does (getRule), and ask whether to change it with updateRule instead.",
        "Call getRuleGuide before you write a rule whose fields you do not know.",
        `createRule with an ON_FUNDS_TRANSFERRED trigger on the income account and one step with one PERCENTAGE action: percentage ${share}, of INCOMING_AMOUNT, from the income account to the account for taxes. Show me the rule in words first, and wait for my yes.`,
        'triggerRule on it with simulation: true and simulatedIncomingFunds: 100000 (an incoming payment of $1,000.00), then getRuleExecution and listTransfers with its ruleExecutionId and executionMode: "SIMULATION". Tell me how much of $1,000.00 would go where.',
        "Give me the activationUrl: the rule does nothing until an owner or co-owner activates it there. You cannot.",
      ],
      "PROPOSES",
    ),
});

const payACard = promptTemplate({
  name: "pay-a-card",
  title: "Pay a card",
  description:
    "Proposes a payment to a connected credit card or loan, after checking what is owed and what is available.",
  input: z.strictObject({
    card: promptText.describe("The card or loan, by name."),
    amount: promptText
      .optional()
      .describe(
        "An amount, the minimum, the last statement or everything. If empty, the assistant asks you.",
      ),
    fromAccount: promptText.optional().describe("The account to pay from. If empty, the assistant asks you."),
  }),
  render: ({ card, amount, fromAccount }) =>
    describeJob(
      `Pay the card or loan I call ${quote(card)}.`,
      [
        'listAccounts with type: ["EXTERNAL_ACCOUNT"] and state: "ACTIVE". Find it by its name; it is a debt (externalAccountType LIABILITY). If none or several match, ask me.',
        "getAccount on it: tell me what is owed, the minimum of the next payment and when it is due, and how recent this is. If the balance is unknown, say so and stop: unknown is not zero.",
        amount
          ? `I want to pay ${quote(amount)}. Say what that is in dollars, and ask me if it could mean two things, or is more than is owed.`
          : "Ask me how much: the minimum, the last statement, everything, or an amount.",
        fromAccount
          ? `Pay from the account I call ${quote(fromAccount)}. It must be one that Sluice manages (POD or INCOME_SOURCE).`
          : "Ask me from which account; offer the pods (POD) that have enough.",
        "getAccount on the source: availableBalanceInCents must cover it. If it does not, say how much is missing, and stop.",
        'listTransfers with the id of the card and status: "PROCESSING", then "APPROVAL_PENDING": if a payment is already in progress or waiting, tell me before anything else.',
        "createTransfer with simulation: true. Tell me what it says.",
        "After my yes: createTransfer without simulation. It goes through the banks, so tell me when it should settle, and that this may be after the due date if that is close.",
        "getTransfer once, and tell me its status and what happens next.",
      ],
      "PROPOSES",
    ),
});

const isUuid = (text: string) => z.guid().safeParse(text).success;

const explainAFailedRun = promptTemplate({
  name: "explain-a-failed-run",
  title: "Explain a failed run",
  description:
    "Explains why a run of a rule failed, what moved anyway, and what you can do. It proposes nothing.",
  input: z.strictObject({
    run: promptText.describe("The rule's name, or the id of the run."),
  }),
  render: ({ run }) =>
    describeJob(
      isUuid(run)
        ? `Explain why the run ${run} failed.`
        : `Explain why the last run of the rule I call ${quote(run)} failed.`,
      [
        isUuid(run)
          ? "Reading a run takes its rule's id. If you do not know it, call listRules, then listRuleExecutions of each rule until you find this run; begin with rules that I have named."
          : 'listRules, and find the rule by its name; if none or several match, ask me. Then listRuleExecutions with its id, once with status: "FAILED" and once with "PARTIAL", and take the newest. If there is neither, tell me that nothing has failed.',
        "getRuleExecution: read the status, why it failed, and how many transfers were computed, complete, failed and in progress.",
        "getTransfer for each of its transferIds: which went through, which did not and why. A failed run may have moved some of the money.",
        "getRule, to know what should have happened; and getAccount on the source of what failed, to see its current balance.",
        "Tell me in five sentences at most: what should have happened, what did, why, whether money is now where it should not be, and what I can do. Give me the address of the run's page.",
        "Do not run the rule again and propose no transfer to make up for it: what went through would move twice. Say what you would propose, and wait for me to ask for it.",
      ],
      "READS",
    ),
});

const checkWhatWaits = promptTemplate({
  name: "check-what-waits",
  title: "What waits for approval",
  description:
    "Lists every transfer and run that waits for an owner or co-owner, with its address and deadline.",
  input: z.strictObject({}),
  render: () =>
    describeJob(
      "Show me everything that waits for approval.",
      [
        'listAccounts with state: "ACTIVE", then listTransfers with their ids (100 at a time at most) and status: "APPROVAL_PENDING".',
        'listRules, then listRuleExecutions of each with status: "APPROVAL_PENDING".',
        "List each, the one that expires first at the top: what would move from where to where and how much, the reason its approver sees, when it was proposed, and that it counts as denied 24 hours later.",
        "Give me each approvalUrl unchanged. Opening it decides nothing.",
        "If nothing waits, say so in one sentence. Propose nothing, and do not try to decide for anyone: you cannot.",
      ],
      "READS",
    ),
});

/** The common jobs, in the order in which clients show them. */
const TEMPLATES: readonly PromptTemplate[] = [
  setAsideTaxes,
  payACard,
  explainAFailedRun,
  weeklySummary,
  checkWhatWaits,
];

export function listPrompts(): Prompt[] {
  return TEMPLATES.map(({ name, title, description, arguments: fields }) => ({
    name,
    title,
    description,
    arguments: fields.map((field) => ({ ...field })),
  }));
}

/**
 * A prompt, filled in.
 * @throws ProtocolError for an unknown name or invalid arguments: a person chose them and needs to know.
 */
export function getPrompt(name: string, sent: Record<string, string>): GetPromptResult {
  const template = TEMPLATES.find((one) => one.name === name);
  if (!template) throw invalid(`There is no prompt ${quoteExactly(name, 60)}.`);
  return {
    description: template.description,
    messages: [{ role: "user", content: { type: "text", text: renderChecked(template, sent) } }],
  };
}

function renderChecked(template: PromptTemplate, sent: Record<string, string>): string {
  try {
    return template.render(sent);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [first] = toProblems(error.issues);
    throw invalid(oneLine(`${first?.field ?? "The arguments"} ${first?.message ?? "are invalid"}.`));
  }
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
