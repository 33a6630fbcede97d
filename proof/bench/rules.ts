import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { benchFolder, saveReport } from "@/proof/bench/report";
import { type EvaluationRates, measureEvaluations } from "./rules/evaluate";
import { type LiveOptions, type LiveRates, measureLiveRuns } from "./rules/live-runs";

const USAGE = `npm run bench:rules -- [--seconds 2] [--rounds 5] [--concurrency 32] [--live-seconds 5]

Evaluations per second of a rule of five actions, with their amounts and trace, beside json-rules-engine evaluating the
same conditions of the same facts and nothing else; in turn, in one process. Then live runs per second with their transfers
on a durable embedded PostgreSQL of their own: asked for over HTTP, and carried out by one process; beside the same
transfers and entries from a bare loop, one transaction for each run.
`;

/** Of the rules that are run live. */
const ACTIONS = [1, 5];

/** @param programs the bundled product */
export async function benchRules({ product }: { product: string }): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: "2" },
      rounds: { type: "string", default: "5" },
      concurrency: { type: "string", default: "32" },
      "live-seconds": { type: "string", default: "5" },
      help: { type: "boolean" },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const loadBefore = loadavg()[0];
  const evaluations = await measureEvaluations({
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
  });
  process.stdout.write(renderEvaluations(evaluations));
  const live = await benchLive(product, {
    concurrency: Number(values.concurrency),
    seconds: Number(values["live-seconds"]),
  });
  await saveReport("rules.json", { evaluations, live }, { ...values, loadBefore, loadAfter: loadavg()[0] });
}

async function benchLive(program: string, options: LiveOptions): Promise<LiveRates[]> {
  const folder = await benchFolder();
  const rates: LiveRates[] = [];
  process.stdout.write("\nLive runs with their transfers, per second (ratio to the bare transactions)\n");
  for (const actions of ACTIONS) {
    const measured = await measureLiveRuns(program, folder, actions, options);
    rates.push(measured);
    process.stdout.write(renderLive(measured));
  }
  return rates;
}

function renderLive({ actions, triggeredPerSecond, workedOffPerSecond, rawPerSecond }: LiveRates): string {
  const line = (name: string, rate: number) =>
    `  ${name.padEnd(36)} ${rate.toFixed(0).padStart(6)}  ${(rate / rawPerSecond).toFixed(2)}\n`;
  return [
    `  of ${actions} ${actions === 1 ? "action" : "actions"}\n`,
    line("  asked for over HTTP, to the end", triggeredPerSecond),
    line("  already due, carried out", workedOffPerSecond),
    line("  bare transactions", rawPerSecond),
  ].join("");
}

function renderEvaluations({ sluicePerSecond, jsonRulesEnginePerSecond, ratio }: EvaluationRates): string {
  const perSecond = (value: number) => Math.round(value).toLocaleString("en-US").padStart(12);
  return [
    "Evaluations of a rule of five actions, per second",
    `  Sluice: conditions, amounts, trace   ${perSecond(sluicePerSecond)}`,
    `  json-rules-engine: conditions        ${perSecond(jsonRulesEnginePerSecond)}`,
    `  ratio                                ${ratio.toFixed(1).padStart(12)}`,
    "",
  ].join("\n");
}
