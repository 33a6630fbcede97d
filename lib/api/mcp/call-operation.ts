import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { auditPath, type McpCall } from "@/lib/api/mcp/mcp-call";
import { readArguments } from "@/lib/api/mcp/read-arguments";
import { toRefusedResult } from "@/lib/api/mcp/refused-result";
import { accountIdsIn, tellAnswer } from "@/lib/api/mcp/tell-answer";
import type { Operation } from "@/lib/api/operations/operation";
import { recordRefusal } from "@/lib/api/operations/record-refusal";
import { runOperation } from "@/lib/api/operations/run-operation";
import { REPLACEMENT, seenJson, seenText } from "@/lib/contract/plain-text";
import type { AccountNames } from "@/lib/contract/views/rule-parts";
import { readAccountNames } from "@/lib/core/rules/read-account-names";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { permissionOf } from "@/lib/core/shared/permits";

/**
 * The names of the accounts of an answer, for a caller who may list accounts. After the work, which a failure here must
 * not make look undone: then accounts are told by their ids.
 */
async function readNames({ services, context }: McpCall, data: unknown): Promise<AccountNames> {
  if (permissionOf(context.actor, "READ_ACCOUNTS") === null) return {};
  try {
    const names = await readAccountNames(services.pool, context.organizationId, accountIdsIn(data));
    return Object.fromEntries(
      Object.entries(names).map(([id, account]) => [
        id,
        { ...account, name: seenText(account.name, REPLACEMENT) },
      ]),
    );
  } catch (error) {
    services.log.error({ error: String(error) }, "an answer is told without the names of its accounts");
    return {};
  }
}

const bodySchema = z.object({ data: z.unknown(), requestId: z.string() });

/**
 * Calls an operation as a tool: the core, not HTTP, through the same checks, limits and audit log. What is refused is a
 * result with `isError`, which an agent reads and can act on; a protocol error would end its turn.
 * @param sent the tool's arguments
 */
export async function callOperation(
  call: McpCall,
  operation: Operation,
  sent: Record<string, unknown>,
): Promise<CallToolResult> {
  const { services, overLimit } = call;
  const method = "POST";
  const path = auditPath(operation.operationId);
  let context: Context<CallerActor> = call.context;
  try {
    if (overLimit) throw overLimit;
    const { fields, ...callerFields } = readArguments(operation, sent);
    context = { ...context, calledReason: callerFields.calledReason };
    const request = { context, fields, sent: { method, path, ...callerFields, body: fields } };
    const { body } = await runOperation(services, operation, request);
    const { data: raw, requestId } = bodySchema.parse(body);
    // Names and descriptions from outside, and those kept from before they were checked, must not hold words for the
    // agent that no person sees.
    const data = seenJson(raw);
    const text = tellAnswer(operation.operationId, data, services.appUrl, await readNames(call, data));
    return { content: [{ type: "text", text }], structuredContent: { data, requestId } };
  } catch (error) {
    const { operationId, auditAction } = operation;
    const { requestId } = context;
    const isAboveLimit = overLimit !== null;
    const refused = { requestId, operationId, caller: context, method, path, auditAction, isAboveLimit };
    return toRefusedResult(call, await recordRefusal(services, refused, error));
  }
}
