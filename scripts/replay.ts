import { parseArgs } from "node:util";
import { formatCents } from "@/lib/contract/format-cents";
import type { PlannedMove } from "@/lib/contract/rules/plan";
import { findExecutionOrganization, type Replay, replayExecution } from "@/lib/core/rules/replay-execution";
import { openDatabase } from "@/lib/db/database";
import { loadConfig } from "@/lib/platform/config";
import { createLog } from "@/lib/platform/log";
import { runCommand } from "@/lib/platform/terminal";

const USAGE = `npm run replay -- EXECUTION-ID

Recomputes a run of a rule from the facts and the rule version it stored, and compares every amount. Works while Sluice
runs or not, and changes nothing. EXECUTION-ID is in the address of the run's page.
Exits with code 0 when the plan is the same, 1 when it differs, 2 when there is no such run or nothing to replay.
`;
const NOTHING_REPLAYED = 2;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { help: { type: "boolean" } },
    allowPositionals: true,
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const [id = "", ...more] = positionals;
  if (more.length > 0 || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) throw new Error(USAGE);
  const config = loadConfig(process.env);
  const database = await openDatabase({ config, log: createLog(config.logLevel) });
  try {
    const organizationId = await findExecutionOrganization(database.pool, id);
    if (organizationId === null) throw new Error(`There is no run ${id}. Nothing was replayed.`);
    printReplay(id, await replayExecution(database.pool, organizationId, id));
  } finally {
    await database.close();
  }
}

function printReplay(id: string, replay: Replay): void {
  if (replay.kind === "NOT_FOUND") throw new Error(`There is no run ${id}. Nothing was replayed.`);
  const subject = `${replay.ruleName}, version ${replay.version}, run ${id}`;
  if (replay.kind === "NO_PLAN")
    throw new Error(`${subject}: it stored no plan, so there is nothing to replay.`);
  if (replay.kind === "UNREADABLE") throw new Error(`${subject}: ${UNREADABLE[replay.what]}`);
  const { comparison } = replay;
  const lines = [
    `${subject}, facts of ${replay.factsAt}`,
    ...comparison.moves.map(
      ({ stored, recomputed, agrees }, index) =>
        `  ${agrees ? "same     " : "DIFFERENT"}  ${index + 1}  stored ${describe(stored)}, recomputed ${describe(recomputed)}`,
    ),
    ...comparison.otherDifferences.map((difference) => `  DIFFERENT  ${OTHER[difference]}`),
    comparison.isSame
      ? `Same plan: all ${comparison.moves.length} amounts agree.`
      : "The plan differs from the stored one.",
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  if (!comparison.isSame) process.exitCode = 1;
}

const UNREADABLE = {
  RULE: "this version of Sluice cannot read the rule, so nothing was replayed.",
  FACTS: "this version of Sluice cannot read the stored facts, so nothing was replayed.",
  PLAN: "this version of Sluice cannot read the stored plan, so nothing was replayed.",
  EVALUATION: "the stored facts lack what the stored plan needed, so nothing was replayed.",
};

const OTHER = {
  STEP_MATCHED: "another step matches",
  COMPARISONS: "the comparisons of its steps come out otherwise",
  ACTIONS_NOT_REACHED: "another number of actions was not reached",
};

/** `$1,300.00 FIXED`, `$0.00 TOP_UP SKIPPED`, `nothing`. */
function describe(move: PlannedMove | null): string {
  if (move === null) return "nothing";
  const what = [formatCents(move.amountInCents), move.type];
  if (move.outcome !== "MOVE") what.push(move.errorCode ?? move.outcome);
  return what.join(" ");
}

await runCommand(main, NOTHING_REPLAYED);
