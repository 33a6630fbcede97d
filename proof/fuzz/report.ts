import type { Finding } from "@/proof/fuzz/findings";
import type { MemoryCheck } from "@/proof/fuzz/memory-check";
import type { Options } from "@/proof/fuzz/options";
import type { Tally } from "@/proof/fuzz/tally";

interface Run {
  options: Options;
  seconds: number;
  tally: Tally;
  findings: readonly Finding[];
  /** What is wrong with the product afterwards. */
  atEnd: readonly string[];
  memory: MemoryCheck;
}

export function describeRun({ options, seconds, tally, findings, atEnd, memory }: Run): string {
  return [
    "",
    // With all that came of each: while it ran, its first was told.
    ...findings.map(describeFinding),
    ...atEnd.map((problem) => `AFTERWARDS  ${problem}`),
    `${tally.count} requests of seed ${options.seed} in ${seconds.toFixed(0)} s: ${findings.length} findings, ${atEnd.length} problems afterwards`,
    ...tally.describe(),
    ...memory.describe(),
  ].join("\n");
}

export function describeFinding({ what, door, shape, count, number, example }: Finding): string {
  const often = `  ${count} times, first in request ${number}, ${shape}`;
  return `FINDING  ${door}: ${what}\n${often}\n  ${example}\n`;
}
