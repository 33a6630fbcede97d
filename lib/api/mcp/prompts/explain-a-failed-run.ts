import { z } from "zod";
import { promptTemplate, promptText } from "@/lib/api/mcp/prompts/prompt";
import { tellJob } from "@/lib/api/mcp/prompts/steps";
import { quote } from "@/lib/api/mcp/tell/quote";

const isUuid = (text: string) => z.uuid().safeParse(text).success;

export const explainAFailedRun = promptTemplate({
  name: "explain-a-failed-run",
  title: "Explain a failed run",
  description:
    "Says why a run of a rule failed, what moved all the same, and what can be done. It proposes nothing.",
  input: z.strictObject({
    run: promptText.describe("The rule's name, or the id of the run."),
  }),
  render: ({ run }) =>
    tellJob(
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
