import type { z } from "zod";
import { toProblems } from "@/lib/api/operations/to-problems";
import type { AuditAction } from "@/lib/contract/audit-log";
import type { ErrorCode, ErrorDetail } from "@/lib/contract/error";
import type { PermissionType } from "@/lib/contract/permissions";
import type { CallerActor, Context, SentRequest } from "@/lib/core/shared/context";
import type { IdempotentCall } from "@/lib/core/shared/idempotency";
import type { Services } from "@/lib/platform/services";

/** What an operation answers. */
export type Answer =
  /** `data` goes into the envelope; the pipeline writes the audit entry. */
  | { kind: "DATA"; data: unknown }
  /** The verb made the whole body and wrote the audit entry in its own transaction. */
  | { kind: "RECORDED"; status: number; body: unknown }
  | { kind: "REPLAYED"; status: number; body: unknown };

/** What the pipeline hands to an operation besides its parsed input. */
export interface Call {
  services: Services;
  context: Context<CallerActor>;
  sent: SentRequest;
  idempotency: IdempotentCall | null;
}

/**
 * An operation is a row of data (architecture page, "An operation"): routes, checks, audit action and, later, the
 * OpenAPI document and the MCP tools all derive from it.
 */
interface OperationRow<Input extends z.ZodObject, Output extends z.ZodType> {
  operationId: string;
  /** The chapter of the reference in which it stands. */
  tag: OperationTag;
  method: "GET" | "POST" | "PUT";
  /** Below `/platform/v1`, with `:name` for path parameters. */
  path: string;
  /** A title: what a caller does with it, in a few words. */
  summary: string;
  /** For the reference: one or two paragraphs of plain Markdown, in the words of the specification. */
  description: string;
  /** What an agent is told besides. */
  tool: ToolFacts;
  /** As they go over the wire; the compiler and a test hold them against the schemas. */
  example: { request: z.input<Input>; answer: z.input<Output> };
  /** Null: any valid key. */
  permission: PermissionType | null;
  /** The value of `action` in the audit log. */
  auditAction: AuditAction | null;
  /** Null where there are none. A path parameter that does not parse means that there is no such resource; of several, each has its code. */
  pathParameters: { schema: z.ZodObject; notFound: ErrorCode | Readonly<Record<string, ErrorCode>> } | null;
  /** Path, query and body fields in one flat object. */
  input: Input;
  /** Which query fields may be repeated or given as a comma-separated list. */
  listFields: readonly string[];
  output: Output;
  /** The first is the status of an answer of kind `DATA`. */
  successes: readonly [Success, ...Success[]];
  /** Besides those that every operation may answer. */
  errors: readonly ErrorCode[];
  /** Takes an `idempotency-key`; its verb finds an earlier use of the key in the transaction that would be the second. */
  isIdempotent: boolean;
  run: (call: Call, input: z.output<Input>) => Promise<Answer>;
}

/** How an operation appears among an agent's tools: its title is the row's summary. */
interface ToolFacts {
  /** One to four sentences for an agent that chooses among tools: "Use when …", and when another is the right one. */
  useWhen: string;
  hints: ToolHints;
}

export type OperationTag =
  | "Accounts"
  | "Transfers"
  | "Transactions"
  | "Rules"
  | "Financial profile"
  | "Audit log";

interface Success {
  status: number;
  /** When this one is answered, for the reference. */
  when: string;
}

/** A row of the table. `bind` checks raw input and, where it is right, gives what remains to be run. */
export interface Operation extends Omit<OperationRow<z.ZodObject, z.ZodType>, "run" | "example"> {
  example: { request: Record<string, unknown>; answer: unknown };
  bind: (raw: unknown) => BoundOperation | { problems: ErrorDetail[] };
}

export interface BoundOperation {
  /** Defaults filled in: what the idempotency fingerprint is made of. */
  parsed: unknown;
  run: (call: Call) => Promise<Answer>;
}

/** Checks a row's types where it is written; the table itself holds rows of every input. */
export function operation<Input extends z.ZodObject, Output extends z.ZodType>(
  row: OperationRow<Input, Output>,
): Operation {
  return {
    ...row,
    bind: (raw) => {
      const parsed = row.input.safeParse(raw, { reportInput: true });
      if (!parsed.success) return { problems: toProblems(parsed.error.issues) };
      return { parsed: parsed.data, run: (call) => row.run(call, parsed.data) };
    },
  };
}

/** Of the API and of the MCP server, which offer the same operations. */
export const API_VERSION = "1.0.0";

/**
 * The four hints of a tool (Model Context Protocol, "Tool annotations"). Clients decide by them what to ask a person
 * about before a call. They are no protection: what a caller may do is decided at every call.
 */
export interface ToolHints {
  readOnly: boolean;
  /** Whether it may spend or overwrite; false: it only adds. */
  destructive: boolean;
  /** Whether the same call again changes nothing more. Said of calls without an idempotencyKey: many leave it out. */
  idempotent: boolean;
  /** Whether it reaches beyond the organization, or answers with words that strangers wrote. */
  openWorld: boolean;
}

/** Reads what members, keys and Sluice itself have written. */
export const READS: ToolHints = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

/**
 * Reads what merchants, senders and banks have written too: a client that is careful with words from the open world
 * should be with these.
 */
export const READS_STRANGERS: ToolHints = { ...READS, openWorld: true };

/** Makes something new inside Sluice, and a second one when it is called twice. Nothing moves by it. */
export const ADDS: ToolHints = { readOnly: false, destructive: false, idempotent: false, openWorld: false };

/**
 * Puts a new version in the place of the latest one, which is no longer what an owner would activate: a client should
 * ask. Each call is a further version.
 */
export const REPLACES: ToolHints = { ...ADDS, destructive: true };

/** Can move money, to other banks too, and with a key that needs no approval at once: what left is not called back. */
export const MOVES_MONEY: ToolHints = {
  readOnly: false,
  destructive: true,
  idempotent: false,
  openWorld: true,
};
