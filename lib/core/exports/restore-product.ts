import { listAudited, verifyAuditLog } from "@/lib/core/audit/verify-audit-log";
import { holdAfterRestore } from "@/lib/core/keys/gates";
import { findUnbalancedLedgers } from "@/lib/core/ledger/find-unbalanced-ledgers";
import { type RestoredBackup, type RestoreOptions, restoreBackup } from "@/lib/db/backup/restore-backup";
import { createClient } from "@/lib/db/client";
import type { Engine } from "@/lib/db/engine";
import { typeParsers } from "@/lib/db/pool";
import type { Queryable } from "@/lib/db/transaction";
import type { Clock } from "@/lib/platform/clock";

const MAXIMUM_REPORTED = 20;

export interface RestoreProductOptions extends Omit<RestoreOptions, "beforeCommit"> {
  clock: Clock;
  /** The folder of archived entries of the audit log; null: there is none. */
  archives?: string | null;
  /** Closes all gates of every organization, so that nothing moves before a person has checked. */
  hold: boolean;
  /** Also restores books or an audit log that were already inconsistent when backed up. */
  acceptProblems: boolean;
}

export interface RestoredProduct extends RestoredBackup {
  /** How many organizations had their gates closed by this restore. */
  heldCount: number;
  /** Problems in the books or the audit log; empty unless accepted. */
  problems: string[];
}

/**
 * Restores a backup, checks its books and audit log, and holds its money, in one transaction.
 * @throws Error as `restoreBackup`, and if books or audit log are inconsistent and that was not accepted; the database
 *   stays empty.
 */
export async function restoreProduct({
  clock,
  archives = null,
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
      problems = await checkRestored(owner, archives);
      if (problems.length > 0 && !acceptProblems) throw new Error(refusal(problems));
      if (hold) heldCount = await holdAfterRestore(owner, clock.now());
      // The first start finds out which secret is used from now on.
      if (options.secret === null) await owner.query("delete from product_secrets; delete from kept_keys");
    },
  });
  return { ...restored, heldCount, problems };
}

interface HeldDatabase {
  heldCount: number;
  problems: string[];
}

/**
 * What follows a restore of the whole cluster from its archive: closes all gates, and checks books and audit log.
 * @param engine migrated
 */
export async function holdAndCheck(
  engine: Pick<Engine, "owner">,
  { clock, archives, hold }: Pick<RestoreProductOptions, "clock" | "hold"> & { archives: string | null },
): Promise<HeldDatabase> {
  const owner = createClient({ ...engine.owner, types: typeParsers });
  await owner.connect();
  try {
    // Committed first: whatever the check finds, nothing moves.
    const heldCount = hold ? await holdAfterRestore(owner, clock.now()) : 0;
    return { heldCount, problems: await checkRestored(owner, archives) };
  } finally {
    await owner.end();
  }
}

const refusal = (problems: readonly string[]) =>
  `The backup is inconsistent; nothing was restored:\n${problems.map((problem) => `  ${problem}`).join("\n")}\n` +
  "Use an earlier backup or, if there is none, restore this one with --accept-problems.";

/**
 * Checks restored data beyond its bytes: every ledger is the sum of its entries and holds, and every organization's
 * audit log matches its seals.
 * @param owner connected as the owner of the database
 * @param archives the folder of archived entries of the audit log
 * @returns up to twenty sentences that describe problems; empty if there are none
 */
export async function checkRestored(owner: Queryable, archives: string | null = null): Promise<string[]> {
  const found = (await findUnbalancedLedgers(owner)).map(
    ({ organizationId, ledgerId }) =>
      `Ledger ${ledgerId} of organization ${organizationId} does not equal the sum of its entries and holds.`,
  );
  for await (const organizationId of listAudited(owner)) {
    const { problems } = await verifyAuditLog(owner, organizationId, null, { archives, isSealed: false });
    found.push(...problems.map((problem) => `The audit log of organization ${organizationId}: ${problem}.`));
    if (found.length >= MAXIMUM_REPORTED) break;
  }
  return found.slice(0, MAXIMUM_REPORTED);
}
