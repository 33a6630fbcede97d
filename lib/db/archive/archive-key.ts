import { createReadStream } from "node:fs";
import { mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { syncPath } from "@/lib/db/archive/copy-cluster";
import {
  type AgeIdentity,
  type AgeRecipient,
  createAgeEncryption,
  createIdentity,
  decryptAge,
  parseIdentities,
  publicKeyOf,
  WrongKey,
} from "@/lib/platform/age";
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
): Promise<{ publicKey: string }[]> {
  const [passphrase] = recipients.filter((one) => "passphrase" in one);
  if (!passphrase) return recipients.filter((one) => "publicKey" in one);
  const [known] = (await openKeys(directory, [passphrase])).opened;
  if (known) return [{ publicKey: await publicKeyOf(known.privateKey) }];
  const pair = await createIdentity();
  const folder = join(directory, "keys");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const encryption = createAgeEncryption([passphrase]);
  Readable.from([Buffer.from(`${pair.privateKey}\n`)]).pipe(encryption);
  const path = join(folder, `${pair.publicKey}${ENDING}`);
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
): Promise<{ opened: { privateKey: string }[]; refusal: WrongKey | null }> {
  const folder = join(directory, "keys");
  const names = (await listOrNone(folder)).filter((name) => name.endsWith(ENDING)).slice(0, MAXIMUM_KEYS);
  const opened: { privateKey: string }[] = [];
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
