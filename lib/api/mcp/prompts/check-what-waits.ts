import { z } from "zod";
import { promptTemplate } from "@/lib/api/mcp/prompts/prompt";
import { tellJob } from "@/lib/api/mcp/prompts/steps";

export const checkWhatWaits = promptTemplate({
  name: "check-what-waits",
  title: "What waits for approval",
  description:
    "Lists every transfer and run that waits for an owner or co-owner, with its address and until when.",
  input: z.strictObject({}),
  render: () =>
    tellJob(
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
