import { hashRecordId } from "@/lib/core/keys/record-id";
import type { Queryable } from "@/lib/db/transaction";

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
