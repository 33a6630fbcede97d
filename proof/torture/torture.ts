import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadConfig } from "@/lib/platform/config";
import { type Outcomes, reasonWords } from "@/proof/torture/checker/check-actors";
import type { Violation } from "@/proof/torture/checker/history";
import { type RunResult, runSeed } from "@/proof/torture/one-run";
import { BANK_KINDS, type BankKind, PLANTED_FAULTS, type PlantedFault } from "@/proof/torture/planted-faults";

const USAGE = `npm run torture -- [--minutes 10] [--seeds 10] [--seed N] [--seconds 30]
                   [--bank sandbox|increase] [--fault NAME]

Organizations, agents, rules, banks and members act at once against real processes of the product, while processes and
PostgreSQL are killed, connections break, clocks jump, the bank returns money and receivers fail. Then a checker that
shares no code with the product compares what was asked and answered with what the books hold.

  --minutes   begins no further seed after this long
  --seeds     how many seeds, from 1 on
  --seed      this one alone: the same intents and the same faults in the same order
  --seconds   how long one seed acts; up to three times as long while a step was accepted too few times to prove
              anything. Coming to rest and checking come after
  --bank      increase: an emulated Increase outside of the products, whose answers come late, are lost, fail or are
              doubled, whose events come in bursts, late or about nothing, and whose own books are compared too; by default the sandbox bank
  --fault     puts a mistake into the product on purpose, which the checker must find; ends when it has:
${PLANTED_FAULTS.map(({ name, describes }) => `              ${name}: ${describes}`).join("\n")}
`;

/** The most violations to print; one cause often breaks many promises. */
const MOST_REPORTED = 12;

/** @returns the exit code: 0 if every promise was kept or, with a planted fault, if the checker found it */
export async function torture(program: string): Promise<number> {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "10" },
      seeds: { type: "string", default: "10" },
      seed: { type: "string" },
      seconds: { type: "string", default: "30" },
      bank: { type: "string" },
      fault: { type: "string" },
      help: { type: "boolean" },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const plantedFault = findFault(values.fault);
  const bank = plantedFault?.bank ?? findBank(values.bank);
  const first = Number(values.seed ?? 1);
  const last = values.seed === undefined ? Number(values.seeds) : first;
  const parent = join(loadConfig(process.env).dataDirectory, "torture");
  await mkdir(parent, { recursive: true });
  const deadline = performance.now() + Number(values.minutes) * 60_000;
  let failed = 0;
  let found = false;
  let done = 0;
  for (let seed = first; seed <= last && !found && performance.now() < deadline; seed++) {
    const folder = await mkdtemp(join(parent, `seed-${seed}-`));
    const startedAt = performance.now();
    const seconds = Number(values.seconds);
    const result = await runSeed({ seed, folder, program, seconds, bank, plantedFault });
    done += 1;
    found ||= result.violations.some(({ promise }) => promise === plantedFault?.breaks);
    printSeed(seed, result, (performance.now() - startedAt) / 1_000);
    if (result.violations.length === 0) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    else {
      failed += 1;
      process.stdout.write(
        `  history, logs and database: ${folder}\n  again: npm run torture -- --bank ${bank} --seed ${seed}\n`,
      );
    }
  }
  const asked = last - first + 1;
  const missing = done === asked || found ? "" : ` (time was over before all ${asked})`;
  process.stdout.write(`${done} seeds, ${failed} with violations${missing}\n`);
  if (plantedFault) return found ? 0 : 1;
  return failed === 0 ? 0 : 1;
}

function findBank(name = "sandbox"): BankKind {
  const bank = BANK_KINDS.find((one) => one === name);
  if (!bank) throw new Error(`There is no bank called ${name}`);
  return bank;
}

function findFault(name: string | undefined): PlantedFault | null {
  if (name === undefined) return null;
  const fault = PLANTED_FAULTS.find((one) => one.name === name);
  if (!fault) throw new Error(`There is no fault called ${name}`);
  return fault;
}

function printSeed(
  seed: number,
  { summary, violations, faults, actedSeconds, disturbed }: RunResult,
  seconds: number,
): void {
  const { answered, unanswered, decided, outrun, transfers, runs, deliveries, seals, misreports } = summary;
  const states = Object.entries(transfers).map(([status, count]) => `${count} ${status}`);
  process.stdout.write(
    `seed ${seed}: ${faults} faults in ${actedSeconds.toFixed(0)} s; ${answered} answers, ${unanswered} lost; ${states.join(", ")}; ` +
      `${decided} decisions and ${outrun} that came second; ${runs} runs, ${deliveries} deliveries, ${seals} seals, ${misreports} wrong lines and ${disturbed} disturbed answers of the bank; ` +
      `${violations.length} violations, ${seconds.toFixed(0)} s\n` +
      `  accepted: ${Object.entries(summary.steps).map(stepWords).join(", ")}\n`,
  );
  printViolations(violations);
}

/** `deposit 41 of 52 (FAILED 9, ACCESS_DENIED 2; and 3 cut off)` */
function stepWords([step, { accepted, refused, cut, reasons }]: [string, Outcomes]): string {
  const unclear = cut > 0 ? `and ${cut} cut off` : "";
  const why = [reasonWords(reasons), unclear].filter(Boolean).join("; ");
  return `${step} ${accepted} of ${accepted + refused}${why && ` (${why})`}`;
}

function printViolations(violations: readonly Violation[]): void {
  for (const { promise, what } of violations.slice(0, MOST_REPORTED)) {
    process.stdout.write(`  BROKEN  ${promise}: ${what}\n`);
  }
  if (violations.length > MOST_REPORTED)
    process.stdout.write(`  and ${violations.length - MOST_REPORTED} more\n`);
}
