import type { z } from "zod";
import { parseSent } from "@/lib/api/operations/parse-sent";
import type { AuditAction } from "@/lib/contract/audit-log";
import type { ErrorCode, ErrorDetail } from "@/lib/contract/error";
import type { PermissionType } from "@/lib/contract/permissions";
import type { SandboxWorld } from "@/lib/core/sandbox/drive";
import type { CallerActor, Context, SentRequest } from "@/lib/core/shared/context";
import type { IdempotentCall } from "@/lib/core/shared/idempotency";
import { permissionOf } from "@/lib/core/shared/permits";
import type { Services } from "@/lib/platform/services";

/** What an operation answers. */
export type Answer =
  /** `data` goes into the envelope; the pipeline writes the audit entry. */
  | { kind: "DATA"; data: unknown }
  /** The command made the whole body and wrote the audit entry in its own transaction. */
  | { kind: "RECORDED"; status: number; body: unknown }
  | { kind: "REPLAYED"; status: number; body: unknown };

/** What the pipeline passes to an operation besides its parsed input. */
export interface Call {
  services: Services;
  context: Context<CallerActor>;
  sent: SentRequest;
  idempotency: IdempotentCall | null;
  /** For a read that waits: aborted when nobody waits for the answer anymore. Null: cannot be known. */
  gone: () => AbortSignal | null;
  /** The simulated providers; null where any provider is real. */
  sandbox: SandboxWorld | null;
}

/**
 * An operation is a row of data (architecture page, "An operation"): routes, checks, audit action, the OpenAPI
 * document and the MCP tools all derive from it.
 */
interface OperationRow<Input extends z.ZodObject, Output extends z.ZodType> {
  operationId: string;
  /** Its chapter in the reference. */
  tag: OperationTag;
  method: "GET" | "POST" | "PUT";
  /** Below `/platform/v1`, with `:name` for path parameters. */
  path: string;
  /** A title: what a caller does with it, in a few words. */
  summary: string;
  /** For the reference: one or two paragraphs of plain Markdown, in the terms of the specification. */
  description: string;
  /** What an agent reads as well. */
  tool: ToolFacts;
  /** No tool: it or its answer does not fit beside a conversation, which pays for every tool. One if omitted. */
  isHttpOnly?: true;
  /** As sent over the wire; the compiler and a test check them against the schemas. */
  example: { request: z.input<Input>; answer: z.input<Output> };
  /** Null: any valid key. */
  permission: PermissionType | null;
  /**
   * A permission that opens the operation for what the caller proposed itself, and nothing else: the command checks whose it
   * is. None if omitted.
   */
  ownPermission?: PermissionType;
  /** Only for API keys: an assistant neither sees it nor may call it. Every caller if omitted. */
  isForKeys?: true;
  /** The value of `action` in the audit log. */
  auditAction: AuditAction | null;
  /**
   * Null without path parameters. A path parameter that does not parse means that there is no such resource; each
   * parameter has its code.
   */
  pathParameters: { schema: z.ZodObject; notFound: ErrorCode | Readonly<Record<string, ErrorCode>> } | null;
  /** Bound of its body; that of every request if omitted. */
  maximumBodyBytes?: number;
  /** Path, query and body fields in one flat object. */
  input: Input;
  /**
   * Problems that are found before the schema reads the input, because of how long it would take: refused alone. None if
   * omitted.
   */
  refuseUnread?: (raw: unknown) => ErrorDetail[];
  /** Query fields that may be repeated or given as a comma-separated list. */
  listFields: readonly string[];
  output: Output;
  /** The first is the status of an answer of kind `DATA`. */
  successes: readonly [Success, ...Success[]];
  /** In addition to the errors of every operation. */
  errors: readonly ErrorCode[];
  /**
   * Takes an `idempotency-key`; its command finds an earlier use of the key in the transaction that would be the
   * second use.
   */
  isIdempotent: boolean;
  run: (call: Call, input: z.output<Input>) => Promise<Answer>;
}

/** An operation as an agent's tool; its title is the row's summary. */
interface ToolFacts {
  /** One to four sentences for an agent choosing a tool: "Use when …", and when another tool is the right one. */
  useWhen: string;
  hints: ToolHints;
  /**
   * A key without any of these can do nothing with what it answers, so its list leaves the tool out; it may
   * still call it. Listed for every caller that may call it if omitted.
   */
  leadsTo?: readonly PermissionType[];
  /** False: the list of tools says of its answer only that it is an object, since lists are long. */
  isOutlined?: false;
  /**
   * Objects that an agent may write as JSON text, with what such a text says: all their fields in its list of tools would
   * cost too much.
   */
  asText?: Readonly<Record<string, string>>;
}

