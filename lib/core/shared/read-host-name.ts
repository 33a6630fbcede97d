import type { Services } from "@/lib/platform/services";

/** The organization that was made first: it runs this server, and its name greets who signs in. Null before setup. */
export async function readHostName(services: Pick<Services, "pool">): Promise<string | null> {
  const { rows } = await services.pool.query<{ name: string }>(
    "select name from organizations order by created_at, id limit 1",
  );
  return rows[0]?.name ?? null;
}
