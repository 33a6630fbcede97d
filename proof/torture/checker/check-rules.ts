import {
  groupBy,
  type OpenedLimit,
  type OpenedOrganization,
  type OpenedRule,
  type Violation,
} from "@/proof/torture/checker/history";
import type { Database, EntryRow, ExecutionRow, TransferRow } from "@/proof/torture/checker/read-database";

const ONE_RUN = "one run per arrival";
const AS_WRITTEN = "a run moves what its rule says";

/** Every arrival ran each rule that waited for it once, and each run moved what its arrival amounts to. */
export function checkRules(database: Database, opened: readonly OpenedOrganization[]): Violation[] {
  const ofRuns = groupBy(
    database.transfers.filter(({ mode }) => mode === "LIVE"),
    ({ executionId }) => executionId ?? "",
  );
  return [
    ...opened.flatMap(({ rules, limits, openingTransferIds }) => [
      ...rules.flatMap((rule) => checkArrivals(database, rule, new Set(openingTransferIds))),
      ...rules.flatMap((rule) => checkShares(database, rule, ofRuns)),
      ...limits.flatMap((limit) => checkLimit(database, limit)),
    ]),
    ...checkOneTransferEach(database, ofRuns),
  ];
}

function checkArrivals(database: Database, rule: OpenedRule, before: ReadonlySet<string>): Violation[] {
  const runs = groupBy(
    database.executions.filter((run) => run.ruleId === rule.id && run.causeKind === "TRANSFER"),
    ({ causeId }) => causeId ?? "",
  );
  const violations: Violation[] = [];
  for (const arrival of database.entries) {
    const cause = arrival.transferId ?? "";
    if (arrival.creditId !== rule.accountId || arrival.kind !== "TRANSFER" || before.has(cause)) continue;
    const count = runs.get(cause)?.length ?? 0;
    runs.delete(cause);
    if (count > 1 || (count === 0 && !isPaused(database, rule, arrival))) {
      violations.push({ promise: ONE_RUN, what: `${cause} set rule ${rule.id} off ${count} times` });
    }
  }
  for (const cause of runs.keys()) {
    violations.push({ promise: ONE_RUN, what: `rule ${rule.id} ran for ${cause}, which never arrived` });
  }
  return violations;
}

/** Money that the bank took back after a rule had split it pauses the rule, until a person resumes it. */
function isPaused({ pauses }: Database, rule: OpenedRule, { bookedAt }: EntryRow): boolean {
  const last = pauses.filter(({ ruleId, at }) => ruleId === rule.id && at <= bookedAt).at(-1);
  return last?.kind === "PAUSED";
}

type ByRun = ReadonlyMap<string, readonly TransferRow[]>;

/** Of the arrival, each share rounded down to the cent. */
function checkShares({ executions, entries }: Database, rule: OpenedRule, ofRuns: ByRun): Violation[] {
  if (rule.shares.length === 0) return [];
  const amounts = new Map(entries.map(({ transferId, amountInCents }) => [transferId, amountInCents]));
  return executions
    .filter(({ ruleId, status }) => ruleId === rule.id && status === "EXECUTED")
    .flatMap((run) => {
      const arrived = amounts.get(run.causeId) ?? 0;
      const wanted = rule.shares.map(
        ({ destinationAccountId, percentage }) =>
          `${destinationAccountId} ${Math.floor((arrived * percentage) / 100)}`,
      );
      const moved = (ofRuns.get(run.id) ?? []).map((one) => `${one.destinationId} ${one.amountInCents}`);
      if (moved.toSorted().join() === wanted.toSorted().join()) return [];
      return [{ promise: AS_WRITTEN, what: `run ${run.id} of ${arrived} moved ${moved.join(", ")}` }];
    });
}

/** The simulation's rules move to each account at most once per run: a second time is a second run. */
function checkOneTransferEach({ executions }: Database, ofRuns: ByRun): Violation[] {
  return executions.flatMap((run: ExecutionRow) => {
    const transfers = ofRuns.get(run.id) ?? [];
    const ways = new Set(transfers.map(({ sourceId, destinationId }) => `${sourceId} ${destinationId}`));
    if (ways.size === transfers.length) return [];
    return [
      { promise: ONE_RUN, what: `run ${run.id} made ${transfers.length} transfers on ${ways.size} ways` },
    ];
  });
}

const monthOf = new Intl.DateTimeFormat("en-CA", {
  timeZone: "America/New_York",
  year: "numeric",
  month: "2-digit",
});

function checkLimit({ transfers }: Database, limit: OpenedLimit): Violation[] {
  const counted = transfers.filter(
    ({ ruleId, limitId, mode, status }) =>
      ruleId === limit.ruleId && limitId === limit.limitId && mode === "LIVE" && status === "COMPLETE",
  );
  return [...groupBy(counted, ({ createdAt }) => monthOf.format(createdAt))].flatMap(([month, rows]) => {
    const moved = rows.reduce((sum, { amountInCents }) => sum + amountInCents, 0);
    if (moved <= limit.amountInCents) return [];
    return [{ promise: "a limit holds", what: `rule ${limit.ruleId} moved ${moved} in ${month}` }];
  });
}
