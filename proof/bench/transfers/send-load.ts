import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { seededNumbers } from "@/lib/core/demo/seeded-numbers";
import { projectPath } from "@/lib/platform/project-path";
import type { Caller } from "@/proof/bench/arrange";
import { type LoadOptions, planWishes, repeat } from "@/proof/bench/measurement";
import { percentile } from "@/proof/bench/performance/figures";
import { apiRequest, openClient } from "@/proof/bench/performance/session";

const run = promisify(execFile);

/** What a client saw. */
export interface Sent {
  requests: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
}

/** Sends `POST /transfers` of these callers to all processes at once, and counts only those accepted. */
export interface LoadClient {
  name: string;
  send(urls: readonly string[], options: LoadOptions): Promise<Sent>;
}

/** Divisible by all numbers of keys and pods, so that all are used equally. */
const REQUESTS_IN_FILE = 20_000;
/** New processes on a busy machine answer late. */
const TIMEOUT_SECONDS = 20;
const MARGIN_MS = 30_000;

const summarySchema = z.object({
  requests: z.number(),
  refused: z.number(),
  failed: z.number(),
  microseconds: z.number(),
  p50: z.number(),
  p99: z.number(),
});

/** @returns wrk where it is installed, which takes a tenth of the time of a client in Node, else the latter */
export async function openLoadClient(
  callers: readonly Caller[],
  folder: string,
  name: string,
): Promise<LoadClient> {
  const mixed = shuffle(callers);
  const version = await findWrk();
  return version === null ? openNodeClient(mixed) : await openWrk(version, mixed, folder, name);
}

/** In the same order each time. Keys of one organization would otherwise be beside each other, and so would its locks. */
function shuffle(callers: readonly Caller[]): Caller[] {
  const random = seededNumbers(1);
  const places = callers.map((caller) => ({ caller, place: random(0, 1_000_000) }));
  return places.sort((left, right) => left.place - right.place).map(({ caller }) => caller);
}

/** @returns its name and version; null: it is not on this machine */
async function findWrk(): Promise<string | null> {
  // Its exit code is 1 even so; where it is missing, nothing was printed.
  const { stdout } = await run("wrk", ["--version"]).catch((error: unknown) => printedSchema.parse(error));
  return /^wrk [^ ]+/.exec(stdout)?.[0] ?? null;
}

const printedSchema = z.object({ stdout: z.string().default("") });

async function openWrk(
  version: string,
  callers: readonly Caller[],
  folder: string,
  name: string,
): Promise<LoadClient> {
  const file = join(folder, `${name}.requests`);
  const nextWish = planWishes(callers);
  const lines = Array.from({ length: REQUESTS_IN_FILE }, () => {
    const { caller, ...wish } = nextWish();
    return `${caller.keyText}\t${JSON.stringify({ ...wish, description: "bench" })}\n`;
  });
  await writeFile(file, lines.join(""));
  let loads = 0;
  let begin = 0;

  async function sendTo(
    url: string,
    place: number,
    options: LoadOptions,
  ): Promise<z.output<typeof summarySchema>> {
    const own = [file, `${name}-${loads}-${place}`, String(begin + place * 5_000)];
    const { stdout } = await run(
      "wrk",
      [
        "--threads=1",
        `--connections=${options.concurrency}`,
        `--duration=${Math.ceil(options.seconds)}s`,
        `--timeout=${TIMEOUT_SECONDS}s`,
        `--script=${projectPath("proof/bench/transfers/load.lua")}`,
        `${url}/platform/v1/transfers`,
        "--",
        ...own,
      ],
      { timeout: options.seconds * 1_000 + MARGIN_MS },
    );
    const summary = summarySchema.parse(JSON.parse(stdout.trim().split("\n").at(-1) ?? ""));
    if (summary.refused + summary.failed > 0)
      throw new Error(
        `${summary.refused} of ${summary.requests} were refused, ${summary.failed} failed: ${url}`,
      );
    return summary;
  }

  async function send(urls: readonly string[], { concurrency, seconds }: LoadOptions): Promise<Sent> {
    loads += 1;
    const each = { concurrency: Math.ceil(concurrency / urls.length), seconds };
    const all = await Promise.all(urls.map((url, place) => sendTo(url, place, each)));
    const requests = all.reduce((sum, one) => sum + one.requests, 0);
    begin = (begin + requests) % REQUESTS_IN_FILE;
    return {
      requests,
      seconds: Math.max(...all.map(({ microseconds }) => microseconds)) / 1e6,
      p50Ms: Math.max(...all.map(({ p50 }) => p50)) / 1_000,
      p99Ms: Math.max(...all.map(({ p99 }) => p99)) / 1_000,
    };
  }
  return { name: version, send };
}

/** Takes about as much processor time as the product itself. */
function openNodeClient(callers: readonly Caller[]): LoadClient {
  const nextWish = planWishes(callers);
  return {
    name: "a client in Node, since wrk is not installed",
    send: async (urls, options) => {
      const client = openClient(urls, options.concurrency);
      const make = () => {
        const { caller, ...wish } = nextWish();
        return client.send(
          apiRequest(caller.keyText, "POST", "/transfers", { ...wish, description: "bench" }),
        );
      };
      try {
        const startedAt = performance.now();
        const latenciesMs = (await repeat(make, options)).sort((left, right) => left - right);
        return {
          requests: latenciesMs.length,
          seconds: (performance.now() - startedAt) / 1_000,
          p50Ms: percentile(latenciesMs, 0.5),
          p99Ms: percentile(latenciesMs, 0.99),
        };
      } finally {
        await client.close();
      }
    },
  };
}