export type OperationTag =
  | "Caller"
  | "Accounts"
  | "Transfers"
  | "Proposals"
  | "Mandates"
  | "Transactions"
  | "Rules"
  | "Financial profile"
  | "Audit log"
  | "Sandbox";

interface Success {
  status: number;
  /** When this answer is given, for the reference. */
  when: string;
}

/** A row of the table. `bind` checks raw input and returns what remains to be run. */
export interface Operation extends Omit<OperationRow<z.ZodObject, z.ZodType>, "run" | "example"> {
  example: { request: Record<string, unknown>; answer: unknown };
  bind: (raw: unknown) => BoundOperation | { problems: ErrorDetail[] };
}

export interface BoundOperation {
  /** With defaults filled in: the input of the idempotency fingerprint. */
  parsed: unknown;
  run: (call: Call) => Promise<Answer>;
}

/** Checks a row's types where it is written; the table itself holds rows with any input. */
export function operation<Input extends z.ZodObject, Output extends z.ZodType>(
  row: OperationRow<Input, Output>,
): Operation {
  return {
    ...row,
    bind: (raw) => {
      const tooLarge = row.refuseUnread?.(raw) ?? [];
      if (tooLarge.length > 0) return { problems: tooLarge };
      const parsed = parseSent(row.input, withoutDuplicates(row.listFields, raw));
      if ("problems" in parsed) return parsed;
      return { parsed: parsed.data, run: (call) => row.run(call, parsed.data) };
    },
  };
}

/** In a list that filters, a value given twice counts once, also toward the length of the list. */
function withoutDuplicates(listFields: readonly string[], raw: unknown): unknown {
  if (typeof raw !== "object" || raw === null) return raw;
  return Object.fromEntries(
    Object.entries(raw).map(([name, value]) =>
      listFields.includes(name) && Array.isArray(value)
        ? [name, [...new Map(value.map((one) => [sameId(one), one])).values()]]
        : [name, value],
    ),
  );
}

/** An id is the same in upper and lower case. */
function sameId(value: unknown): unknown {
  return typeof value === "string" && /^[0-9a-f-]{36}$/i.test(value) ? value.toLowerCase() : value;
}

/** Whether the caller may try it at all; what it may read with it, the command decides. */
export function mayAttempt(
  actor: CallerActor,
  { permission, ownPermission, isForKeys }: Pick<Operation, "permission" | "ownPermission" | "isForKeys">,
): boolean {
  if (isForKeys && actor.kind !== "API_KEY") return false;
  const holds = (type: PermissionType) => permissionOf(actor, type) !== null;
  return permission === null || holds(permission) || (ownPermission !== undefined && holds(ownPermission));
}

/** Version of the API and of the MCP server, which offer the same operations. */
export const API_VERSION = "1.0.0";

/**
 * The four hints of a tool (Model Context Protocol, "Tool annotations"). Clients use them to decide what to ask a
 * person before a call. They protect nothing: every call is authorized on its own.
 */
export interface ToolHints {
  readOnly: boolean;
  /** Whether it may spend or overwrite; false: it only adds. */
  destructive: boolean;
  /**
   * Whether repeating the same call changes nothing more. Stated for calls without an idempotencyKey, since many omit
   * it.
   */
  idempotent: boolean;
  /** Whether it reaches beyond the organization, or returns words that strangers wrote. */
  openWorld: boolean;
}

/** Reads what members, keys and Sluice itself wrote. */
export const READS: ToolHints = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

/**
 * Also reads what merchants, senders and banks wrote: a client that distrusts open-world words should distrust these.
 */
export const READS_STRANGERS: ToolHints = { ...READS, openWorld: true };

/** Creates something inside Sluice, and a second one when called twice. No money moves. */
export const ADDS: ToolHints = { readOnly: false, destructive: false, idempotent: false, openWorld: false };

/** Adds something that can be added once. No money moves. */
export const ADDS_ONCE: ToolHints = { ...ADDS, idempotent: true };

/**
 * Replaces the latest version, which is then no longer what an owner would activate: a client should ask. Each call
 * adds a version.
 */
export const REPLACES: ToolHints = { ...ADDS, destructive: true };

/** Ends what the caller itself requested and has not left: no money moves, and again changes nothing more. */
export const TAKES_BACK: ToolHints = {
  readOnly: false,
  destructive: true,
  idempotent: true,
  openWorld: false,
};

/**
 * Can move money, also to other banks, and immediately with a key that needs no approval. Money that has left cannot
 * be recalled.
 */
export const MOVES_MONEY: ToolHints = {
  readOnly: false,
  destructive: true,
  idempotent: false,
  openWorld: true,
};
