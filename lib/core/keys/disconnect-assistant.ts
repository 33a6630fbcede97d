import { AppError } from "@/lib/contract/error";
import { endApiKey, type Revocation } from "@/lib/core/keys/revoke-api-key";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { businessTime } from "@/lib/platform/clock";
import type { Services } from "@/lib/platform/services";

/**
 * Disconnects an assistant at once and permanently: deletes its tokens, denies its waiting proposals and cancels its
 * unsent transfers, in one transaction.
 * @returns null when it had already ended.
 * @throws AppError as `requireDisconnectable`.
 */
export async function disconnectAssistant(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  assistantId: string,
): Promise<Revocation | null> {
  const { organizationId, now, actor } = context;
  return inTransaction(services.pool, async (client) => {
    await requireDisconnectable(client, context, assistantId);
    // Checks the permission again, on the roles under its locks.
    return endApiKey(
      client,
      { organizationId, keyId: assistantId, now },
      { because: "MEMBER", userId: actor.id },
    );
  });
}

/**
 * @throws AppError `INVALID_PARAMETERS` when the organization has no such assistant; `ACCESS_DENIED` unless the caller is
 * an owner, a co-owner or the member who connected it.
 */
export async function requireDisconnectable(
  database: Queryable,
  { organizationId, actor }: Pick<Context<MemberActor>, "organizationId" | "actor">,
  assistantId: string,
): Promise<void> {
  const { rows } = await database.query<{ createdBy: string }>({
    name: "find_assistant",
    text: `select created_by as "createdBy" from api_keys
      where organization_id = $1 and id = $2 and client_id is not null`,
    values: [organizationId, assistantId],
  });
  const found = rows[0];
  if (!found) throw new AppError("INVALID_PARAMETERS", "This organization has no such assistant.");
  if (mayDisconnect(actor, found.createdBy)) return;
  throw new AppError(
    "ACCESS_DENIED",
    "Only an owner, a co-owner or the member who connected an assistant may disconnect it. Nothing was disconnected.",
  );
}

/**
 * Owners and co-owners may end any connection, other members their own, whatever their role is now. `revoke_api_key`
 * checks the same in the database, under its locks.
 * @param connectedBy the user who connected it
 */
export function mayDisconnect(actor: MemberActor, connectedBy: string): boolean {
  return mayDecide(actor) || actor.id === connectedBy;
}

/**
 * Ends an assistant's connection: deletes its codes and tokens and denies its waiting proposals, in one transaction. Of
 * concurrent calls the first does it; the others wait and change nothing.
 * @param because CLIENT: the assistant returned its access. REUSE: a code or refresh token was used twice.
 */
export async function endConnection(
  services: Pick<Services, "pool" | "clock">,
  connectionId: string,
  because: "CLIENT" | "REUSE",
): Promise<void> {
  const { rows } = await services.pool.query<{ organizationId: string; clockOffsetMs: number }>({
    name: "find_organization_of_connection",
    // Looked up through the records: they are found by connection, keys only by organization.
    text: `
      select o.id as "organizationId", o.clock_offset_ms as "clockOffsetMs" from organizations o
       where o.id = (select r.organization_id from oauth_records r where r.grant_id = $1 limit 1)`,
    values: [connectionId],
  });
  const owner = rows[0];
  // No records are left: it has already ended.
  if (!owner) return;
  const now = businessTime(services.clock, owner.clockOffsetMs);
  await inTransaction(services.pool, (client) =>
    endApiKey(client, { organizationId: owner.organizationId, keyId: connectionId, now }, { because }),
  );
}

/** Longer than a request may wait for its decision and a code for its redemption. */
const BEGINNING_MS = 60 * 60_000;

/**
 * Ends connections that can no longer be used because their last token expired or their code was never redeemed, so that
 * the list shows only working assistants. Connections with a waiting proposal or an unsent transfer stay until that is
 * decided: an expired token withdraws nothing.
 * @returns how many were due.
 */
export async function endLapsedConnections(
  services: Pick<Services, "pool" | "clock">,
  limit: number,
): Promise<number> {
  const now = services.clock.now();
  const { rows } = await services.pool.query<{
    organizationId: string;
    keyId: string;
    clockOffsetMs: number;
  }>({
    name: "find_lapsed_connections",
    text: `
      select r.organization_id as "organizationId", r.grant_id as "keyId", o.clock_offset_ms as "clockOffsetMs"
        from oauth_records r join organizations o on o.id = r.organization_id
       where r.model = 'Grant' and r.created_at < $2
         and not exists (select 1 from oauth_records t
           where t.grant_id = r.grant_id and t.model in ('AuthorizationCode', 'AccessToken', 'RefreshToken')
             and t.expires_at > $1)
         and not exists (select 1 from proposals p
           where p.organization_id = r.organization_id and p.api_key_id = r.grant_id and p.state = 'WAITING')
         and not exists (select 1 from stoppable_transfers(r.organization_id, r.grant_id))
       limit $3`,
    values: [now, new Date(now.getTime() - BEGINNING_MS), limit],
  });
  for (const { clockOffsetMs, ...ids } of rows) {
    const key = { ...ids, now: businessTime(services.clock, clockOffsetMs) };
    // Each in its own transaction, like keys whose grace period is over.
    await inTransaction(services.pool, (client) => endApiKey(client, key, { because: "EXPIRED" }));
  }
  return rows.length;
}
