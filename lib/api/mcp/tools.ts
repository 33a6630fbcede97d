import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { asObject, callOperation } from "@/lib/api/mcp/call-operation";
import { type GuidedTool, guidedTools } from "@/lib/api/mcp/guided-tools";
import { describeArguments, describeWhole, type ObjectSchema } from "@/lib/api/mcp/input-schema";
import { auditPath, MCP_PATH, type McpCall } from "@/lib/api/mcp/mcp-call";
import { toRefusedResult } from "@/lib/api/mcp/refused-result";
import { callWaitForDecision, waitForDecision } from "@/lib/api/mcp/wait-for-decision";
import { convertSchema, type JsonSchema } from "@/lib/api/openapi/json-schema";
import { mayAttempt, type Operation, type ToolHints } from "@/lib/api/operations/operation";
import { recordRefusal } from "@/lib/api/operations/run-operation";
import { operations } from "@/lib/api/operations/table";
import type { PermissionType } from "@/lib/contract/permissions";
import { seenJson } from "@/lib/contract/plain-text";
import type { AssistantsView } from "@/lib/contract/reference";
import { auditEntry } from "@/lib/core/shared/audit-entry";
import type { CallerActor } from "@/lib/core/shared/context";

/** Deep enough for the fields of a list's items; deeper ones are named, not described. */
const DEPTH = 4;

/** `/transfers/{id}`, as in the reference, to `/transfers/:id`, as in the table. */
const toTablePath = (path: string) => path.replace(/\{(\w+)\}/g, ":$1");

interface McpTool {
  definition: Tool;
  /** Null: every caller may. */
  permission: PermissionType | null;
  /** As in the operation's row. */
  ownPermission?: PermissionType;
  call: (call: McpCall, sent: unknown) => Promise<CallToolResult>;
}

/** Every tool by name: the operations of the API, and the guided tools. */
export const tools: ReadonlyMap<string, McpTool> = new Map(
  [...operations.map(fromOperation), ...operations.flatMap(waitingFor), ...guidedTools.map(fromGuided)].map(
    (tool) => [tool.definition.name, tool],
  ),
);

/** The tools that this caller may call, and nothing else (specification, Part 5, "MCP server"). */
export function toolsFor(actor: CallerActor): Tool[] {
  return [...tools.values()].filter((tool) => mayAttempt(actor, tool)).map(({ definition }) => definition);
}

function fromOperation(operation: Operation): McpTool {
  const { operationId, summary, permission, ownPermission, output, tool } = operation;
  return {
    definition: {
      name: operationId,
      title: summary,
      description: describeTool(operation),
      inputSchema: describeArguments(operation),
      outputSchema: describeStructuredContent(output),
      annotations: toAnnotations(summary, tool.hints),
    },
    permission,
    ...(ownPermission && { ownPermission }),
    call: (call, sent) => callOperation(call, operation, sent),
  };
}

/** The tool that waits for a decision, beside the operation that reads it. */
function waitingFor(operation: Operation): McpTool[] {
  if (operation.operationId !== "getProposal") return [];
  const { name, title, description, hints, input, output } = waitForDecision;
  const definition = {
    name,
    title,
    description,
    inputSchema: describeWhole(input),
    outputSchema: describeStructuredContent(output),
    annotations: toAnnotations(title, hints),
  };
  const { permission } = operation;
  return [{ definition, permission, call: (call, sent) => callWaitForDecision(call, operation, sent) }];
}

function fromGuided(guided: GuidedTool): McpTool {
  const { name, title, description, hints, input, output } = guided;
  return {
    definition: {
      name,
      title,
      description,
      inputSchema: describeWhole(input),
      outputSchema: describeStructuredContent(output),
      annotations: toAnnotations(title, hints),
    },
    permission: null,
    call: (call, sent) => callGuidedTool(call, guided, sent),
  };
}

function toAnnotations(title: string, hints: ToolHints): Tool["annotations"] {
  return {
    title,
    readOnlyHint: hints.readOnly,
    destructiveHint: hints.destructive,
    idempotentHint: hints.idempotent,
    openWorldHint: hints.openWorld,
  };
}

