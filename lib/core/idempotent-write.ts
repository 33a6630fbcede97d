import type { Context } from "@/lib/core/context";
import { type IdempotentCall, idempotencyExpiry, matchReplay, type Replay } from "@/lib/core/idempotency";
import type { Queryable } from "@/lib/platform/db/transaction";

/** For the operations that wait for a rival with the same key, and replay its answer (decisions page, "Idempotency"). */

interface PreviousRow {
  status: number;
  body: unknown;
  fingerprint: string;
}

/**
 * In the transaction of the change: waits until a rival with the same key is done, then gives its answer; null when
 * this call is the first. The pool's lock timeout bounds the wait.
 * @throws AppError `IDEMPOTENCY_KEY_MISMATCH`
 */
export async function waitForReplay(
  client: Queryable,
  context: Context,
  call: IdempotentCall,
): Promise<Replay | null> {
  await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    [context.actor.id, call.operation, call.path, call.key].join("|"),
  ]);
  // A statement of its own, after the lock: it sees what the rival committed.
  const { rows } = await client.query<PreviousRow>(
    `select status, body, encode(fingerprint, 'hex') as fingerprint from idempotency_results
      where organization_id = $1 and caller_id = $2 and operation = $3 and path = $4 and idempotency_key = $5
        and expires_at > $6`,
    [...scopeOf(context, call), context.now],
  );
  return rows[0] ? matchReplay(call, rows[0]) : null;
}

/** Remembers the answer for 24 hours, in the transaction of the change. */
export async function rememberAnswer(
  client: Queryable,
  context: Context,
  call: IdempotentCall,
  answer: Replay,
): Promise<void> {
  // What an earlier window left, past its 24 hours.
  await client.query(
    `delete from idempotency_results
      where organization_id = $1 and caller_id = $2 and operation = $3 and path = $4 and idempotency_key = $5`,
    scopeOf(context, call),
  );
  await client.query(
    `insert into idempotency_results (organization_id, caller_id, operation, path, idempotency_key, fingerprint, status,
        body, expires_at)
     values ($1, $2, $3, $4, $5, decode($6, 'hex'), $7, $8, $9)`,
    [
      ...scopeOf(context, call),
      call.fingerprint,
      answer.status,
      JSON.stringify(answer.body),
      idempotencyExpiry(context.now),
    ],
  );
}

function scopeOf(context: Context, call: IdempotentCall): string[] {
  return [context.organizationId, context.actor.id, call.operation, call.path, call.key];
}
