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
  /** `host`: where the browser returns to. */
  client: { id: string; name: string | undefined; host: string };
  /** `now` is business time. */
  by: AccountId & { now: Date };
  /** What the authorization server stores about the consent, and how it continues the request. */
  describe: (connectionId: string, accountId: string) => ConnectionRecords;
  /** Real time until which the consent is kept. */
  keptUntil: Date;
  /** Real time until which a self-registered client is remembered at least. */
  clientKeptUntil: Date;
}

interface ConnectionRecords {
  grant: Record<string, unknown>;
  result: Record<string, unknown>;
}

/**
 * Connects an assistant. Its row, the consent and the decision on the request are one transaction, so there is no access
 * without a row that someone can end.
 * @returns its id; null when the request was already decided or has expired, or the person left the organization.
 */
export async function connectAssistant(
  services: Pick<Services, "pool" | "clock">,
  { interactionId, client, by, describe, keptUntil, clientKeptUntil }: NewConnection,
): Promise<string | null> {
  const id = newId(by.now);
  const { grant, result } = describe(id, writeAccountId(by));
  const realNow = services.clock.now();
  return inTransaction(services.pool, async (database) => {
    // Locked: if two tabs allow the same request, only one connects.
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

/** False: the person is not a member of the organization. */
async function insertConnection(
  database: Queryable,
  id: string,
  client: NewConnection["client"],
  by: NewConnection["by"],
): Promise<boolean> {
  const { rowCount } = await database.query({
    name: "insert_assistant",
    // Locked: a concurrent removal either finds this connection or has already happened. A connection that slipped in
    // between would revive when the member is invited again.
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
 * Notifies every owner and co-owner of a new assistant, including the member who connected it: it may have been only
 * their browser, or an unintended consent. Runs in the connecting transaction.
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
    // Per member: a program that keeps asking one member cannot hide what another connects.
    digestKey: assistant.userId,
    now: assistant.now,
  });
}

/**
 * Records the decision on a request to connect; the first one counts.
 * @param result how the authorization server continues
 * @param now real time
 * @returns false when it was already decided or has expired.
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

/** The request id in the address of its consent page; the record is found by the id's hash alone. */
export const requestUidSchema = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/);
