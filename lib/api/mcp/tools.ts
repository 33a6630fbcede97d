import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { asObject, callOperation } from "@/lib/api/mcp/call-operation";
import { nextStepIn } from "@/lib/api/mcp/describe-answer";
import { type GuidedTool, guidedTools, ruleGuideTool } from "@/lib/api/mcp/guided-tools";
import { describeArguments, describeWhole, type ObjectSchema } from "@/lib/api/mcp/input-schema";
import { auditPath, MCP_PATH, type McpCall } from "@/lib/api/mcp/mcp-call";
import { toRefusedResult } from "@/lib/api/mcp/refused-result";
import { describeRuleArguments, describeRuleTool, takesRule } from "@/lib/api/mcp/rule-arguments";
import { callWaitForDecision, waitForDecision } from "@/lib/api/mcp/wait-for-decision";
import { convertSchema, type JsonSchema } from "@/lib/api/openapi/json-schema";
import { mayAttempt, type Operation, type ToolHints } from "@/lib/api/operations/operation";
import { recordRefusal } from "@/lib/api/operations/run-operation";
import { toolOperations } from "@/lib/api/operations/table";
import type { PermissionType } from "@/lib/contract/permissions";
import { seenJson } from "@/lib/contract/plain-text";
import type { AssistantsView } from "@/lib/contract/reference";
import { auditEntry } from "@/lib/core/shared/audit-entry";
import type { CallerActor } from "@/lib/core/shared/context";
import { permissionOf } from "@/lib/core/shared/permits";

/** Deep enough for the fields of a list's items, or of one thing; what is in those, and beside the items, is named only. */
const DEPTH_OF_ITEMS = 2;
const DEPTH_OF_ONE = 1;

/** Of an answer that its own words explain. */
const ANY_CONTENT: ObjectSchema = { type: "object", properties: { data: { type: "object" } } };

interface McpTool {
  definition: Tool;
  /** Null: every caller may. */
  permission: PermissionType | null;
  /** As in the operation's row. */
  ownPermission?: PermissionType;
  /** As in the operation's row. */
  isForKeys?: true;
  /** A key without any of these cannot do what comes before or after, so its list leaves the tool out. None if omitted. */
  leadsTo?: readonly PermissionType[] | undefined;
  call: (call: McpCall, sent: unknown) => Promise<CallToolResult>;
}

/** Every tool by name: the toolOperations of the API, and the guided tools. */
export const tools: ReadonlyMap<string, McpTool> = new Map(
  [
    ...toolOperations.map(fromOperation),
    ...toolOperations.flatMap(waitingFor),
    fromGuided(ruleGuideTool),
    ...guidedTools.map(fromGuided),
  ].map((tool) => [tool.definition.name, tool]),
);

/** The tools that this caller may call, and nothing else (specification, Part 5, "MCP server"). */
export function toolsFor(actor: CallerActor): Tool[] {
  return [...tools.values()]
    .filter((tool) => mayAttempt(actor, tool) && mayFollow(actor, tool))
    .map(({ definition }) => definition);
}

/** A program with a few permissions pays for each tool that it lists; an assistant serves a person, who may ask anything. */
function mayFollow(actor: CallerActor, { leadsTo }: McpTool): boolean {
  if (actor.kind !== "API_KEY" || leadsTo === undefined) return true;
  return leadsTo.some((type) => permissionOf(actor, type) !== null);
}

function fromOperation(operation: Operation): McpTool {
  const { operationId, summary, permission, ownPermission, isForKeys, output, tool } = operation;
  return {
    definition: {
      name: operationId,
      title: summary,
      description: describeTool(operation),
      inputSchema: takesRule(operation) ? describeRuleArguments(operation) : describeArguments(operation),
      outputSchema: tool.isOutlined === false ? ANY_CONTENT : describeStructuredContent(output),
      annotations: toAnnotations(summary, tool.hints),
    },
    permission,
    leadsTo: tool.leadsTo,
    ...(ownPermission && { ownPermission }),
    ...(isForKeys && { isForKeys }),
    call: (call, sent) => callOperation(call, operation, sent),
  };
}

