import { readFileSync } from "node:fs";

/** What may be given as a file instead, named by the variable with `_FILE` behind it. */
export const SECRETS: readonly string[] = [
  "DATABASE_URL",
  "SLUICE_SECRET",
  "METRICS_TOKEN",
  "SMTP_URL",
  "TWILIO_AUTH_TOKEN",
  "PLAID_SECRET",
];

/**
 * Reads secrets that are kept in files, as orchestrators of containers hand them over: an environment is shown by more
 * commands than a file is.
 * @throws Error naming the variable whose file cannot be read, or that is given in both ways
 */
export function readSecretFiles(
  environment: Record<string, string | undefined>,
): Record<string, string | undefined> {
  const read: Record<string, string> = {};
  for (const name of SECRETS) {
    const path = environment[`${name}_FILE`];
    if (path === undefined) continue;
    if (environment[name] !== undefined) throw new Error(`Set ${name} or ${name}_FILE, not both.`);
    read[name] = readSecret(name, path);
  }
  return { ...environment, ...read };
}

function readSecret(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new Error(`${name}_FILE: the file cannot be read.`, { cause: error });
  }
}
