import type { Services } from "@/lib/platform/services";

/** Whether anybody could sign in at all: false in a database that was never set up. */
export async function hasOrganization(services: Pick<Services, "pool">): Promise<boolean> {
  const { rowCount } = await services.pool.query("select 1 from organizations limit 1");
  return rowCount === 1;
}
