import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import { hashKeyText, isKeyText } from "@/lib/core/keys/key-text";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** What ending a key did besides. */
export interface Revocation {
  deniedProposals: number;
  stoppedTransfers: number;
}

interface RevocationRow {
  outcome: "REVOKED" | "ALREADY" | "NOT_ENDED" | "MAY_NOT" | "MISSING";
  denied_proposals: number;
  stopped_transfers: number;
}

/**
 * Who or what ends it: a member, the end of its grace, the operator of this machine; of an assistant also its client,
 * a code or refresh token of it that was used twice, and that its last token ran out.
 */
type RevokedBy =
  | { because: "MEMBER"; userId: string }
  | { because: "REPLACED" | "OPERATOR" | "CLIENT" | "REUSE" | "EXPIRED" };

/**
 * Ends a key at once and for good. In the same transaction its waiting proposals are denied, and its transfers that
 * have not left are cancelled and their holds released (decisions page, "Approval").
 * @returns null when it was revoked before.
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

/** Assistants stand in the same table, and are disconnected with other words and by other people. */
async function requireKey(database: Queryable, organizationId: string, keyId: string): Promise<void> {
  const { rowCount } = await database.query({
    name: "require_key",
    text: "select from api_keys where organization_id = $1 and id = $2 and client_id is null",
    values: [organizationId, keyId],
  });
  if (rowCount === 0) throw new AppError("INVALID_PARAMETERS", NO_SUCH_KEY);
}

const NO_SUCH_KEY = "There is no such key in this organization.";

/**
 * The same for whoever may: one call of `revoke_api_key`, which locks, decides and carries out.
 * @param key `now` is business time
 */
export async function endApiKey(
  database: Queryable,
  key: { organizationId: string; keyId: string; now: Date },
  by: RevokedBy,
): Promise<Revocation | null> {
  const { rows } = await database.query<RevocationRow>({
    name: "revoke_api_key",
    text: "select * from revoke_api_key($1, $2, $3, $4, $5)",
    values: [key.organizationId, key.keyId, by.because === "MEMBER" ? by.userId : null, by.because, key.now],
  });
  const row = rows[0];
  if (!row || row.outcome === "MISSING") {
    throw new AppError("INVALID_PARAMETERS", NO_SUCH_KEY);
  }
  if (row.outcome === "MAY_NOT") throw mayNot();
  if (row.outcome !== "REVOKED") return null;
  return { deniedProposals: row.denied_proposals, stoppedTransfers: row.stopped_transfers };
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
  /** Of an assistant: the host to which its browser went back. */
  clientHost: string | null;
  madeByName: string;
  isRevoked: boolean;
}

interface FoundRow {
  organization_id: string;
  organization_name: string;
  clock_offset_ms: number;
  id: string;
  name: string;
  prefix: string | null;
  client_host: string | null;
  made_by_name: string;
  is_revoked: boolean;
}

/** Enough to tell that there is more than one. */
const LISTED = 10;

/**
 * The keys that an operator names, over all organizations: by the whole key, by its id, or by the prefix that the
 * dashboard shows; and the assistants, by their id. Those that work come first.
 */
export async function findKeys(database: Queryable, named: string): Promise<FoundKey[]> {
  const { rows } = await database.query<FoundRow>(
    `select k.organization_id, o.name as organization_name, o.clock_offset_ms, k.id, k.name, k.prefix,
        k.client_host,        maker.name as made_by_name, k.revoked_at is not null as is_revoked
       from api_keys k join organizations o on o.id = k.organization_id join users maker on maker.id = k.created_by
      where k.key_hash = $1 or k.id = $2 or k.prefix = $3
      order by k.revoked_at is not null, k.id limit ${LISTED}`,
    [
      isKeyText(named) ? hashKeyText(named) : null,
      z.uuid().safeParse(named).data ?? null,
      // With or without the mark of its having been cut.
      named.replace(/(…|\.{3})$/, ""),
    ],
  );
  return rows.map((row) => ({
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    clockOffsetMs: row.clock_offset_ms,
    id: row.id,
    name: row.name,
    kind: row.client_host === null ? "API_KEY" : "ASSISTANT",
    prefix: row.prefix,
    clientHost: row.client_host,
    madeByName: row.made_by_name,
    isRevoked: row.is_revoked,
  }));
}
