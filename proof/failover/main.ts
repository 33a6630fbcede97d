import { parseArgs } from "node:util";
import { playFailover, WAYS } from "@/proof/failover/failover";

const USAGE = `Replaces a failing primary under load, in each of three ways: killed, frozen, cut off.

  npm run failover
  npm run failover -- --rounds 3   # default 2

Two PostgreSQL servers with synchronous replication, two processes of Sluice that serve, and a worker, all on this
machine. Fails if an acknowledged transfer is lost or repeated, a request takes 20 seconds, or the first answer after
the promotion takes 5.
`;

const LONGEST_GAP_MS = 5_000;
/** As long as a manager such as Patroni needs to notice; and short, so that requests are caught in the middle. */
const WITHOUT_PRIMARY_MS = [10_000, 1_000];
const ANSWERS = 300;
const MAXIMUM_ROUNDS = 100;

/** @returns the exit code */
export async function failover(program: string): Promise<number> {
  const { values } = parseArgs({
    options: { rounds: { type: "string", default: "2" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > MAXIMUM_ROUNDS)
    throw new Error(`--rounds must be 1 to ${MAXIMUM_ROUNDS}`);
  process.stdout.write(
    "primary   without it  acknowledged  unclear  first answer after promotion  slowest request\n",
  );
  let isTooSlow = false;
  for (let round = 0; round < rounds; round++) {
    const withoutPrimaryMs = WITHOUT_PRIMARY_MS[round % WITHOUT_PRIMARY_MS.length] ?? 0;
    for (const way of WAYS) {
      const found = await playFailover({ way, program, withoutPrimaryMs, answers: ANSWERS });
      isTooSlow ||= found.gapMs >= LONGEST_GAP_MS;
      const cells = [
        way.padEnd(9),
        `${withoutPrimaryMs} ms`.padStart(10),
        String(found.acknowledged).padStart(13),
        String(found.unclear).padStart(8),
        `${found.gapMs} ms`.padStart(29),
        `${found.slowestMs} ms`.padStart(16),
      ];
      process.stdout.write(`${cells.join(" ")}\n`);
    }
  }
  if (isTooSlow) process.stdout.write(`An answer took longer than ${LONGEST_GAP_MS} ms after a promotion.\n`);
  return isTooSlow ? 1 : 0;
}
