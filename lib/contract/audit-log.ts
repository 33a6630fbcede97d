import { z } from "zod";
import { ERROR_STATUS, type ErrorCode } from "@/lib/contract/error";

/** The action of a request (specification, Part 2, "Audit log entry"). Operations outside this list have none. */
export const auditActionSchema = z.enum([
  "GET_ACCOUNT",
  "LIST_ACCOUNTS",
  "CREATE_ACCOUNT",
  "LIST_BENEFICIARIES",
  "LIST_TRANSFERS",
  "GET_TRANSFER",
  "CREATE_TRANSFER",
  "TRIGGER_RULE",
  "LIST_RULES",
  "GET_RULE",
  "LIST_RULE_EXECUTIONS",
  "GET_RULE_EXECUTION",
  "LIST_AUDIT_LOGS",
  "CREATE_RULE",
  "UPDATE_RULE",
  "GET_FINANCIAL_PROFILE",
]);
export type AuditAction = z.infer<typeof auditActionSchema>;

export const auditOutcomeSchema = z.enum(["SUCCESS", "FAILURE"]);
export type AuditOutcome = z.infer<typeof auditOutcomeSchema>;

const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERROR_STATUS, text);
/** A misspelled code would otherwise give an empty list. */
export const errorCodeText = z
  .string()
  .refine(isErrorCode, "must be an error code of this API")
  .meta({ enum: Object.keys(ERROR_STATUS) });

/** Specification, Part 2, "Audit log entry". */
export const auditLogEntrySchema = z.strictObject({
  id: z.uuid(),
  createdAt: z.iso.datetime(),
  apiKeyId: z.uuid(),
  apiKeyName: z.string(),
  /** HTTP request path. */
  path: z.string(),
  action: auditActionSchema.nullable(),
  /** The caller's `x-called-reason`. */
  reason: z.string().nullable(),
  requestId: z.string(),
  outcome: auditOutcomeSchema,
  /** On failure. */
  errorCode: z.string().nullable(),
});
export type AuditLogEntry = z.infer<typeof auditLogEntrySchema>;
