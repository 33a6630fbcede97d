import type { PoolClient } from "pg";
import { auditEntry } from "@/lib/core/shared/audit-entry";
import type { CallerActor, Context, SentRequest } from "@/lib/core/shared/context";
import {
  findReplay,
  type IdempotentCall,
  idempotencyExpiry,
  type Replay,
} from "@/lib/core/shared/idempotency";
import { revokedMeanwhile } from "@/lib/core/shared/permits";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** A request that changes something, as received. */
export interface WriteRequest {
  sent: SentRequest;
  auditAction: string | null;
  status: number;
  /** Null when the caller sent no idempotency key. */
  idempotency: IdempotentCall | null;
}

export type WriteResult =
  | { kind: "RECORDED"; status: number; body: { data: unknown; requestId: string } }
  | ({ kind: "REPLAYED" } & Replay);

/**
 * Runs `work`, stores its response and writes its audit entry in one transaction. A concurrent request with the same
 * idempotency key waits for the original and replays it (docs/behavior/http.md, "Idempotency": operations for which the
 * specification has no 409).
 * @param work returns the content of `data`; touches only the database, because a deadlock reruns it
 * @throws AppError `IDEMPOTENCY_KEY_MISMATCH`; `UNAUTHORIZED` when the key has been revoked; errors of `work`.
 */
export async function writeOnce(
  services: Pick<Services, "pool">,
  context: Context<CallerActor>,
  request: WriteRequest,
  work: (client: PoolClient) => Promise<unknown>,
): Promise<WriteResult> {
  return inTransaction(services.pool, async (client) => {
    const replay = request.idempotency && (await waitForReplay(client, context, request.idempotency));
    if (replay) return { kind: "REPLAYED", ...replay };
    await keepKey(client, context);
    const body = { data: await work(client), requestId: context.requestId };
    if (request.idempotency) await remember(client, context, request.idempotency, request.status, body);
    const { method, path } = request.sent;
    const entry = auditEntry(context, { method, path, action: request.auditAction }, null);
    await client.query({
      name: "write_audit_entries",
      text: "select write_audit_entries($1)",
      values: [JSON.stringify([entry])],
    });
    return { kind: "RECORDED", status: request.status, body };
  });
}

async function waitForReplay(
  client: PoolClient,
  context: Context,
  call: IdempotentCall,
): Promise<Replay | null> {
  // Bounded by the connection's lock timeout.
  await client.query({
    name: "lock_idempotency_key",
    text: "select pg_advisory_xact_lock(hashtextextended(concat_ws('|', $1::text, $2::text, $3::text, $4::text), 0))",
    values: [context.actor.id, call.operation, call.path, call.key],
  });
  return findReplay(client, context, call);
}

/** Conflicts only with the FOR UPDATE of a revocation, so nothing is written that a revocation missed. */
async function keepKey(client: PoolClient, context: Context<CallerActor>): Promise<void> {
  const { rowCount } = await client.query({
    name: "keep_api_key",
    text: "select from api_keys where organization_id = $1 and id = $2 and revoked_at is null for key share",
    values: [context.organizationId, context.actor.id],
  });
  if (rowCount !== 1) throw revokedMeanwhile(context.actor, "Nothing was changed.");
}

async function remember(
  client: PoolClient,
  context: Context,
  call: IdempotentCall,
  status: number,
  body: unknown,
): Promise<void> {
  const scope = [context.organizationId, context.actor.id, call.operation, call.path, call.key];
  await client.query({
    name: "forget_idempotent_result",
    // Replaces an expired row of an earlier window.
    text: `
      delete from idempotency_results where organization_id = $1 and caller_id = $2 and operation = $3 and path = $4
         and idempotency_key = $5`,
    values: scope,
  });
  await client.query({
    name: "remember_idempotent_result",
    text: "insert into idempotency_results values ($1, $2, $3, $4, $5, decode($6, 'hex'), $7, $8, $9)",
    values: [...scope, call.fingerprint, status, JSON.stringify(body), idempotencyExpiry(context.now)],
  });
}
