import type { MemberRole, PersonView } from "@/lib/contract/members";
import type { Queryable } from "@/lib/db/transaction";

/** More owners than need mail to decide. */
const MAXIMUM_DECIDERS = 50;

/** The owners and co-owners of an organization, who decide and are notified of what waits for a decision. */
export async function listDeciders(database: Queryable, organizationId: string): Promise<PersonView[]> {
  const { rows } = await database.query<{ id: string; name: string; role: MemberRole }>({
    name: "list_deciders",
    text: `
      select u.id, u.name, m.role from memberships m join users u on u.id = m.user_id
       where m.organization_id = $1 and m.role in ('OWNER', 'CO_OWNER')
       order by m.role desc, u.name
       limit ${MAXIMUM_DECIDERS}`,
    values: [organizationId],
  });
  return rows;
}
