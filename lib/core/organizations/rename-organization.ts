import { z } from "zod";
import { organizationNameSchema } from "@/lib/contract/organization";
import { changeOrganization } from "@/lib/core/organizations/change-organization";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { parseInput } from "@/lib/core/sign-in/person";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

const inputSchema = z.object({ name: organizationNameSchema });

/**
 * Gives the organization another name: on its pages, statements and in emails from now on. What was sent keeps the old
 * one, and so do its beneficiaries, whose names are theirs in law.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `INVALID_PARAMETERS`.
 */
export async function renameOrganization(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  input: { name: string },
): Promise<void> {
  const { name } = parseInput(inputSchema, input);
  await inTransaction(services.pool, (client) => changeOrganization(client, context, "RENAMED", name));
}
