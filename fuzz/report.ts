import type { Finding } from "@/fuzz/findings";
import type { MemoryCheck } from "@/fuzz/memory-check";
import type { Options } from "@/fuzz/options";
import type { Tally } from "@/fuzz/tally";

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
    ...findings.flatMap((finding) => describeFinding(finding)),
    ...atEnd.map((problem) => `AFTERWARDS  ${problem}`),
    `${tally.count} requests of seed ${options.seed} in ${seconds.toFixed(0)} s: ${findings.length} findings, ${atEnd.length} problems afterwards`,
    ...tally.describe(),
    ...memory.describe(),
  ].join("\n");
}

function describeFinding({ what, door, shape, count, number, example }: Finding): string[] {
  return [
    `FINDING  ${door}: ${what}`,
    `  ${count} times, first in request ${number}, ${shape}`,
    `  ${example}`,
    "",
  ];
}
