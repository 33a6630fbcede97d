import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import { hashKeyText, isKeyText } from "@/lib/core/keys/key-text";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** The side effects of ending a key. */
export interface Revocation {
  deniedProposals: number;
  stoppedTransfers: number;
}

interface RevocationRow extends Revocation {
  outcome: "REVOKED" | "ALREADY" | "NOT_ENDED" | "MAY_NOT" | "MISSING";
}

/**
 * Who or what ends it: a member, the end of its grace period, the operator of this machine; for an assistant also its
 * client, a code or refresh token used twice, or the expiry of its last token.
 */
type RevokedBy =
  | { because: "MEMBER"; userId: string }
  | { because: "REPLACED" | "OPERATOR" | "CLIENT" | "REUSE" | "EXPIRED" };

/**
 * Revokes a key at once and permanently. The same transaction denies its waiting proposals, cancels its unsent transfers
 * and releases their holds (docs/behavior/keys.md).
 * @returns null when it was already revoked.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` when there is no such key.
 */
export async function revokeApiKey(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  keyId: string,
): Promise<Revocation | null> {
  if (!mayDecide(context.actor)) throw mayNot();
  const { organizationId, now, actor } = context;
  return inTransaction(services.pool, async (client) => {
    await requireKey(client, organizationId, keyId);
    return endApiKey(client, { organizationId, keyId, now }, { because: "MEMBER", userId: actor.id });
  });
}

/** Assistants share the table, but are disconnected with other words and by other people. */
async function requireKey(database: Queryable, organizationId: string, keyId: string): Promise<void> {
  const { rowCount } = await database.query({
    name: "require_key",
    text: "select from api_keys where organization_id = $1 and id = $2 and client_id is null",
    values: [organizationId, keyId],
  });
  if (rowCount === 0) throw new AppError("INVALID_PARAMETERS", NO_SUCH_KEY);
}

const NO_SUCH_KEY = "This organization has no such key.";

/**
 * Ends a key for an authorized caller: one call of `revoke_api_key`, which locks, decides and executes.
 * @param key `now` is business time
 */
export async function endApiKey(
  database: Queryable,
  key: { organizationId: string; keyId: string; now: Date },
  by: RevokedBy,
): Promise<Revocation | null> {
  const { rows } = await database.query<RevocationRow>({
    name: "revoke_api_key",
    text: `select outcome, denied_proposals as "deniedProposals", stopped_transfers as "stoppedTransfers"
             from revoke_api_key($1, $2, $3, $4, $5)`,
    values: [key.organizationId, key.keyId, by.because === "MEMBER" ? by.userId : null, by.because, key.now],
  });
  if (!rows[0] || rows[0].outcome === "MISSING") throw new AppError("INVALID_PARAMETERS", NO_SUCH_KEY);
  const { outcome, ...revocation } = rows[0];
  if (outcome === "MAY_NOT") throw mayNot();
  return outcome === "REVOKED" ? revocation : null;
}

function mayNot(): AppError {
  return new AppError("ACCESS_DENIED", "Only an owner or co-owner may revoke a key. Nothing was revoked.");
}

/** A key, or an assistant, which has no prefix. */
export interface FoundKey {
  kind: "API_KEY" | "ASSISTANT";
  organizationId: string;
  organizationName: string;
  clockOffsetMs: number;
  id: string;
  name: string;
  prefix: string | null;
  /** For an assistant: the host to which its browser returned. */
  clientHost: string | null;
  createdByName: string;
  isRevoked: boolean;
}

/** Enough to see that there is more than one. */
const LISTED = 10;

/**
 * The keys that an operator names, across organizations: by the whole key, by its id, or by the prefix that the dashboard
 * shows; and assistants by their id. Active ones come first.
 */
export async function findKeys(database: Queryable, named: string): Promise<FoundKey[]> {
  const { rows } = await database.query<FoundKey>(
    `select case when k.client_host is null then 'API_KEY' else 'ASSISTANT' end as kind,
        k.organization_id as "organizationId", o.name as "organizationName", o.clock_offset_ms as "clockOffsetMs", k.id,
        k.name, k.prefix, k.client_host as "clientHost", maker.name as "createdByName",
        k.revoked_at is not null as "isRevoked"
       from api_keys k join organizations o on o.id = k.organization_id join users maker on maker.id = k.created_by
      where k.key_hash = $1 or k.id = $2 or k.prefix = $3
      order by k.revoked_at is not null, k.id limit ${LISTED}`,
    [
      isKeyText(named) ? hashKeyText(named) : null,
      z.uuid().safeParse(named).data ?? null,
      // With or without the ellipsis that marks truncation.
      named.replace(/(…|\.{3})$/, ""),
    ],
  );
  return rows;
}