/** The tool that waits for a decision, beside the operation that reads it. */
function waitingFor(operation: Operation): McpTool[] {
  if (operation.operationId !== "getProposal") return [];
  const { name, title, description, hints, leadsTo, input, output } = waitForDecision;
  const definition = {
    name,
    title,
    description,
    inputSchema: describeWhole(input),
    outputSchema: describeStructuredContent(output),
    annotations: toAnnotations(title, hints),
  };
  const { permission } = operation;
  return [
    { definition, permission, leadsTo, call: (call, sent) => callWaitForDecision(call, operation, sent) },
  ];
}

function fromGuided(guided: GuidedTool<unknown>): McpTool {
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
    permission: guided.permission,
    leadsTo: guided.leadsTo,
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

/** What an agent reads to choose a tool: what it does, when it is the right one, and what comes before and after. */
export function describeTool(operation: Operation): string {
  const { summary, tool } = operation;
  const description = `${summary}. ${tool.useWhen}`;
  return takesRule(operation) ? describeRuleTool(description, operation) : description;
}

/** Calls a tool that changes nothing: it explains, or points to the page where a person does it. */
async function callGuidedTool(
  call: McpCall,
  tool: GuidedTool<unknown>,
  sent: unknown,
): Promise<CallToolResult> {
  const { services, context, overLimit } = call;
  const { requestId } = context;
  const line = { method: "POST", path: auditPath(tool.name) };
  try {
    if (overLimit) throw overLimit;
    const { text, data } = tool.answer(asObject(sent), services.appUrl);
    await services.audit.write(auditEntry(context, { ...line, action: null }, null));
    return {
      content: [{ type: "text", text }],
      structuredContent: { guidance: text, nextStep: nextStepIn(text), data: seenJson(data), requestId },
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
 * The shape of a tool's structured content: the API's answer in `data`. Beside it are `guidance`, `nextStep` and `requestId`, or
 * `error` instead of it for a refusal. Loose on purpose: nothing is required and anything may be added, so that a client that
 * validates answers does not reject a new field, nor the refusal it should read.
 */
function describeStructuredContent(output: z.ZodType): ObjectSchema {
  const { value, definitions } = convertSchema(output, "output");
  const data = loosen(value, definitions, DEPTH_OF_ONE);
  const items = value.properties?.items;
  if (items) data.properties = { ...data.properties, items: loosen(items, definitions, DEPTH_OF_ITEMS) };
  return { type: "object", properties: { data } };
}

/** The outline of a schema, names and kinds: the answer's words explain what fields mean. */
function loosen(schema: JsonSchema, definitions: Record<string, JsonSchema>, depth: number): JsonSchema {
  const target = resolve(schema, definitions);
  const types = (target.anyOf ?? target.oneOf)?.map((one) => resolve(one, definitions).type);
  if (types) {
    const known = [...new Set(types.flatMap((type) => type ?? []))];
    const some = (target.anyOf ?? []).find((one) => resolve(one, definitions).properties);
    if (depth > 0 && types.length === 2 && some) return { ...loosen(some, definitions, depth), type: known };
    return types.includes(undefined) ? {} : { type: known };
  }
  const loose: JsonSchema = { ...(target.type && { type: target.type }) };
  if (depth === 0) return loose;
  if (target.properties) {
    loose.properties = Object.fromEntries(
      Object.entries(target.properties).map(([name, field]) => [name, loosen(field, definitions, depth - 1)]),
    );
  }
  if (target.items) loose.items = loosen(target.items, definitions, depth - 1);
  return loose;
}

function resolve({ $ref, ...own }: JsonSchema, definitions: Record<string, JsonSchema>): JsonSchema {
  return $ref === undefined ? own : { ...definitions[$ref.replace("#/$defs/", "")], ...own };
}

const OPERATION_IDS = new Set(toolOperations.map(({ operationId }) => operationId));

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
