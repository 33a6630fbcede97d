import { createTestApi } from "@/lib/testing/api";
import { ALL_PERMISSIONS, KeyRing } from "@/lib/testing/api-proof/key-ring";
import { createOrganizationWithEverything } from "@/lib/testing/api-proof/organization-with-everything";
import type { TestDatabase } from "@/lib/testing/database";
import { createTestServices } from "@/lib/testing/services";

/** Part of every text of the other organization, and of no request in a proof. */
export const CANARY = "CANARY77";

export type ProofWorld = Awaited<ReturnType<typeof createProofWorld>>;

/** Two organizations with one of everything, and an API. `keys` belong to the first and have every permission. */
export async function createProofWorld(database: TestDatabase) {
  const { services, clock } = createTestServices(database);
  const own = await createOrganizationWithEverything(database, services, "NORTH");
  const stranger = await createOrganizationWithEverything(database, services, CANARY);
  return {
    services,
    clock,
    own,
    stranger,
    keys: new KeyRing(own, ALL_PERMISSIONS),
    call: createTestApi(services),
  };
}
