import type { Queryable } from "@/lib/db/transaction";

/** @returns the zone in which the organization's days begin: `America/New_York` */
export async function readTimeZone(database: Queryable, organizationId: string): Promise<string> {
  const { rows } = await database.query<{ timeZone: string }>({
    name: "read_time_zone",
    text: `select time_zone as "timeZone" from organizations where id = $1`,
    values: [organizationId],
  });
  if (!rows[0]) throw new Error("a caller's organization exists");
  return rows[0].timeZone;
}
