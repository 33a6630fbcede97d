import type { MemberRole } from "@/lib/contract/members";
import type { Queryable } from "@/lib/db/transaction";
import type { PossibleSigner } from "@/lib/engine/policies/progress-of";

/** More than an organization has; a policy names the first of them. */
const MAXIMUM_PEOPLE = 500;

/** A member of the organization, by name. */
export interface PolicyPerson extends PossibleSigner {
  name: string;
}

/** Every member, those who decide first. */
export async function readPolicyPeople(database: Queryable, organizationId: string): Promise<PolicyPerson[]> {
  const { rows } = await database.query<{ id: string; name: string; role: MemberRole }>({
    name: "read_policy_people",
    text: `select u.id, u.name, m.role from memberships m join users u on u.id = m.user_id
            where m.organization_id = $1
            order by m.role <> 'OWNER', m.role <> 'CO_OWNER', u.name, u.id limit ${MAXIMUM_PEOPLE}`,
    values: [organizationId],
  });
  return rows.map((row) => ({ ...row, isActive: true }));
}
