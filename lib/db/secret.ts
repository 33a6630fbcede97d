import { randomBytes, randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "@/lib/platform/config";
import { hasCode } from "@/lib/platform/error-code";

const SECRET_BYTES = 32;
/** `config.ts` requires the same of SLUICE_SECRET. */
const MIN_SECRET_LENGTH = 32;

/**
 * The secret that all other keys are derived from: SLUICE_SECRET, else the file `secret` in the data folder, which the
 * first start creates.
 * @returns at least 32 characters
 * @throws Error if other users can read the file, or it is damaged
 */
export async function loadSecret(config: Pick<Config, "secret" | "dataDirectory">): Promise<string> {
  if (config.secret !== null) return config.secret;
  const path = join(config.dataDirectory, "secret");
  return (await readSecret(path)) ?? (await createSecret(config.dataDirectory, path));
}

/**
 * Makes the secret of the Sluice that made a backup the secret of a new data folder.
 * @throws Error if the folder already has another one, or the file holds none
 */
export async function adoptSecret(dataDirectory: string, from: string): Promise<void> {
  const given = (await readFile(from, "utf8")).trim();
  if (given.length < MIN_SECRET_LENGTH) throw new Error(`${from} holds no secret.`);
  const path = join(dataDirectory, "secret");
  const own = (await readSecret(path)) ?? (await createSecret(dataDirectory, path, given));
  if (own !== given)
    throw new Error(`${path} is another secret than ${from}: restore into a new data folder.`);
}

async function readSecret(path: string): Promise<string | null> {
  try {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0) {
      throw new Error(`${path} can be read by other users. Run: chmod 600 '${path}'`);
    }
    const secret = (await readFile(path, "utf8")).trim();
    if (secret.length >= MIN_SECRET_LENGTH) return secret;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
  throw new Error(`${path} is damaged: restore it from a backup, or what it protects cannot be read again.`);
}

/**
 * Written under a temporary name and then linked: a crash leaves no partial secret, and of two processes at once the
 * second uses that of the first.
 */
async function createSecret(dataDirectory: string, path: string, given?: string): Promise<string> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const making = `${path}.${randomUUID()}`;
  const file = await open(making, "wx", 0o600);
  try {
    await file.writeFile(`${given ?? randomBytes(SECRET_BYTES).toString("base64url")}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(making, path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await unlink(making);
  }
  const secret = await readSecret(path);
  if (secret === null) throw new Error(`${path} was removed while Sluice started.`);
  return secret;
}
