import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { transform } from "esbuild";
import { z } from "zod";
import {
  EMBEDDED_APPLICATION_ROLE,
  EMBEDDED_OWNER_ROLE,
  embeddedConnection,
  withSuperuser,
} from "@/lib/db/embedded-engine";
import { prepareDatabase } from "@/lib/db/prepare-database";
import { RUNNING, startTestServer, type TestServer } from "@/lib/testing/global-setup";
import { isSql, type Mutant, plant } from "@/proof/mutation/mutant";
import { MUTANTS } from "@/proof/mutation/mutants";
import { CONFIG, runTests } from "@/proof/mutation/run-tests";

const GOAL_PERCENT = 90;
/** Of a mutant's tests, beyond five times as long as they take without it. */
const GRACE_MS = 90_000;
const UNMUTATED_LIMIT_MS = 20 * 60_000;
const MUTATED = "sluice_mutated";
const execute = promisify(execFile);
const say = (line: string) => void process.stdout.write(`${line}\n`);

const keptResults = z.record(
  z.string(),
  z.object({ id: z.string(), outcome: z.enum(["NOTICED", "SURVIVED"]), by: z.string() }),
);
type Kept = z.infer<typeof keptResults>;

interface Workshop {
  root: string;
  /** A copy of the sources, the only place where a fault is ever planted. */
  folder: string;
  server: TestServer;
}

/** @returns whether as many mutants were noticed as must be */
export async function mutate(root: string): Promise<boolean> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { again: { type: "boolean", default: false } },
  });
  const chosen = MUTANTS.filter(
    ({ id, file }) => positionals.length === 0 || positionals.some((one) => `${id} ${file}`.includes(one)),
  );
  if (chosen.length === 0) throw new Error(`No mutant has ${positionals.join(" or ")} in its id or file.`);
  const results = new Results(join(root, ".build", "mutation.json"));
  await results.read();
  const known = new Map<Mutant, Kept[string]>();
  for (const mutant of chosen) {
    const kept = values.again ? undefined : results.of(await keyOf(root, mutant));
    if (kept) known.set(mutant, kept);
  }
  const open = chosen.filter((mutant) => !known.has(mutant));
  say(`${chosen.length} mutants, of which ${known.size} have results from before.`);
  if (open.length > 0) {
    const { testServer, stop } = await startTestServer();
    const folder = await copySources(root);
    try {
      const workshop = { root, folder, server: testServer };
      const tookMs = await runUnmutated(workshop, open);
      for (const [index, mutant] of open.entries()) {
        const startedAt = performance.now();
        const limitMs = GRACE_MS + 5 * mutant.near.reduce((sum, file) => sum + (tookMs[file] ?? 0), 0);
        const result = await tryMutant(workshop, mutant, limitMs);
        known.set(mutant, result);
        await results.keep(await keyOf(folder, mutant), result);
        const seconds = Math.round((performance.now() - startedAt) / 1000);
        say(
          `${index + 1}/${open.length} ${result.outcome.padEnd(8)} ${mutant.id} (${seconds} s) ${result.by}`,
        );
      }
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      await stop();
    }
  }
  return summarize(chosen, known);
}

function summarize(chosen: readonly Mutant[], results: ReadonlyMap<Mutant, Kept[string]>): boolean {
  const isNoticed = (mutant: Mutant) => results.get(mutant)?.outcome === "NOTICED";
  const share = (mutants: readonly Mutant[]) => {
    const noticed = mutants.filter(isNoticed).length;
    return `${noticed} of ${mutants.length} noticed (${Math.floor((100 * noticed) / (mutants.length || 1))} %)`;
  };
  say("");
  for (const mutant of chosen.filter((one) => !isNoticed(one)))
    say(`SURVIVED ${mutant.id} in ${mutant.file}: ${mutant.survives ?? mutant.why}`);
  for (const { id } of chosen.filter((one) => one.survives && isNoticed(one)))
    say(`${id} is noticed now: remove its reason to survive.`);
  say(`SQL functions: ${share(chosen.filter(isSql))}`);
  say(`TypeScript: ${share(chosen.filter((mutant) => !isSql(mutant)))}`);
  say(`All: ${share(chosen)}`);
  return 100 * chosen.filter(isNoticed).length >= GOAL_PERCENT * chosen.length;
}

/** The sources as they are now, committed or not, with the installed packages. */
async function copySources(root: string): Promise<string> {
  const { stdout } = await execute("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  const folder = await mkdtemp(join(tmpdir(), "sluice-mutation-"));
  for (const path of stdout.split("\0").filter(Boolean)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(join(root, path), join(folder, path)).catch((error: NodeJS.ErrnoException) => {
      // Deleted and not committed yet.
      if (error.code !== "ENOENT") throw error;
    });
  }
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, CONFIG), KEEPS_MODULES);
  return folder;
}

