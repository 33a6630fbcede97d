import { z } from "zod";
import { promptTemplate, promptText } from "@/lib/api/mcp/prompts/prompt";
import { tellJob } from "@/lib/api/mcp/prompts/steps";
import { quote } from "@/lib/api/mcp/tell/quote";

/** A percentage as people write it: `27`, `27.5`, `27 %`. */
const percent = promptText
  .regex(/^\d{1,3}(\.\d{1,4})?\s*%?$/, "must be a number like 27 or 27.5")
  .transform((text) => Number.parseFloat(text))
  .refine((value) => value > 0 && value <= 100, "must be above 0 and at most 100");

export const setAsideTaxes = promptTemplate({
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
    tellJob(
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
