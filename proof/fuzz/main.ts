import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkEnd } from "@/proof/fuzz/check-end";
import { createMaker } from "@/proof/fuzz/doors";
import { describeRequest, Findings } from "@/proof/fuzz/findings";
import { MemoryCheck } from "@/proof/fuzz/memory-check";
import { type Options, readOptions } from "@/proof/fuzz/options";
import { type FuzzedProduct, startFuzzedProduct } from "@/proof/fuzz/product";
import { describeFinding, describeRun } from "@/proof/fuzz/report";
import type { Answer, FuzzRequest } from "@/proof/fuzz/request";
import { sendRound } from "@/proof/fuzz/round";
import { openScene, type Scene } from "@/proof/fuzz/scene";
import { createSender } from "@/proof/fuzz/send";
import { Tally } from "@/proof/fuzz/tally";

const say = (line: string) => void process.stdout.write(`${line}\n`);
const AT_ONCE = 16;
/** After so many, whoever was signed out, locked out or throttled is let in again. */
const ROUND = 1_000;

/** @returns whether nothing was found */
export async function fuzz(root: string): Promise<boolean> {
  const options = readOptions();
  const folder = await mkdtemp(join(tmpdir(), "sluice-fuzz-"));
  const dataDirectory = join(folder, "data");
  const product = await startFuzzedProduct(root, dataDirectory);
  try {
    const scene = await openScene(root, dataDirectory, product.url);
    try {
      return await run(product, scene, options);
    } finally {
      await scene.close();
    }
  } finally {
    await product.stop();
    // PostgreSQL may still be writing its last files.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
}

async function run(product: FuzzedProduct, scene: Scene, options: Options): Promise<boolean> {
  const sender = createSender(product.port, AT_ONCE);
  const findings = new Findings();
  const tally = new Tally();
  const memory = new MemoryCheck(product, options.requests);
  const startedAt = performance.now();
  let told = 0;
  for (const numbers of roundsOf(options)) {
    await scene.refresh();
    const make = createMaker(scene, options.seed, options.doors);
    const onAnswer = options.only ? show : undefined;
    await sendRound({ product, sender, make, numbers, atOnce: AT_ONCE, findings, tally, onAnswer });
    await memory.after((numbers.at(-1) ?? 0) + 1);
    for (const finding of findings.list.slice(told)) say(describeFinding(finding));
    told = findings.list.length;
    say(`  ${tally.count} requests, ${told} findings`);
  }
  sender.close();
  const atEnd =
    options.only === null ? [...memory.problems(), ...(await checkEnd(scene, product.dataDirectory))] : [];
  const seconds = (performance.now() - startedAt) / 1_000;
  say(describeRun({ options, seconds, tally, findings: findings.list, atEnd, memory }));
  return findings.list.length === 0 && atEnd.length === 0;
}

function show(number: number, request: FuzzRequest, answer: Answer): void {
  say(`${number}  ${request.door} ${request.shape}\n${describeRequest(request.sent)}`);
  say(
    `${answer.outcome} ${answer.statuses.join(" ")} ${JSON.stringify(answer.headers)}\n${answer.text.slice(0, 2_000)}\n`,
  );
}

function roundsOf({ requests, only }: Options): number[][] {
  if (only) return only.map((number) => [number]);
  const rounds: number[][] = [];
  for (let first = 0; first < requests; first += ROUND) {
    const size = Math.min(ROUND, requests - first);
    rounds.push(Array.from({ length: size }, (_, index) => first + index));
  }
  return rounds;
}
