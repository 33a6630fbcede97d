import { AppError } from "@/lib/contract/error";
import type { FinancialProfile } from "@/lib/contract/financial-profile";
import { DATE_WINDOW_MS } from "@/lib/contract/limits";
import { chooseProfileWindow, type ProfileRange } from "@/lib/core/profile/choose-profile-window";
import { answers } from "@/lib/core/profile/keep-answer";
import { readCoverage } from "@/lib/core/profile/read-coverage";
import {
  type PageProfile,
  pageProfileSchema,
  profileRowSchema,
  roundTo4,
  shapeProfile,
  shareOf,
} from "@/lib/core/profile/shape-profile";
import type { Actor, Context } from "@/lib/core/shared/context";
import { requirePermission } from "@/lib/core/shared/permits";
import { allowLongStatements } from "@/lib/db/running-statements";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** Read before the window, so that a yearly bill in it matches the one a year earlier (351 to 379 days). */
const STREAM_HISTORY_MS = 380 * 86_400_000;
const DAY_MS = 86_400_000;

/**
 * The organization's financial profile over a window (docs/financial-profile.md): sums only, never a transaction. Every
 * member may read it; a key needs `READ_TRANSFERS` for all accounts, because no figure can be split by account. Without
 * a named window, a large organization may get a cached profile; `generatedAt` and the window's end show its age.
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS` for an invalid window or one longer than two years.
 */
export async function getFinancialProfile(
  services: Pick<Services, "pool" | "clock">,
  context: Context,
  range: ProfileRange,
): Promise<FinancialProfile> {
  requireAllTransfers(context.actor);
  if (range.from === null && range.to === null)
    return forPrograms(
      await readKeptProfile(services, context, {
        days: DEFAULT_PROFILE_DAYS,
        staleMs: STALE_FOR_PROGRAMS_MS,
      }),
    );
  return forPrograms(await computeProfile(services, context, range));
}

function forPrograms({ spendingMonths: _, otherPayees: __, ...profile }: PageProfile): FinancialProfile {
  return profile;
}

/** The default window. */
const DEFAULT_PROFILE_DAYS = DATE_WINDOW_MS / DAY_MS;

/** Profiles of fewer transactions are never cached. */
const KEPT_FROM = 1_000;
/** How long a cached profile is served if the background refresh stops; the refresh runs at least daily. */
const STALE_MS = 25 * 3_600_000;
/** Programs assume that a profile is current, so they wait seconds for a new one rather than get an old one. */
const STALE_FOR_PROGRAMS_MS = 75 * 60_000;
/** A profile of a million transactions takes seconds, longer under load. */
const MAXIMUM_MS = 60_000;

interface Whose {
  organizationId: string;
  /** Business time. */
  now: Date;
}

/** The cache entry of a profile of the last `days` days. The caller has checked access. */
export function profileQuestion({ organizationId, now }: Whose, days: number, staleMs = STALE_MS) {
  return {
    organizationId,
    now,
    name: `profile ${days}`,
    schema: pageProfileSchema,
    staleMs,
    keptIfSlowerMs: 1_000,
    isBig: ({ coverage }: PageProfile) => coverage.transactionCount >= KEPT_FROM,
  };
}

/** The profile of the last days, cached for large organizations. The caller has checked access. */
export async function readKeptProfile(
  services: Pick<Services, "pool" | "clock">,
  whose: Whose,
  { days, staleMs = STALE_MS }: { days: number; staleMs?: number },
): Promise<PageProfile> {
  return await answers.get(services, profileQuestion(whose, days, staleMs), () =>
    computeLastDays(services, whose, days),
  );
}

/** Computes the profile of the last days now. */
export async function computeLastDays(
  services: Pick<Services, "pool">,
  whose: Whose,
  days: number,
): Promise<PageProfile> {
  const from = new Date(whose.now.getTime() - days * DAY_MS);
  return await computeProfile(services, whose, { from, to: null }, { maximumMs: MAXIMUM_MS });
}

/** @param maximumMs statement timeout; null: the default of other statements */
async function computeProfile(
  services: Pick<Services, "pool">,
  whose: Whose,
  range: ProfileRange,
  { maximumMs = null }: { maximumMs?: number | null } = {},
): Promise<PageProfile> {
  const window = chooseProfileWindow(range, whose.now);
  const historyFrom = new Date(window.from.getTime() - STREAM_HISTORY_MS);
  const [{ rows }, coverage] = await Promise.all([
    inTransaction(
      services.pool,
      async (client) => {
        if (maximumMs !== null) {
          await client.query("select set_config('statement_timeout', $1, true)", [`${maximumMs}ms`]);
          allowLongStatements(client, maximumMs);
        }
        return client.query<{ profile: unknown }>({
          name: "financial_profile",
          text: "select financial_profile($1, $2, $3, $4) as profile",
          values: [whose.organizationId, window.from, window.to, historyFrom],
        });
      },
      { readOnly: true },
    ),
    readCoverage(services, whose),
  ]);
  const row = profileRowSchema.parse(rows[0]?.profile);
  const { totals } = row;
  return {
    window: { from: window.from.toISOString(), to: window.to.toISOString() },
    currency: "USD",
    generatedAt: whose.now.toISOString(),
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
