import type { CallToolResult } from "@modelcontextprotocol/server";
import { oneLine, quoteExactly } from "@/lib/api/mcp/describe/text";
import { guidanceIn } from "@/lib/api/mcp/describe-answer";
import type { McpCall } from "@/lib/api/mcp/mcp-call";
import type { AppError, ErrorCode } from "@/lib/contract/error";
import { seenJson } from "@/lib/contract/plain-text";

/** What an agent should do about each refusal (specification, Part 7), in terms of tools and arguments. */
export const REFUSAL_ADVICE: Record<ErrorCode, string> = {
  INVALID_PARAMETERS:
    "Fix the arguments that are named, and call again. Unknown arguments are refused too. The same call will be refused again.",
  TRANSFER_SOURCE_NOT_FOUND:
    "Take sourceAccountId from listAccounts, of an account that is not closed. Do not guess ids.",
  TRANSFER_DESTINATION_NOT_FOUND:
    "Take destinationAccountId from listAccounts, of an account that is not closed. Do not guess ids.",
  IDEMPOTENCY_KEY_MISMATCH:
    "This idempotencyKey belongs to another request. For a new request use a new one (a UUID); to repeat the first, send its arguments unchanged.",
  UNAUTHORIZED: "Do not call again: the person has to connect this assistant again.",
  ACCESS_DENIED:
    "Do not look for a way around it, and do not call again unchanged. Tell the person what is not allowed: an owner decides what a key or an assistant may do, in the dashboard.",
  MAXIMUM_AMOUNT_EXCEEDED:
    "Do not split the amount into several transfers: the limit is an owner's decision. Tell the person, who can make the transfer in the dashboard or change the limit.",
  REPEATS_DENIAL:
    "A person said no to exactly this. Do not call again, and do not change the amount to get around it. Tell the person what they said, and ask.",
  RULE_DEACTIVATED:
    "A person activates or resumes the rule in the dashboard. Until then triggerRule works only with simulation: true.",
  INVALID_RULE: "Treat the rule as something that can only be listed; a person can see it in the dashboard.",
  ACCOUNT_NOT_FOUND:
    "Take the id from listAccounts. If you have just opened it, call again in a few seconds.",
  RULE_NOT_FOUND: "Take the id from listRules. If you have just written it, call again in a few seconds.",
  RULE_EXECUTION_NOT_FOUND:
    "If you have just started the run, call again in a few seconds. Otherwise take the id from listRuleExecutions.",
  TRANSFER_NOT_FOUND:
    "If you have just made it, call again in a few seconds. Otherwise take the id from listTransfers.",
  PROPOSAL_NOT_FOUND: "Take the id from listProposals, or use that of the transfer or run.",
  MANDATE_NOT_FOUND: "Take the id from getMandates.",
  DOCUMENT_NOT_FOUND: "Take the id from addTransferDocument.",
  CARD_TRANSACTION_NOT_FOUND: "Take the id from listTransactions.",
  EXTERNAL_TRANSACTION_NOT_FOUND:
    "Take the id from listExternalTransactions. A pending one that the bank withdrew is gone.",
  TRANSFER_IN_PROGRESS:
    "Your first call with this idempotencyKey is still running. Wait two seconds and call again with the same arguments and the same idempotencyKey.",
  RULE_EXECUTION_IN_PROGRESS:
    "Your first call with this idempotencyKey is still running. Wait two seconds and call again with the same arguments and the same idempotencyKey.",
  RULE_VERSION_CONFLICT:
    "Someone changed the rule since you read it. Call getRule, make your change to that version, and call updateRule with its version as expectedVersion. Ask the person if the two changes conflict.",
  TOO_LATE_TO_CANCEL:
    "Do not call again. Tell the person; they can move settled money back in the dashboard.",
  INVALID_DOCUMENT:
    "Send the unchanged bytes of a PDF, JPEG or PNG in Base64. Ask the person for another file.",
  TRANSFER_NOT_WAITING: "Do not call again: documents are added before a person decides.",
  TOO_MANY_DOCUMENTS:
    "Do not call again. If the documents are wrong, call cancelTransfer and createTransfer, then add the right ones.",
  PAYLOAD_TOO_LARGE: "Send less: no tool needs that much.",
  RATE_LIMIT_EXCEEDED:
    "Wait as long as it says and a little more, then call again. Calls while you wait count too. Larger pages (pageSize up to 100) need fewer calls.",
  UNEXPECTED_ERROR:
    "It may or may not have taken effect. Call again with the same arguments and the same idempotencyKey, or, if you sent none, check first whether it exists. If it fails again, stop and give the person the request id.",
};

const MESSAGE_LENGTH = 1_000;

const FIELD_LENGTH = 120;

const PROBLEM_LENGTH = 200;

/** A body with many mistakes has few causes; the structured content lists them all. */
const FIELDS_SHOWN = 20;

/** A refusal as a result: the agent reads why, and what to do. */
export function toRefusedResult({ services, context }: McpCall, refusal: AppError): CallToolResult {
  const { code, message, details } = refusal;
  const { requestId } = context;
  const text = describeRefusal(refusal, requestId, services.appUrl);
  return {
    content: [{ type: "text", text }],
    // Messages name accounts, rules and fields as others wrote them.
    structuredContent: {
      guidance: guidanceIn(text),
      nextStep: REFUSAL_ADVICE[code],
      error: seenJson({ code, message, details: [...details] }),
      requestId,
    },
    isError: true,
  };
}

/**
 * A refusal in words: what was wrong, what would be right, what to do next.
 * @param requestId what a person quotes when they ask for help
 */
export function describeRefusal(
  { code, message, details }: AppError,
  requestId: string,
  appUrl: string,
): string {
  const shown = details.slice(0, FIELDS_SHOWN);
  const more = details.length - shown.length;
  return [
    `Refused (${code}): ${oneLine(message, MESSAGE_LENGTH)}`,
    // Unknown field names come from the caller: an attacker who fed them to the agent may have chosen them.
    ...shown.map(
      ({ field, message: problem }) =>
        `- ${quoteExactly(field, FIELD_LENGTH)} ${oneLine(problem, PROBLEM_LENGTH)}`,
    ),
    ...(more > 0 ? [`- and ${more} more, in the structured content`] : []),
    `What to do: ${REFUSAL_ADVICE[code]}`,
    `Dashboard: ${appUrl}. Request id: ${requestId}.`,
  ].join("\n");
}
