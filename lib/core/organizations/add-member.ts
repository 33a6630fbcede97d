import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import { parseInput } from "@/lib/core/shared/parse-input";
import { memberRoleSchema } from "@/lib/core/shared/roles";
import { findOrCreateUser, hashPerson, personSchema } from "@/lib/core/sign-in/person";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

const inputSchema = personSchema.extend({
  organizationId: z.uuid(),
  role: memberRoleSchema,
});

type AddMemberInput = z.input<typeof inputSchema>;

/**
 * Adds a person to an organization for the operator, without a role check. An existing person keeps their password.
 * @returns `isNew`: whether the person was new, so that the given password applies.
 * @throws AppError `INVALID_PARAMETERS` for an invalid field, or when they are already a member.
 */
export async function addMember(
  services: Pick<Services, "pool" | "clock">,
  input: AddMemberInput,
): Promise<{ userId: string; isNew: boolean }> {
  const { organizationId, role, ...given } = parseInput(inputSchema, input);
  const person = await hashPerson(given);
  const now = services.clock.now();
  return inTransaction(services.pool, async (client) => {
    const user = await findOrCreateUser(client, person, now);
    const { rowCount } = await client.query(
      `insert into memberships (organization_id, user_id, role, created_at) values ($1, $2, $3, $4)
       on conflict (organization_id, user_id) do nothing`,
      [organizationId, user.userId, role, now],
    );
    if (rowCount !== 1) throw new AppError("INVALID_PARAMETERS", `${person.email} is already a member.`);
    return user;
  });
}
