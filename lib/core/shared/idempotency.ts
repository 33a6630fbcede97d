import { hash } from "node:crypto";
import { AppError } from "@/lib/contract/error";
import { IDEMPOTENCY_RETENTION_MS } from "@/lib/contract/limits";
import type { Context } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";

/**
 * One use of an idempotency key. Its scope is caller × operation × path × key; the fingerprint is that of the parsed
 * request (docs/behavior/http.md, "Idempotency").
 */
export interface IdempotentCall {
  operation: string;
  path: string;
  key: string;
  /** SHA-256, hexadecimal. */
  fingerprint: string;
}

/** The first response. */
export interface Replay {
  status: number;
  body: unknown;
}

interface ResultRow {
  status: number;
  body: unknown;
  fingerprint: string;
}

/**
 * The response that this call already got within the last 24 hours, or null.
 * @throws AppError `IDEMPOTENCY_KEY_MISMATCH` when the key was used for another request.
 */
export async function findReplay(
  database: Queryable,
  context: Context,
  call: IdempotentCall,
): Promise<Replay | null> {
  const { rows } = await database.query<ResultRow>({
    name: "find_idempotent_result",
    text: `
      select status, body, encode(fingerprint, 'hex') as fingerprint from idempotency_results
       where organization_id = $1 and caller_id = $2 and operation = $3 and path = $4 and idempotency_key = $5
         and expires_at > $6`,
    values: [context.organizationId, context.actor.id, call.operation, call.path, call.key, context.now],
  });
  return rows[0] ? matchReplay(call, rows[0]) : null;
}

/** The answer of an SQL function that writes once. */
export const OUTCOME_COLUMNS = `outcome, replay_status as "replayStatus", replay_body as "replayBody",
  replay_fingerprint as "replayFingerprint"`;

/** What a grouped write returns for a key that was already used; null for an unused one. */
export interface IdempotentOutcome {
  replayStatus: number | null;
  replayBody: unknown;
  replayFingerprint: string | null;
}

/** @throws AppError `IDEMPOTENCY_KEY_MISMATCH` */
export function readReplay(call: IdempotentCall, outcome: IdempotentOutcome): Replay {
  const { replayStatus: status, replayFingerprint: fingerprint } = outcome;
  if (status === null || fingerprint === null) throw new Error("A replay has no stored response");
  return matchReplay(call, { status, body: outcome.replayBody, fingerprint });
}

/** @throws AppError `IDEMPOTENCY_KEY_MISMATCH` */
function matchReplay(call: IdempotentCall, previous: ResultRow): Replay {
  if (previous.fingerprint !== call.fingerprint) {
    throw new AppError(
      "IDEMPOTENCY_KEY_MISMATCH",
      "The same idempotency-key was used for a different request in the last 24 hours. Use a new key.",
    );
  }
  return { status: previous.status, body: previous.body };
}

/** When a result stored now expires. */
export function idempotencyExpiry(now: Date): Date {
  return new Date(now.getTime() + IDEMPOTENCY_RETENTION_MS);
}

/** SHA-256 of a parsed request, independent of the order of fields. */
export function fingerprint(parsedRequest: unknown): string {
  return hash("sha256", JSON.stringify(sortFields(parsedRequest)));
}

/** Depth is bounded by the schemas that parsed the request. */
function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, field]) => [name, sortFields(field)]),
  );
}
