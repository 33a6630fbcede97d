import { z } from "zod";
import { cleanClientName } from "@/lib/core/keys/oauth-clients";
import {
  type AccountId,
  hashRecordId,
  keepClientUntil,
  saveRecord,
  writeAccountId,
} from "@/lib/core/keys/oauth-records";
import { writeNotice } from "@/lib/core/shared/write-notice";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

interface NewConnection {
  /** The request that the member decided. */
  interactionId: string;
  /** `host`: where the browser goes back to. */
  client: { id: string; name: string | undefined; host: string };
  /** `now` is business time. */
  by: AccountId & { now: Date };
  /** What the authorization server keeps of the consent, and how it goes on from the request. */
  describe: (connectionId: string, accountId: string) => ConnectionRecords;
  /** Real time until which the consent is kept. */
  keptUntil: Date;
  /** Real time until which a client that registered itself is remembered at least. */
  clientKeptUntil: Date;
}

interface ConnectionRecords {
  grant: Record<string, unknown>;
  result: Record<string, unknown>;
}

/**
 * Connects an assistant: its row among the callers, the consent, and the decision of the request are one transaction, so
 * that there is no access without a row that somebody can end.
 * @returns its id; null when the request was decided meanwhile or is over, or the person has left the organization.
 */
export async function connectAssistant(
  services: Pick<Services, "pool" | "clock">,
  { interactionId, client, by, describe, keptUntil, clientKeptUntil }: NewConnection,
): Promise<string | null> {
  const id = newId(by.now);
  const { grant, result } = describe(id, writeAccountId(by));
  const realNow = services.clock.now();
  return inTransaction(services.pool, async (database) => {
    // Locked: of two tabs that allow the same request, one connects.
    if (!(await lockUndecided(database, interactionId, realNow))) return null;
    if (!(await insertConnection(database, id, client, by))) return null;
    const connection = { organizationId: by.organizationId, id };
    await saveRecord(
      database,
      { model: "Grant", id, payload: grant, connection, audience: null, expiresAt: keptUntil },
      realNow,
    );
    await decideRequest(database, interactionId, result, realNow);
    await keepClientUntil(database, client.id, clientKeptUntil);
    await noteNewAssistant(database, { ...by, id });
    return id;
  });
}

async function lockUndecided(database: Queryable, interactionId: string, now: Date): Promise<boolean> {
  const { rowCount } = await database.query({
    name: "lock_undecided_interaction",
    text: `select 1 from oauth_records
            where model = 'Interaction' and id_hash = $1 and expires_at > $2 and not payload ? 'result' for update`,
    values: [hashRecordId(interactionId), now],
  });
  return rowCount === 1;
}

/** False: the person is no member of the organization. */
async function insertConnection(
  database: Queryable,
  id: string,
  client: NewConnection["client"],
  by: NewConnection["by"],
): Promise<boolean> {
  const { rowCount } = await database.query({
    name: "insert_assistant",
    // Locked: whoever is being removed is either found with this connection, or no member any more. One that slipped
    // between would come back to life when they are invited again.
    text: `
      insert into api_keys (organization_id, id, name, client_id, client_host, permissions, created_by, created_at)
        select m.organization_id, $2, $3, $4, $5, '[]', m.user_id, $6 from memberships m
         where m.organization_id = $1 and m.user_id = $7 for share`,
    values: [
      by.organizationId,
      id,
      cleanClientName(client.name, client.host),
      client.id,
      client.host,
      by.now,
      by.userId,
    ],
  });
  return rowCount === 1;
}

/**
 * Every owner and co-owner hears of an assistant that a member connected, that member included: it may have been their
 * browser only, or a page that asked for a consent which they did not mean. In the transaction of connecting.
 * @param assistant `id`: of the connection; `userId`: the member who connected it; `now`: business time
 */
export async function noteNewAssistant(
  client: Queryable,
  assistant: { organizationId: string; id: string; userId: string; now: Date },
): Promise<void> {
  await writeNotice(client, {
    organizationId: assistant.organizationId,
    kind: "ASSISTANT_CONNECTED",
    subjectId: assistant.id,
    userId: null,
    // Of one member: a program that asks one of them again and again hides nothing that another connects.
    toldTogetherBy: assistant.userId,
    now: assistant.now,
  });
}

/**
 * Notes how a request to connect was decided; the first decision counts.
 * @param result how the authorization server goes on from it
 * @param now real time
 * @returns false when it was decided before, or is over.
 */
export async function decideRequest(
  database: Queryable,
  interactionId: string,
  result: Record<string, unknown>,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await database.query({
    name: "decide_oauth_interaction",
    text: `update oauth_records set payload = payload || jsonb_build_object('result', $2::jsonb)
            where model = 'Interaction' and id_hash = $1 and expires_at > $3 and not payload ? 'result'`,
    values: [hashRecordId(interactionId), JSON.stringify(result), now],
  });
  return rowCount === 1;
}

/** The id of a request in the address of its consent page; what it names is found by its hash alone. */
export const requestUidSchema = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/);