/** What an agent reads to choose a tool: what it does, and when it is the right one. */
export function describeTool(operation: Pick<Operation, "description" | "tool">): string {
  return `${nameTools(operation.description)}\n\n${operation.tool.useWhen}`;
}

/**
 * Rewrites the reference for agents, which have tools instead of routes. `` `GET /transfers/{id}` `` becomes ``
 * `getTransfer` ``, and the two headers become their arguments.
 */
export function nameTools(text: string): string {
  return text
    .replace(/`(GET|POST|PUT) (\/[^`]*)`/g, (route, method: string, path: string) => {
      const found = operations.find((one) => one.method === method && one.path === toTablePath(path));
      return found ? `\`${found.operationId}\`` : route;
    })
    .replaceAll("`idempotency-key`", "`idempotencyKey`")
    .replaceAll("`x-called-reason`", "`calledReason`")
    .replace(/`(\w+)=(\w+)`/g, '`$1: "$2"`');
}

/** Calls a tool that changes nothing and points to the page where a person does it. */
async function callGuidedTool(call: McpCall, tool: GuidedTool, sent: unknown): Promise<CallToolResult> {
  const { services, context, overLimit } = call;
  const { requestId } = context;
  const line = { method: "POST", path: auditPath(tool.name) };
  try {
    if (overLimit) throw overLimit;
    const { text, data } = tool.answer(asObject(sent), services.appUrl);
    await services.audit.write(auditEntry(context, { ...line, action: null }, null));
    return {
      content: [{ type: "text", text }],
      structuredContent: { data: seenJson(data), requestId, guidance: text },
    };
  } catch (error) {
    const isAboveLimit = overLimit !== null;
    const refused = {
      requestId,
      operationId: tool.name,
      caller: context,
      ...line,
      auditAction: null,
      isAboveLimit,
    };
    return toRefusedResult(call, await recordRefusal(services, refused, error));
  }
}

/**
 * The shape of a tool's structured content: the API's answer, `{ data, requestId }`, or a refusal, `{ error,
 * requestId }`, each with `guidance`. Loose on purpose: nothing is required and anything may be added, so that a client that validates
 * answers does not reject a new field, nor the refusal it should read.
 */
function describeStructuredContent(output: z.ZodType): ObjectSchema {
  const { value, definitions } = convertSchema(output, "output");
  return {
    type: "object",
    properties: {
      data: loosen(value, definitions, DEPTH),
      requestId: { type: "string", description: "Quote it when you report a problem." },
      guidance: { type: "string", description: "What it means in words, and what to do next." },
      error: {
        type: "object",
        description: "Present instead of data when the call was refused.",
        properties: { code: { type: "string" }, message: { type: "string" }, details: { type: "array" } },
      },
    },
  };
}

/** The readable parts of a schema: kinds, names and descriptions. */
function loosen(schema: JsonSchema, definitions: Record<string, JsonSchema>, depth: number): JsonSchema {
  const { $ref, ...own } = schema;
  const target = $ref === undefined ? own : { ...definitions[$ref.replace("#/$defs/", "")], ...own };
  const { type, description } = target;
  const loose: JsonSchema = { ...(type && { type }), ...(description && { description }) };
  if (depth === 0) return loose;
  if (target.properties) {
    loose.properties = Object.fromEntries(
      Object.entries(target.properties).map(([name, field]) => [name, loosen(field, definitions, depth - 1)]),
    );
  }
  if (target.items) loose.items = loosen(target.items, definitions, depth - 1);
  if (target.anyOf) loose.anyOf = target.anyOf.map((one) => loosen(one, definitions, depth - 1));
  return loose;
}

const OPERATION_IDS = new Set(operations.map(({ operationId }) => operationId));

/** The MCP server as the guide to assistants shows it: exactly the tools that `tools/list` offers. */
export function describeAssistants(appUrl: string): AssistantsView {
  return {
    mcpUrl: `${appUrl}${MCP_PATH}`,
    tools: [...tools].map(([name, { definition, permission }]) => ({
      name,
      title: definition.title ?? name,
      permission,
      isGuide: !OPERATION_IDS.has(name) && name !== waitForDecision.name,
    })),
  };
}
