import { parseArgs } from "node:util";
import { seededNumbers } from "@/lib/core/demo/seeded-numbers";
import { describeCounterexample, findExcess } from "@/proof/mandates/find-excess";
import { MAXIMUM_CALLS_PER_KEY, playTrial, type TriedMandate } from "@/proof/mandates/play-trial";
import { randomSetting } from "@/proof/mandates/random-keys";

const USAGE = `Tries to move more under a mandate than people signed.

  npm run trial:mandates
  npm run trial:mandates -- --processes 3    # default 10
  npm run trial:mandates -- --sets 2000      # of the search, default 200
  npm run trial:mandates -- --fault          # with a planted fault, which must be found

First a search: keys with random mandates, and every set of calls up to a length, over few moments, amounts and accounts.
Then the product: several processes on one database, and keys with a signed mandate each that ask for far more than it
allows, from all processes at once, while processes are killed and started again, a key that asks nobody and a rule move
money from the same account, and a month ends. Requests in another currency, and with amounts that are none, must be refused. At
the end the transfers are summed without the product's functions. With --fault, the database counts no use. Takes about two
minutes.
`;
const SEED = 20_261_130;
const MAXIMUM_PROCESSES = 10;
const MAXIMUM_SETS = 100_000;

/**
 * @param program bundled `lib/testing/product-process-main.ts`
 * @returns the exit code
 */
export async function trial(program: string): Promise<number> {
  const { values } = parseArgs({
    options: {
      processes: { type: "string", default: "10" },
      sets: { type: "string", default: "200" },
      fault: { type: "boolean", default: false },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const processes = numberBetween("--processes", values.processes, 1, MAXIMUM_PROCESSES);
  const isFound = search(numberBetween("--sets", values.sets, 1, MAXIMUM_SETS));
  const tried = await playTrial({
    program,
    processes,
    restarts: processes,
    callsPerKey: MAXIMUM_CALLS_PER_KEY,
    hasFault: values.fault,
  });
  const isExceeded = printMandates(tried.mandates);
  process.stdout.write(
    `${processes} processes, ${tried.kills} of them killed and started again; ${tried.unclear} requests repeated after no clear answer, ${tried.oddRefused} in another currency or without a right amount refused, ${tried.freeInCents} cents moved beside them.\n`,
  );
  for (const problem of tried.problems) process.stdout.write(`${problem}\n`);
  const isBroken = isExceeded || tried.problems.length > 0;
  if (values.fault) {
    process.stdout.write(isBroken ? "The planted fault was found.\n" : "The planted fault was not found.\n");
    return isBroken ? 0 : 1;
  }
  return isFound || isBroken ? 1 : 0;
}

function numberBetween(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most)
    throw new Error(`${name} must be ${least} to ${most}`);
  return value;
}

/** @returns whether some calls move more than the sentence says */
function search(sets: number): boolean {
  const random = seededNumbers(SEED);
  let compared = 0;
  for (let set = 0; set < sets; set += 1) {
    const { sequences, found } = findExcess(randomSetting(random));
    compared += sequences;
    if (found === null) continue;
    process.stdout.write(`${describeCounterexample(found)}\n`);
    return true;
  }
  process.stdout.write(
    `Search: ${sets} sets of keys and mandates, ${compared} sets of accepted calls, none moves more than its sentence says.\n\n`,
  );
  return false;
}

const cell = (text: string | number, width: number) => String(text).padStart(width);
const dollars = (inCents: number) => (inCents / 100).toFixed(2);

/** @returns whether a limit was exceeded */
function printMandates(mandates: readonly TriedMandate[]): boolean {
  process.stdout.write("mandate    asked  accepted  waited  limit                moved        of\n");
  let isExceeded = false;
  for (const { name, asked, accepted, waited, limits } of mandates) {
    for (const [place, { what, movedInCents, limitInCents }] of limits.entries()) {
      const isOver = movedInCents > limitInCents;
      isExceeded ||= isOver;
      const counts =
        place === 0
          ? [cell(asked, 5), cell(accepted, 9), cell(waited, 7)]
          : [cell("", 5), cell("", 9), cell("", 7)];
      const cells = [(place === 0 ? name : "").padEnd(10), ...counts, ` ${what.padEnd(16)}`];
      const sums = [cell(dollars(movedInCents), 9), cell(dollars(limitInCents), 9)];
      process.stdout.write(`${[...cells, ...sums].join(" ")}${isOver ? "  EXCEEDED" : ""}\n`);
    }
  }
  return isExceeded;
}
