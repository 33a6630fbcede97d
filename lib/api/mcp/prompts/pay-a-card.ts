import { z } from "zod";
import { promptTemplate, promptText } from "@/lib/api/mcp/prompts/prompt";
import { tellJob } from "@/lib/api/mcp/prompts/steps";
import { quote } from "@/lib/api/mcp/tell/quote";

export const payACard = promptTemplate({
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
    tellJob(
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
