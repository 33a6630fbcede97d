import { z } from "zod";
import { promptTemplate } from "@/lib/api/mcp/prompts/prompt";
import { tellJob } from "@/lib/api/mcp/prompts/steps";

export const weeklySummary = promptTemplate({
  name: "weekly-summary",
  title: "What happened this week",
  description:
    "Sums up the last seven days: what came in, what went out, what rules did, what failed and what waits.",
  input: z.strictObject({}),
  render: () =>
    tellJob(
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
