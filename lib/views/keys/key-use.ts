import type { Queryable } from "@/lib/db/transaction";

/**
 * How many requests a key or an assistant has made in the current clock minute.
 * @param realNow rate limit windows are minutes of real time
 */
export async function countThisMinute(database: Queryable, keyId: string, realNow: Date): Promise<number> {
  const { rows } = await database.query<{ requests: number }>({
    name: "read_rate_window",
    text: "select requests from rate_windows where api_key_id = $1 and minute = date_trunc('minute', $2::timestamptz)",
    values: [keyId, realNow],
  });
  return rows[0]?.requests ?? 0;
}

/**
 * How much of its daily cap a key has used in the last 24 hours, in cents.
 * @param now business time
 */
export async function readKeyUsed(
  database: Queryable,
  { organizationId, now }: { organizationId: string; now: Date },
  keyId: string,
): Promise<number> {
  const { rows } = await database.query<{ usedInCents: number }>({
    name: "read_key_used",
    text: `select key_used($1, $2, $3) as "usedInCents"`,
    values: [organizationId, keyId, now],
  });
  return rows[0]?.usedInCents ?? 0;
}
