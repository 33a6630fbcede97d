import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadConfig } from "@/lib/platform/config";
import { type EvaluationRates, measureEvaluations } from "./rules/evaluate";

const USAGE = `npm run bench:rules -- [--seconds 2] [--rounds 5]

Evaluations per second of a rule of five actions, with their amounts and trace, beside json-rules-engine evaluating the
same conditions of the same facts and nothing else; in turn, in one process.
`;

export async function benchRules(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: "2" },
      rounds: { type: "string", default: "5" },
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
  await report({ evaluations }, { ...values, loadBefore, loadAfter: loadavg()[0] });
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

async function report(results: object, conditions: object): Promise<void> {
  const folder = join(loadConfig(process.env).dataDirectory, "bench");
  await mkdir(folder, { recursive: true });
  const machine = { cores: availableParallelism(), model: cpus()[0]?.model, node: process.version };
  const path = join(folder, "rules.json");
  await writeFile(path, `${JSON.stringify({ machine, conditions, ...results }, null, 2)}\n`);
  process.stdout.write(`\n${JSON.stringify({ machine, conditions })}\nAll of it: ${path}\n`);
}
