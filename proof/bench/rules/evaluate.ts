import { evaluate } from "@/lib/engine/evaluate";
import { manyFacts, paydayRule } from "./example";
import { otherEngine, otherFacts } from "./other-engine";

export interface EvaluationRates {
  /** Conditions, amounts and trace of the five actions. */
  sluicePerSecond: number;
  /** The same conditions alone. */
  jsonRulesEnginePerSecond: number;
  ratio: number;
  /** One a round, in the order of the rounds. */
  rounds: { sluicePerSecond: number; jsonRulesEnginePerSecond: number }[];
}

const FACTS = 1_000;
const WARM_UP_SECONDS = 0.5;

/**
 * Evaluations per second of a rule of five actions, beside `json-rules-engine` on the same conditions and facts, in turn
 * in one process. Both are made once and only evaluate; each result is the median of its rounds.
 * @throws Error when the two do not agree on whether the conditions hold
 */
export async function measureEvaluations(options: {
  seconds: number;
  rounds: number;
}): Promise<EvaluationRates> {
  const rule = paydayRule();
  const conditions = rule.steps[0]?.conditions;
  if (!conditions) throw new Error("The example has no conditions");
  const facts = manyFacts(FACTS);
  const engine = otherEngine(conditions);
  const flat = facts.map(otherFacts);

  const sluice = (index: number) => isRunBy(evaluate(rule, at(facts, index)));
  const other = async (index: number) => (await engine.run(at(flat, index))).events.length > 0;
  await expectAgreement(sluice, other);

  const rounds: EvaluationRates["rounds"] = [];
  repeat(sluice, WARM_UP_SECONDS);
  await repeatInTurn(other, WARM_UP_SECONDS);
  for (let round = 0; round < options.rounds; round++) {
    // In turn, so that what slows the machine down for a while slows both.
    rounds.push({
      sluicePerSecond: repeat(sluice, options.seconds),
      jsonRulesEnginePerSecond: await repeatInTurn(other, options.seconds),
    });
  }
  const sluicePerSecond = median(rounds.map((round) => round.sluicePerSecond));
  const jsonRulesEnginePerSecond = median(rounds.map((round) => round.jsonRulesEnginePerSecond));
  return {
    sluicePerSecond,
    jsonRulesEnginePerSecond,
    ratio: sluicePerSecond / jsonRulesEnginePerSecond,
    rounds,
  };
}

function isRunBy(evaluation: ReturnType<typeof evaluate>): boolean {
  return evaluation.kind === "PLANNED" && evaluation.plan.stepIndexMatched !== null;
}

/** Two that answer different questions would not be compared; nor would answers that are all the same say much. */
async function expectAgreement(
  sluice: (index: number) => boolean,
  other: (index: number) => Promise<boolean>,
): Promise<void> {
  let held = 0;
  for (let index = 0; index < FACTS; index++) {
    const holds = sluice(index);
    if (holds !== (await other(index))) throw new Error(`The engines do not agree on facts ${index}`);
    if (holds) held += 1;
  }
  if (held < FACTS / 5 || held > (FACTS * 4) / 5)
    throw new Error(`The conditions held ${held} times of ${FACTS}`);
}

/** Evaluations between two looks at the clock. */
const BATCH = 100;

/** @returns evaluations per second */
function repeat(run: (index: number) => boolean, seconds: number): number {
  const startedAt = performance.now();
  let count = 0;
  let elapsedMs = 0;
  while (elapsedMs < seconds * 1_000) {
    for (let index = 0; index < BATCH; index++) run(count + index);
    count += BATCH;
    elapsedMs = performance.now() - startedAt;
  }
  return (count / elapsedMs) * 1_000;
}

/** The same for one that answers later. @returns evaluations per second */
async function repeatInTurn(run: (index: number) => Promise<boolean>, seconds: number): Promise<number> {
  const startedAt = performance.now();
  let count = 0;
  let elapsedMs = 0;
  while (elapsedMs < seconds * 1_000) {
    for (let index = 0; index < BATCH; index++) await run(count + index);
    count += BATCH;
    elapsedMs = performance.now() - startedAt;
  }
  return (count / elapsedMs) * 1_000;
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error("There is nothing to evaluate");
  return item;
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
