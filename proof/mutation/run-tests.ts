import { spawn } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      startTime: z.number(),
      endTime: z.number(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

export interface TestRun {
  /** False: it was stopped at its time limit. */
  hasEnded: boolean;
  /** `file › test`, and a file that did not load by its name. */
  failed: string[];
  /** By file, from the project's root, in milliseconds. */
  tookMs: Record<string, number>;
}

interface Asked {
  folder: string;
  files: readonly string[];
  environment: NodeJS.ProcessEnv;
  limitMs: number;
  /** Stops at the first failure. */
  stopsEarly: boolean;
}

/** In the folder of the sources, beside vitest.config.ts. */
export const CONFIG = "vitest.mutation.config.ts";
/** The end of what a run prints, for the message of one without a report. */
const KEPT_CHARACTERS = 4_000;

/**
 * Runs test files with Vitest in a folder of the sources.
 * @throws Error with what it printed if it ends without a report: then it says nothing about the sources
 */
export async function runTests({ folder, files, environment, limitMs, stopsEarly }: Asked): Promise<TestRun> {
  const reportFile = join(folder, "mutation-report.json");
  await rm(reportFile, { force: true });
  const command = [
    join(folder, "node_modules", "vitest", "vitest.mjs"),
    "run",
    `--config=${CONFIG}`,
    ...files,
    // Of few files most of the time goes into loading modules, which one worker does once.
    ...(stopsEarly ? ["--bail=1", "--maxWorkers=1"] : []),
    "--reporter=json",
    `--outputFile.json=${reportFile}`,
  ];
  // A group of its own, so that its workers end with it.
  const child = spawn(process.execPath, command, {
    cwd: folder,
    env: environment,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed = (printed + text).slice(-KEPT_CHARACTERS);
    });
  let hasEnded = true;
  const end = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
  };
  const timer = setTimeout(() => {
    hasEnded = false;
    end();
  }, limitMs);
  process.once("exit", end);
  await new Promise<void>((resolve, reject) => child.on("error", reject).on("close", () => resolve()));
  clearTimeout(timer);
  process.off("exit", end);
  if (!hasEnded) return { hasEnded, failed: [], tookMs: {} };
  const text = await readFile(reportFile, "utf8").catch(() => null);
  if (text === null) throw new Error(`Vitest ended without a report:\n${printed}`);
  const { testResults } = report.parse(JSON.parse(text));
  const nameOf = (path: string) => path.slice(path.indexOf(folder) + folder.length + 1);
  return {
    hasEnded,
    failed: testResults.flatMap(({ name, status, assertionResults }) => {
      const tests = assertionResults.filter((test) => test.status === "failed");
      if (tests.length > 0) return tests.map(({ fullName }) => `${nameOf(name)} › ${fullName}`);
      return status === "failed" ? [nameOf(name)] : [];
    }),
    tookMs: Object.fromEntries(
      testResults.map(({ name, startTime, endTime }) => [nameOf(name), Math.round(endTime - startTime)]),
    ),
  };
}
