import { AppError } from "@/lib/contract/error";
import type { FinancialProfile } from "@/lib/contract/financial-profile";
import type { Actor, Context } from "@/lib/core/context";
import { requirePermission } from "@/lib/core/keys/permits";
import { chooseProfileWindow, type ProfileRange } from "@/lib/core/profile/choose-profile-window";
import { profileRowSchema } from "@/lib/core/profile/profile-row";
import { readCoverage } from "@/lib/core/profile/read-coverage";
import { roundTo4, shapeProfile, shareOf } from "@/lib/core/profile/shape-profile";
import { inTransaction } from "@/lib/platform/db/transaction";
import type { Services } from "@/lib/platform/services";

/** Before the window, so that a yearly bill of the window meets the one a year earlier (351 to 379 days). */
const STREAM_HISTORY_MS = 380 * 86_400_000;

/**
 * The financial profile of the organization over a window (docs/financial-profile.md): sums only, never a transaction.
 * Every member may read it; a key needs `READ_TRANSFERS` for all accounts, for no figure can be taken apart.
 * @param maximumMs how long it may take, where that is not as long as any statement
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS` for a window that is no window or longer than two years.
 */
export async function getFinancialProfile(
  services: Pick<Services, "pool">,
  context: Context,
  range: ProfileRange,
  { maximumMs = null }: { maximumMs?: number | null } = {},
): Promise<FinancialProfile> {
  requireAllTransfers(context.actor);
  const window = chooseProfileWindow(range, context.now);
  const historyFrom = new Date(window.from.getTime() - STREAM_HISTORY_MS);
  const [{ rows }, coverage] = await Promise.all([
    inTransaction(
      services.pool,
      async (client) => {
        if (maximumMs !== null) {
          await client.query("select set_config('statement_timeout', $1, true)", [`${maximumMs}ms`]);
        }
        return client.query<{ profile: unknown }>({
          name: "financial_profile",
          text: "select financial_profile($1, $2, $3, $4) as profile",
          values: [context.organizationId, window.from, window.to, historyFrom],
        });
      },
      { readOnly: true },
    ),
    readCoverage(services, context),
  ]);
  const row = profileRowSchema.parse(rows[0]?.profile);
  const { totals } = row;
  return {
    window: { from: window.from.toISOString(), to: window.to.toISOString() },
    currency: "USD",
    generatedAt: context.now.toISOString(),
    coverage: {
      accounts: coverage.accounts,
      staleConnections: coverage.staleConnections,
      firstDate: coverage.firstDate,
      transactionCount: totals.flows,
      uncategorizedShare: shareOf(totals.uncategorized, totals.purchases),
    },
    ...shapeProfile(row, window),
    savings: {
      netTransferredInCents: totals.saved,
      rate: totals.income > 0 ? roundTo4(totals.saved / totals.income) : null,
      targets: coverage.targets,
    },
  };
}

function requireAllTransfers(actor: Actor): void {
  if (actor.kind === "MEMBER") return;
  if (requirePermission(actor, "READ_TRANSFERS").accounts === "ALL") return;
  throw new AppError(
    "ACCESS_DENIED",
    "The financial profile is made of all accounts together. This key's READ_TRANSFERS permission is for some of them: use a key that has it for all accounts.",
  );
}
