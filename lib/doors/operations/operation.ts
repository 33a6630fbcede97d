import type { z } from "zod";
import type { SentRequest } from "@/lib/contract/api-request";
import type { ErrorCode } from "@/lib/contract/error";
import type { PermissionType } from "@/lib/contract/permissions";
import type { ApiKeyActor, Context } from "@/lib/core/context";
import type { IdempotentCall } from "@/lib/core/idempotency";
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
  context: Context<ApiKeyActor>;
  sent: SentRequest;
  idempotency: IdempotentCall | null;
}

/**
 * An operation is a row of data (architecture page, "An operation"): routes, checks, audit action and, later, the
 * OpenAPI document and the MCP tools all derive from it.
 */
export interface Operation<Input extends z.ZodObject = z.ZodObject> {
  operationId: string;
  method: "GET" | "POST" | "PUT";
  /** Below `/platform/v1`, with `:name` for path parameters. */
  path: string;
  summary: string;
  /** Null: any valid key. */
  permission: PermissionType | null;
  /** The value of `action` in the audit log. */
  auditAction: string | null;
  /** Null where there are none. A path parameter that does not parse means that there is no such resource. */
  pathParameters: { schema: z.ZodObject; notFound: ErrorCode } | null;
  /** Path, query and body fields in one flat object. */
  input: Input;
  /** Which query fields may be repeated or given as a comma-separated list. */
  listFields: readonly string[];
  output: z.ZodType;
  successStatus: number;
  /** Besides those that every operation may answer. */
  errors: readonly ErrorCode[];
  /** Takes an `idempotency-key`. */
  isIdempotent: boolean;
  run: (call: Call, input: z.output<Input>) => Promise<Answer>;
}

/** Checks a row's types where it is written; the table itself holds rows of all inputs. */
export function operation<Input extends z.ZodObject>(row: Operation<Input>): Operation {
  return { ...row, run: (call, input) => row.run(call, row.input.parse(input)) };
}
