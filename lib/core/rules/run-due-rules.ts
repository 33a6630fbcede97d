import type { PoolClient } from "pg";
import { BatchCaps, BatchFacts } from "@/lib/core/rules/batch-facts";
import { type ClaimedRun, claimRuns } from "@/lib/core/rules/claim-runs";
import { failedRun, type RunResult, resultOf, waitOrFail } from "@/lib/core/rules/run-result";
import { RUN_RULES, SEND_NOTICES } from "@/lib/core/shared/work-names";
import { inTransaction } from "@/lib/db/transaction";
import { hasCodeClass } from "@/lib/platform/error-code";
import type { Services } from "@/lib/platform/services";

type RunnerServices = Pick<Services, "pool" | "clock" | "log" | "wake">;

/**
 * Errors that another attempt with the same data would meet again: data, constraints, raised exceptions.
 */
const OF_THE_RUN = ["22", "23", "P0"];

/**
 * Carries out due live runs (docs/behavior/rules.md): claims them, locks their ledgers, evaluates their plans one after
 * the other, each from what earlier ones left, and writes plans, transfers, entries and triggered runs in the same
 * transaction. After a crash they are still due.
 *
 * If the database refuses one run, the batch is rolled back and each run is carried out alone.
 * @returns how many runs were claimed.
 */
export async function runDueRules(services: RunnerServices, limit: number): Promise<number> {
  try {
    return await runBatch(services, limit);
  } catch (error) {
    if (!hasCodeClass(error, ...OF_THE_RUN)) throw error;
    services.log.warn(
      { err: error },
      "a batch of rule runs was rolled back; its runs are carried out one by one",
    );
    return await runOneByOne(services, limit);
  }
}

async function runOneByOne(services: RunnerServices, limit: number): Promise<number> {
  let count = 0;
  while (count < limit && (await runBatch(services, 1, carryOutAlone)) === 1) count += 1;
  return count;
}

async function runBatch(services: RunnerServices, limit: number, work = carryOut): Promise<number> {
  const now = services.clock.now();
  const results = await inTransaction(services.pool, async (client) => {
    const runs = await claimRuns(client, now, limit);
    return runs.length > 0 ? await work(services, client, runs) : [];
  });
  wakeFor(services, results);
  return results.length;
}

async function carryOut(
  services: RunnerServices,
  client: PoolClient,
  runs: readonly ClaimedRun[],
): Promise<RunResult[]> {
  const caps = await BatchCaps.lock(client, runs);
  const facts = await BatchFacts.lock(client, runs);
  const results = runs.map((run) => {
    const result = caps.apply(run, workOut(services, run, facts));
    facts.move(run, result.transfers);
    return result;
  });
  await client.query({
    name: "carry_out_runs",
    text: "select carry_out_runs($1)",
    values: [JSON.stringify(results)],
  });
  return results;
}

/** A run that the database refuses is retried and finally fails, instead of being claimed forever. */
async function carryOutAlone(
  services: RunnerServices,
  client: PoolClient,
  runs: readonly ClaimedRun[],
): Promise<RunResult[]> {
  await client.query("savepoint before_run");
  try {
    return await carryOut(services, client, runs);
  } catch (error) {
    if (!hasCodeClass(error, ...OF_THE_RUN)) throw error;
    await client.query("rollback to savepoint before_run");
    const results = runs.map((run) => {
      services.log.error(
        { err: error, organizationId: run.organizationId, executionId: run.id },
        "a rule run could not be carried out",
      );
      return waitOrFail(run, "Something broke on our side.", null);
    });
    await client.query("select carry_out_runs($1)", [JSON.stringify(results)]);
    return results;
  }
}

/** An internal error in the evaluator fails this run only. */
function workOut(services: RunnerServices, run: ClaimedRun, facts: BatchFacts): RunResult {
  try {
    return resultOf(run, facts.of(run));
  } catch (error) {
    services.log.error(
      { err: error, organizationId: run.organizationId, executionId: run.id },
      "a rule could not be evaluated",
    );
    return failedRun(run, "The rule could not be evaluated. Nothing moved.");
  }
}

function wakeFor(services: RunnerServices, results: readonly RunResult[]): void {
  if (results.some(({ outcome }) => outcome === "HELD")) services.wake(SEND_NOTICES);
  const transfers = results.flatMap((result) => result.transfers);
  if (transfers.length === 0) return;
  // The transfers may have triggered further rules.
  services.wake(RUN_RULES);
}
