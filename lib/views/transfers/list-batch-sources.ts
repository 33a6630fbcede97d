import type { Reading } from "@/lib/views/reading";

const MAXIMUM_SOURCES = 500;

/** The accounts from which a file of payments can be paid where it does not say from which. */
export async function listBatchSources({ services, context }: Reading) {
  const { rows } = await services.pool.query<{ id: string; name: string }>({
    name: "list_batch_sources",
    text: `select id, name from accounts
            where organization_id = $1 and deleted_at is null and type <> 'EXTERNAL_ACCOUNT'
            order by lower(name), id limit ${MAXIMUM_SOURCES}`,
    values: [context.organizationId],
  });
  return rows;
}

export type BatchSources = Awaited<ReturnType<typeof listBatchSources>>;
