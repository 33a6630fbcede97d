import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { oneLine, quote, quoteExactly } from "@/lib/api/mcp/describe/text";
import { describeJob, type PromptTemplate, promptTemplate, promptText } from "@/lib/api/mcp/prompt-template";
import { toProblems } from "@/lib/api/operations/to-problems";

const weeklySummary = promptTemplate({
  name: "weekly-summary",
  title: "What happened this week",
  description:
    "Sums up the last seven days: what came in, what went out, what rules did, what failed and what waits.",
  input: z.strictObject({}),
  render: () =>
    describeJob(
      "Sum up what happened with my money in the last seven days.",
      [
        'listAccounts with state: "ACTIVE", and getAccount on each pod and income source, for the balances. Read no account twice.',
        "listTransfers with the ids of all accounts and from: seven days ago. Turn pages while there are more, ten at most.",
        "listTransactions and listExternalTransactions with the same from. The other side of a transfer appears among the external ones too: do not count it twice.",
        "listRules, and listRuleExecutions with the same from for each that is active: how often it ran, and what failed.",
        "Tell me, in this order and in plain sentences: what needs me (what waits for approval with its approvalUrl, what failed, connections that are not up to date); what came in; what went out, and the three largest; what rules set aside; what is there now.",
        "Say which time you looked at, and what you could not see. Round nothing: write amounts to the cent.",
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
    "Writes a rule that sends a share of each payment that arrives to an account for taxes. A person activates it.",
  input: z.strictObject({
    percent: percent.describe("Which share of each payment, in percent, e.g. 27."),
    incomeAccount: promptText
      .optional()
      .describe("The account on which payments arrive. Left empty, you are asked."),
    taxAccount: promptText.optional().describe("The account for taxes. Left empty, one is looked for."),
  }),
  render: ({ percent: share, incomeAccount, taxAccount }) =>
    describeJob(
      `Set aside ${share} percent of each payment that arrives, for taxes.`,
      [
        incomeAccount
          ? `listAccounts with state: "ACTIVE". The account on which payments arrive is the one that I call ${quote(incomeAccount)}. If none or several fit, ask me.`
          : 'listAccounts with state: "ACTIVE". Ask me on which account payments arrive; an income source (INCOME_SOURCE) is the likeliest.',
        taxAccount
          ? `The account for taxes is the one that I call ${quote(taxAccount)}. If none or several fit, ask me.`
          : "Look for a pod for taxes by its name, and ask me whether it is the right one. If there is none, offer to open one with createAccount (type POD, name Taxes), and wait for my yes.",
        "listRules with sourceAccountId of the income account. If a rule acts on arrivals there already, only one can be active: show me what it does (getRule), and ask whether to change it with updateRule instead.",
        "Read the resource sluice://rules/specification before you write a rule.",
        `createRule with an ON_FUNDS_TRANSFERRED trigger on the income account and one step with one PERCENTAGE action: percentage ${share}, of INCOMING_AMOUNT, from the income account to the account for taxes. Show me the rule in words first, and wait for my yes.`,
        'triggerRule on it with simulation: true and simulatedIncomingFunds: 100000 (a payment of $1,000.00 that arrives), then getRuleExecution and listTransfers with its ruleExecutionId and executionMode: "SIMULATION". Tell me how much of $1,000.00 would go where.',
        "Give me the activationUrl: the rule does nothing until an owner or co-owner has activated it there. You cannot.",
      ],
      "PROPOSES",
    ),
});

const payACard = promptTemplate({
  name: "pay-a-card",
  title: "Pay a card",
  description:
    "Proposes a payment to a connected credit card or loan, after a look at what is owed and what is there.",
  input: z.strictObject({
    card: promptText.describe("Which card or loan, by its name."),
    amount: promptText
      .optional()
      .describe(
        "How much: an amount, the minimum, the last statement or everything. Left empty, you are asked.",
      ),
    fromAccount: promptText.optional().describe("The account to pay from. Left empty, you are asked."),
  }),
  render: ({ card, amount, fromAccount }) =>
    describeJob(
      `Pay the card or loan that I call ${quote(card)}.`,
      [
        'listAccounts with type: ["EXTERNAL_ACCOUNT"] and state: "ACTIVE". Find it by its name; it is a debt (externalAccountType LIABILITY). If none or several fit, ask me.',
        "getAccount on it: tell me what is owed, what the next payment is at least and when it is due, and as of when this is known. If the balance is not known, say so and stop: unknown is not zero.",
        amount
          ? `I want to pay ${quote(amount)}. Say what that is in dollars, and ask me if it could mean two things, or is more than is owed.`
          : "Ask me how much: the minimum, the last statement, everything, or an amount.",
        fromAccount
          ? `Pay from the account that I call ${quote(fromAccount)}. It has to be one that Sluice manages (POD or INCOME_SOURCE).`
          : "Ask me from which account; offer the pods (POD) that have enough.",
        "getAccount on the source: availableBalanceInCents has to cover it. If it does not, say how much is missing, and stop.",
        'listTransfers with the id of the card and status: "PROCESSING", then "APPROVAL_PENDING": if a payment is on its way or waits already, tell me before anything else.',
        "createTransfer with simulation: true. Tell me what it says.",
        "After my yes: createTransfer without simulation. It goes over the banks, so tell me when it should settle, and that it may be after the due date if that is close.",
        "getTransfer once, and tell me its status and what happens next.",
      ],
      "PROPOSES",
    ),
});

const isUuid = (text: string) => z.uuid().safeParse(text).success;

const explainAFailedRun = promptTemplate({
  name: "explain-a-failed-run",
  title: "Explain a failed run",
  description:
    "Says why a run of a rule failed, what moved all the same, and what can be done. It proposes nothing.",
  input: z.strictObject({
    run: promptText.describe("The rule's name, or the id of the run."),
  }),
  render: ({ run }) =>
    describeJob(
      isUuid(run)
        ? `Explain why the run ${run} failed.`
        : `Explain why the last run of the rule that I call ${quote(run)} failed.`,
      [
        isUuid(run)
          ? "A run is read with its rule's id. If you do not know it, call listRules, then listRuleExecutions of each rule until you find this run; begin with rules that I have named."
          : 'listRules, and find the rule by its name; if none or several fit, ask me. Then listRuleExecutions with its id, once with status: "FAILED" and once with "PARTIAL", and take the newest. If there is neither, tell me that nothing has failed.',
        "getRuleExecution: read the status, why it failed, how many transfers were worked out, complete, failed and on their way.",
        "getTransfer for each of its transferIds: which went through, which did not and why. A run that failed may have moved some of the money.",
        "getRule, to know what should have happened; and getAccount on the source of what failed, to see what is there now.",
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
    "Lists every transfer and run that waits for an owner or co-owner, with its address and until when.",
  input: z.strictObject({}),
  render: () =>
    describeJob(
      "Show me everything that waits for approval.",
      [
        'listAccounts with state: "ACTIVE", then listTransfers with their ids (100 at a time at most) and status: "APPROVAL_PENDING".',
        'listRules, then listRuleExecutions of each with status: "APPROVAL_PENDING".',
        "Tell me each, the one that ends first at the top: what would move from where to where and how much, who is told what as its reason, when it was proposed, and that it counts as denied 24 hours after that.",
        "Give me the approvalUrl of each as it is. Opening it decides nothing.",
        "If nothing waits, say so in one sentence. Propose nothing, and do not try to decide for anybody: you cannot.",
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
 * @throws ProtocolError for a name that there is not, or arguments that it does not take: a person chose them, and is
 * told.
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
    throw invalid(oneLine(`${first?.field ?? "The arguments"} ${first?.message ?? "are not valid"}.`));
  }
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
