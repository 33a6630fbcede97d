import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import { FILTERS_PER_LIST } from "@/lib/contract/limits";
import {
  filterNameSchema,
  filterQueryOf,
  filterQuerySchema,
  savedListSchema,
} from "@/lib/contract/search/saved-filters";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { hasCode } from "@/lib/platform/error-code";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** What a list shows, as its address says it. */
export const newFilterSchema = z.object({
  list: savedListSchema,
  name: filterNameSchema,
  query: z
    .string()
    .transform((query) => filterQueryOf(`?${query}`))
    .pipe(filterQuerySchema),
});

export const renamedFilterSchema = z.object({ filterId: z.uuid(), name: filterNameSchema });

/**
 * Saves the filters of a list under a name, for this member in this organization.
 * @throws AppError `INVALID_PARAMETERS` for a name that is taken or not plain, and beyond FILTERS_PER_LIST.
 */
export async function saveFilter(
  services: Pick<Services, "pool" | "clock">,
  context: Context<MemberActor>,
  { list, name, query }: z.output<typeof newFilterSchema>,
): Promise<{ filterId: string }> {
  const { organizationId, actor } = context;
  const filterId = newId(services.clock.now());
  await inTransaction(services.pool, async (client) => {
    await lockFilters(client, context);
    const { rows } = await client.query<{ count: number }>(
      "select count(*)::int as count from saved_filters where organization_id = $1 and user_id = $2 and list = $3",
      [organizationId, actor.id, list],
    );
    if ((rows[0]?.count ?? 0) >= FILTERS_PER_LIST) {
      throw refusal(`You have ${FILTERS_PER_LIST} saved filters here. Delete one of them first.`);
    }
    await refuseTaken(
      client.query(
        `insert into saved_filters (organization_id, user_id, id, list, name, query, created_at)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [organizationId, actor.id, filterId, list, name, query, context.now],
      ),
    );
  });
  return { filterId };
}

/** @throws AppError `INVALID_PARAMETERS` for a name that is taken or not plain, and for a filter that is not theirs. */
export async function renameFilter(
  services: Pick<Services, "pool">,
  { organizationId, actor }: Context<MemberActor>,
  { filterId, name }: z.output<typeof renamedFilterSchema>,
): Promise<void> {
  const { rowCount } = await refuseTaken(
    services.pool.query(
      "update saved_filters set name = $4 where organization_id = $1 and user_id = $2 and id = $3",
      [organizationId, actor.id, filterId, name],
    ),
  );
  if (rowCount !== 1) throw refusal(GONE);
}

/** @throws AppError `INVALID_PARAMETERS` for a filter that is not theirs, or is deleted already. */
export async function deleteFilter(
  services: Pick<Services, "pool">,
  { organizationId, actor }: Context<MemberActor>,
  filterId: string,
): Promise<void> {
  const { rowCount } = await services.pool.query(
    "delete from saved_filters where organization_id = $1 and user_id = $2 and id = $3",
    [organizationId, actor.id, filterId],
  );
  if (rowCount !== 1) throw refusal(GONE);
}

const GONE = "This filter was deleted. Reload the page.";

/** Of two tabs that save at once, the second counts what the first saved. */
async function lockFilters(
  client: Queryable,
  { organizationId, actor }: Context<MemberActor>,
): Promise<void> {
  await client.query({
    name: "lock_saved_filters",
    text: "select pg_advisory_xact_lock(hashtextextended(concat_ws('|', 'saved filters', $1::text, $2::text), 0))",
    values: [organizationId, actor.id],
  });
}

/** A name differs by more than its case: it is how a person tells filters apart. */
async function refuseTaken<Result>(writing: Promise<Result>): Promise<Result> {
  try {
    return await writing;
  } catch (error) {
    if (hasCode(error, "23505")) throw refusal("You already have a filter with this name here.");
    throw error;
  }
}

function refusal(message: string): AppError {
  return new AppError("INVALID_PARAMETERS", message, [{ field: "name", message }]);
}
