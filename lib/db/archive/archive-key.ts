import { createReadStream } from "node:fs";
import { mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { syncPath } from "@/lib/db/archive/copy-cluster";
import { WrongKey } from "@/lib/platform/age/age-header";
import {
  type AgeIdentity,
  type AgeRecipient,
  createIdentity,
  parseIdentities,
  publicKeyOf,
  writeIdentity,
  writeRecipient,
} from "@/lib/platform/age/age-keys";
import { createAgeEncryption, decryptAge } from "@/lib/platform/age/age-stream";
import { hasCode } from "@/lib/platform/error-code";

/**
 * Whom the files of an archive are encrypted to. With a passphrase they are many, and stretching it takes a fifth of a
 * second, so it encrypts a key pair of the archive, in `keys/<public key>.age`, and that one encrypts the files.
 */

/** A key for each passphrase that there was. */
const MAXIMUM_KEYS = 50;
const ENDING = ".age";

/** The public keys to encrypt to; none if the archive is not to be encrypted. */
export async function prepareArchiveKey(
  directory: string,
  recipients: readonly AgeRecipient[],
): Promise<{ publicKey: Buffer }[]> {
  const [passphrase] = recipients.filter((one) => "passphrase" in one);
  if (!passphrase) return recipients.filter((one) => "publicKey" in one);
  const [known] = (await openKeys(directory, [passphrase])).opened;
  if (known) return [{ publicKey: publicKeyOf(known.privateKey) }];
  const pair = createIdentity();
  const folder = join(directory, "keys");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const encryption = await createAgeEncryption([passphrase]);
  Readable.from([Buffer.from(`${writeIdentity(pair)}\n`)]).pipe(encryption);
  const path = join(folder, `${writeRecipient(pair)}${ENDING}`);
  await writeFile(`${path}.partial`, await buffer(encryption), { mode: 0o600, flush: true });
  await rename(`${path}.partial`, path);
  await syncPath(folder);
  return [{ publicKey: pair.publicKey }];
}

/**
 * What opens the files of an archive: what was given, and the archive's own keys that it opens.
 * @throws WrongKey if there are such keys, none of them opens, and no private key was given
 */
export async function openArchiveKeys(
  directory: string,
  identities: readonly AgeIdentity[],
): Promise<AgeIdentity[]> {
  const { opened, refusal } = await openKeys(directory, identities);
  if (opened.length === 0 && refusal && !identities.some((one) => "privateKey" in one)) throw refusal;
  return [...identities, ...opened];
}

async function openKeys(
  directory: string,
  identities: readonly AgeIdentity[],
): Promise<{ opened: { privateKey: Buffer }[]; refusal: WrongKey | null }> {
  const folder = join(directory, "keys");
  const names = (await listOrNone(folder)).filter((name) => name.endsWith(ENDING)).slice(0, MAXIMUM_KEYS);
  const opened: { privateKey: Buffer }[] = [];
  let refusal: WrongKey | null = null;
  for (const name of names) {
    try {
      const text = await buffer(Readable.from(decryptAge(createReadStream(join(folder, name)), identities)));
      opened.push(...(parseIdentities(text.toString()) ?? []));
    } catch (error) {
      if (!(error instanceof WrongKey)) throw error;
      refusal = error;
    }
  }
  return { opened, refusal };
}

async function listOrNone(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}
