import { AppError } from "@/lib/contract/error";
import type { IdentityStatus } from "@/lib/core/organizations/identity-record";
import type { Queryable } from "@/lib/db/transaction";

/**
 * The organization may hold money: its identity check is approved, or it never needed one. Asked where an account is
 * opened and nowhere else: without an account of its own an organization has nothing that could move, so that no transfer
 * pays for the question.
 * @throws AppError `ACCESS_DENIED`
 */
export async function requireIdentity(client: Queryable, organizationId: string): Promise<void> {
  const { rows } = await client.query<{ status: IdentityStatus }>({
    name: "read_identity_status",
    text: "select status from identity_checks where organization_id = $1",
    values: [organizationId],
  });
  const status = rows[0]?.status ?? "APPROVED";
  if (status === "APPROVED") return;
  throw new AppError(
    "ACCESS_DENIED",
    "The identity check of this organization is not done, so it cannot hold money yet. An owner or co-owner goes on with it at /welcome. Nothing was opened.",
  );
}
