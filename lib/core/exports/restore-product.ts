import { listAudited, verifyAuditLog } from "@/lib/core/audit/verify-audit-log";
import { holdAfterRestore } from "@/lib/core/keys/gates";
import { findUnbalancedLedgers } from "@/lib/core/ledger/find-unbalanced-ledgers";
import { type RestoredBackup, type RestoreOptions, restoreBackup } from "@/lib/db/backup/restore-backup";
import type { Queryable } from "@/lib/db/transaction";
import type { Clock } from "@/lib/platform/clock";

const MAXIMUM_TOLD = 20;

export interface RestoreProductOptions extends Omit<RestoreOptions, "beforeCommit"> {
  clock: Clock;
  /** Closes all gates of every organization, so that nothing moves before a person has looked. */
  hold: boolean;
  /** Restores books or an audit log that were not whole when they were backed up, too. */
  acceptProblems: boolean;
}

export interface RestoredProduct extends RestoredBackup {
  /** Organizations whose gates were closed now. */
  heldCount: number;
  /** What is wrong with the books or the audit log; none unless such were accepted. */
  problems: string[];
}

/**
 * Restores a backup, checks its books and its audit log, and holds its money, in one transaction.
 * @throws Error as `restoreBackup`, and where books or audit log are not whole, unless that was accepted: the database
 *   stays empty.
 */
export async function restoreProduct({
  clock,
  hold,
  acceptProblems,
  ...options
}: RestoreProductOptions): Promise<RestoredProduct> {
  let heldCount = 0;
  let problems: string[] = [];
  const restored = await restoreBackup({
    ...options,
    beforeCommit: async (owner) => {
      options.say?.("Checking the books and the audit log.");
      problems = await checkRestored(owner);
      if (problems.length > 0 && !acceptProblems) throw new Error(refusal(problems));
      if (hold) heldCount = await holdAfterRestore(owner, clock.now());
    },
  });
  return { ...restored, heldCount, problems };
}

const refusal = (problems: readonly string[]) =>
  `What was backed up was not whole, and nothing was restored:\n${problems.map((problem) => `  ${problem}`).join("\n")}\n` +
  "Take an earlier backup, or, where there is none, restore this one with --accept-problems.";

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
