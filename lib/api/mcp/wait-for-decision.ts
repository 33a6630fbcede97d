import { z } from "zod";
import { callOperation, isObject } from "@/lib/api/mcp/call-operation";
import type { McpCall } from "@/lib/api/mcp/mcp-call";
import type { Operation, ToolHints } from "@/lib/api/operations/operation";
import { proposalSchema } from "@/lib/contract/approvals/proposal";
import { MAXIMUM_WAIT_SECONDS } from "@/lib/contract/limits";
import type { PermissionType } from "@/lib/contract/permissions";

/** Below the minute after which clients give up, with time to spare for the way. */
const USUAL_SECONDS = 50;

const HINTS: ToolHints = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

/** `getProposal` that waits: its own name is what an agent looks for. */
export const waitForDecision = {
  name: "waitForDecision",
  title: "Wait until a person has decided",
  description:
    "Wait until a person has decided. Use when a proposal, transfer or run of yours waits, with its id; again while WAITING.",
  hints: HINTS,
  /** A key that proposes nothing waits for nobody. */
  leadsTo: [
    "CREATE_ACCOUNTS",
    "TRIGGER_RULES",
    "CREATE_AND_EDIT_RULES",
    "MANUAL_TRANSFER",
  ] satisfies PermissionType[],
  input: z.strictObject({
    id: z.guid().describe("Of the proposal, transfer or run."),
    seconds: z.int().min(1).max(MAXIMUM_WAIT_SECONDS).default(USUAL_SECONDS).describe("At most so long."),
  }),
  output: proposalSchema,
};

/** @param operation `getProposal`, whose checks, limits and audit log it has */
export function callWaitForDecision(call: McpCall, operation: Operation, sent: unknown) {
  // What is not an object is refused below, in the words that all tools have.
  if (!isObject(sent)) return callOperation(call, operation, sent);
  const { seconds, ...rest } = sent;
  return callOperation(call, inSeconds(operation), { ...rest, wait: seconds ?? rest.wait ?? USUAL_SECONDS });
}

/** Names a problem by the tool's argument: an agent that reads of another one looks for a mistake that it did not make. */
function inSeconds(operation: Operation): Operation {
  return {
    ...operation,
    bind: (raw) => {
      const bound = operation.bind(raw);
      if (!("problems" in bound)) return bound;
      const named = bound.problems.map((problem) =>
        problem.field === "wait" ? { ...problem, field: "seconds" } : problem,
      );
      return { problems: named };
    },
  };
}
