import type { Queryable } from "@/lib/db/transaction";

const PAGE_SIZE = 1_000;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/** Every organization of this server, in the order of ids, page by page: for the operator's commands. */
export async function* listOrganizationIds(database: Queryable): AsyncGenerator<string> {
  let after = BEFORE_ALL;
  for (;;) {
    const { rows }: { rows: { id: string }[] } = await database.query<{ id: string }>({
      name: "list_organization_ids",
      text: `select id from organizations where id > $1 order by id limit ${PAGE_SIZE}`,
      values: [after],
    });
    for (const { id } of rows) yield id;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_SIZE) return;
    after = last.id;
  }
}
