import { checkRestored } from "@/lib/core/exports/check-restored";
import { holdAfterRestore } from "@/lib/core/keys/hold-after-restore";
import { type RestoredBackup, type RestoreOptions, restoreBackup } from "@/lib/db/backup/restore-backup";
import type { Clock } from "@/lib/platform/clock";

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