/** Keeps transformed modules between runs, by content: transforming them takes longer than most tests. */
const KEEPS_MODULES = `
import { fileURLToPath } from "node:url";
import { mergeConfig } from "vitest/config";
import base from "./vitest.config";

const fsModuleCachePath = fileURLToPath(new URL("./mutation-modules", import.meta.url));
export default mergeConfig(base, { test: { experimental: { fsModuleCache: true, fsModuleCachePath } } });
`;

/**
 * A test that fails without a fault would notice every fault.
 * @returns how long each test file took
 */
async function runUnmutated({ folder, server }: Workshop, mutants: readonly Mutant[]) {
  const files = [...new Set(mutants.flatMap(({ near }) => near))].sort();
  say(`Running ${files.length} test files without a fault.`);
  const { hasEnded, failed, tookMs } = await runTests({
    folder,
    files,
    environment: environmentWith(server),
    limitMs: UNMUTATED_LIMIT_MS,
    stopsEarly: false,
  });
  if (!hasEnded) throw new Error("The tests took too long without a fault.");
  if (failed.length > 0) throw new Error(`These tests fail without a fault:\n${failed.join("\n")}`);
  const missing = files.filter((file) => tookMs[file] === undefined);
  if (missing.length > 0) throw new Error(`Vitest did not run ${missing.join(", ")}.`);
  return tookMs;
}

async function tryMutant(workshop: Workshop, mutant: Mutant, limitMs: number): Promise<Kept[string]> {
  const { folder, server } = workshop;
  const path = join(folder, mutant.file);
  const text = await readFile(path, "utf8");
  const mutated = plant(mutant, text);
  await writeFile(path, mutated);
  try {
    if (isSql(mutant)) await createMutatedTemplate(workshop, mutant);
    // Code that does not parse fails every test and says nothing about them.
    else await transform(mutated, { loader: mutant.file.endsWith("x") ? "tsx" : "ts" });
    const { hasEnded, failed } = await runTests({
      folder,
      files: mutant.near,
      environment: environmentWith(isSql(mutant) ? { ...server, templateName: MUTATED } : server),
      limitMs,
      stopsEarly: true,
    });
    const isNoticed = !hasEnded || failed.length > 0;
    const by = hasEnded ? (failed[0] ?? "") : "the tests did not end in time";
    return { id: mutant.id, outcome: isNoticed ? "NOTICED" : "SURVIVED", by };
  } finally {
    await writeFile(path, text);
    await dropDatabases(server);
  }
}

const environmentWith = (server: TestServer) => ({ ...process.env, [RUNNING]: JSON.stringify(server) });

/** A copy of the template with the function that has the fault: faster than migrating again. */
async function createMutatedTemplate({ folder, server }: Workshop, { id }: Mutant): Promise<void> {
  await withSuperuser(server, (superuser) =>
    superuser.query(
      `create database ${MUTATED} template ${server.templateName} owner ${EMBEDDED_OWNER_ROLE}`,
    ),
  );
  try {
    await prepareDatabase(
      {
        owner: embeddedConnection(server, EMBEDDED_OWNER_ROLE, MUTATED),
        applicationRole: EMBEDDED_APPLICATION_ROLE,
        applicationPassword: null,
      },
      { schemaDirectory: join(folder, "lib/db") },
    );
  } catch (error) {
    throw new Error(`PostgreSQL does not accept ${id}.`, { cause: error });
  }
}

/** The mutated template, and databases of tests that ended early. */
async function dropDatabases(server: TestServer): Promise<void> {
  await withSuperuser(server, async (superuser) => {
    const { rows } = await superuser.query<{ name: string }>(
      "select datname as name from pg_database where datname = $1 or datname like 'test\\_%'",
      [MUTATED],
    );
    for (const { name } of rows) await superuser.query(`drop database ${name} with (force)`);
  });
}

/** A result counts for this fault in this text with these tests. */
async function keyOf(folder: string, { file, from, to, nth, near }: Mutant): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify([file, from, to, nth, near]));
  for (const path of [file, ...near]) hash.update(`\0${path}\0`).update(await readFile(join(folder, path)));
  return hash.digest("hex");
}

/** Kept after each mutant, so that a run that was stopped goes on where it was. */
class Results {
  private kept: Kept = {};

  constructor(private readonly file: string) {}

  async read(): Promise<void> {
    const text = await readFile(this.file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "{}";
      throw error;
    });
    this.kept = keptResults.parse(JSON.parse(text));
  }

  of(key: string): Kept[string] | undefined {
    return this.kept[key];
  }

  async keep(key: string, result: Kept[string]): Promise<void> {
    // One result per mutant: an older text is not coming back often enough to be worth its place.
    this.kept = Object.fromEntries(Object.entries(this.kept).filter(([, { id }]) => id !== result.id));
    this.kept[key] = result;
    const written = `${this.file}.new`;
    await writeFile(written, JSON.stringify(this.kept, null, 1));
    await rename(written, this.file);
  }
}
