import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Queryable } from "@/lib/db/transaction";
import { checkAnswer, checkLogLine, type Unanswered } from "@/proof/fuzz/check-answer";
import { checkEnd } from "@/proof/fuzz/check-end";
import { Counter, describeRequest, type Finding, Findings } from "@/proof/fuzz/findings";
import { isOrderedSilence } from "@/proof/fuzz/ordered-silence";
import { type FuzzedProduct, MemoryCheck, startFuzzedProduct } from "@/proof/fuzz/product";
import { openScene, type Scene } from "@/proof/fuzz/scene";
import { type Answer, createSender, type FuzzRequest, type Sender } from "@/proof/fuzz/send";
import { createMaker, type MakeRequest } from "@/proof/fuzz/transports";

const say = (line: string) => void process.stdout.write(`${line}\n`);
const AT_ONCE = 16;
/** After so many requests, everyone who was signed out, locked out or throttled is let in again. */
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
  const counter = new Counter();
  const memory = new MemoryCheck(product, options.requests);
  const startedAt = performance.now();
  let reported = 0;
  for (const numbers of roundsOf(options)) {
    await scene.refresh();
    const make = createMaker(scene, options.seed, options.transports);
    const onAnswer = options.only ? show : undefined;
    await sendRound({
      ...{ product, sender, make, numbers, atOnce: AT_ONCE, findings, counter, onAnswer },
      database: scene.database.ownerPool,
      unanswered: [],
    });
    await memory.after((numbers.at(-1) ?? 0) + 1);
    for (const finding of findings.list.slice(reported)) say(describeFinding(finding));
    reported = findings.list.length;
    say(`  ${counter.count} requests, ${reported} findings`);
  }
  sender.close();
  const atEnd =
    options.only === null ? [...memory.problems(), ...(await checkEnd(scene, product.dataDirectory))] : [];
  const seconds = (performance.now() - startedAt) / 1_000;
  say(describeRun({ options, seconds, counter, findings: findings.list, atEnd, memory }));
  return findings.list.length === 0 && atEnd.length === 0;
}

function show(number: number, request: FuzzRequest, answer: Answer): void {
  say(`${number}  ${request.transport} ${request.shape}\n${describeRequest(request.sent)}`);
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

interface Round {
  product: FuzzedProduct;
  sender: Sender;
  make: MakeRequest;
  numbers: readonly number[];
  atOnce: number;
  findings: Findings;
  counter: Counter;
  database: Queryable;
  /** Lines about a sandbox bank that did not answer: findings, unless the fuzz ordered its silence. */
  unanswered: { whom: Unanswered; add: () => void }[];
  onAnswer?: (number: number, request: FuzzRequest, answer: Answer) => void;
}

/** Sends these requests concurrently, and checks every response and every line of the log. */
async function sendRound(round: Round): Promise<void> {
  const waiting = [...round.numbers].reverse();
  const inFlight = new Map<number, FuzzRequest>();
  const work = async () => {
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      await sendOne(round, number, inFlight);
    }
  };
  await Promise.all(Array.from({ length: round.atOnce }, work));
  readLog(round, inFlight, null);
  await judgeSilences(round);
}

async function sendOne(round: Round, number: number, inFlight: Map<number, FuzzRequest>): Promise<void> {
  const request = round.make(number);
  inFlight.set(number, request);
  const answer = await round.sender.send(request);
  round.onAnswer?.(number, request, answer);
  round.counter.add(number, request, answer);
  for (const what of checkAnswer(request, answer)) round.findings.add(what, number, request, answer);
  readLog(round, inFlight, { number, request });
  inFlight.delete(number);
}

/** A log line belongs to a request in progress when it was printed; its address tells the reader which. */
function readLog(
  { product, findings, unanswered }: Round,
  inFlight: ReadonlyMap<number, FuzzRequest>,
  answered: { number: number; request: FuzzRequest } | null,
): void {
  for (const line of product.takeLines()) {
    const finding = checkLogLine(line);
    if (!finding) continue;
    const number = answered?.number ?? 0;
    const about = `${finding.what}\n${finding.text}\nUnder way: ${[...inFlight.keys()].join(",")}`;
    const add = () => findings.addLine(finding.what, number, about);
    if (finding.unanswered) unanswered.push({ whom: finding.unanswered, add });
    else add();
  }
}

async function judgeSilences({ database, unanswered }: Round): Promise<void> {
  for (const { whom, add } of unanswered) if (!(await isOrderedSilence(database, whom))) add();
}

const USAGE = `npm run fuzz -- [--requests 10000] [--seed 1] [--transports api,mcp] [--only NUMBER,NUMBER]

Sends hostile requests to every transport of the product as npm start runs it, on a demo of its own, and says what it found.
The same seed sends the same requests; --only sends some of them again, by the numbers in the report.
`;

interface Options {
  requests: number;
  seed: number;
  /** Null: all. */
  transports: string[] | null;
  only: number[] | null;
}

/** More would take a day. */
const MOST_REQUESTS = 10_000_000;

/** @throws Error with the usage */
function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      requests: { type: "string", default: "10000" },
      seed: { type: "string", default: "1" },
      transports: { type: "string" },
      only: { type: "string" },
    },
  });
  return {
    requests: readNumber(values.requests, MOST_REQUESTS),
    seed: readNumber(values.seed, 2 ** 31 - 1),
    transports: values.transports?.split(",") ?? null,
    only: values.only?.split(",").map((number) => readNumber(number, MOST_REQUESTS)) ?? null,
  };
}

function readNumber(text: string, most: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0 || number > most) throw new Error(USAGE);
  return number;
}

interface Run {
  options: Options;
  seconds: number;
  counter: Counter;
  findings: readonly Finding[];
  /** Problems of the product afterwards. */
  atEnd: readonly string[];
  memory: MemoryCheck;
}

function describeRun({ options, seconds, counter, findings, atEnd, memory }: Run): string {
  return [
    "",
    // With complete counts: during the run, only the first occurrence was printed.
    ...findings.map(describeFinding),
    ...atEnd.map((problem) => `AFTERWARDS  ${problem}`),
    `${counter.count} requests of seed ${options.seed} in ${seconds.toFixed(0)} s: ${findings.length} findings, ${atEnd.length} problems afterwards`,
    ...counter.describe(),
    ...memory.describe(),
  ].join("\n");
}

function describeFinding({ what, transport, shape, count, number, example }: Finding): string {
  const often = `  ${count} times, first in request ${number}, ${shape}`;
  return `FINDING  ${transport}: ${what}\n${often}\n  ${example}\n`;
}
