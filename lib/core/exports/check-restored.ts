import { listAudited, verifyAuditLog } from "@/lib/core/audit/verify-audit-log";
import { findUnbalancedLedgers } from "@/lib/core/ledger/find-unbalanced-ledgers";
import type { Queryable } from "@/lib/db/transaction";

const MAXIMUM_TOLD = 20;

/**
 * Checks what was restored for what it means, beyond being the same bytes: every ledger is the sum of its entries and
 * holds, and every organization's audit log is as it was sealed.
 * @param owner connected as the owner of the database
 * @returns sentences that say what is wrong, the first twenty; none where all is well
 */
export async function checkRestored(owner: Queryable): Promise<string[]> {
  const found = (await findUnbalancedLedgers(owner)).map(
    ({ organizationId, ledgerId }) =>
      `The ledger ${ledgerId} of organization ${organizationId} is not the sum of its entries and holds.`,
  );
  for await (const organizationId of listAudited(owner)) {
    const { problems } = await verifyAuditLog(owner, organizationId, null, { isSealed: false });
    found.push(...problems.map((problem) => `The audit log of organization ${organizationId}: ${problem}.`));
    if (found.length >= MAXIMUM_TOLD) break;
  }
  return found.slice(0, MAXIMUM_TOLD);
}
