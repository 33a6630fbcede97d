import { Readable, Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AgeIdentity,
  type AgeRecipient,
  createAgeEncryption,
  createIdentity,
  DamagedAgeFile,
  decryptAge,
  isAgeFile,
  parseIdentities,
  parseRecipient,
  publicKeyOf,
  WrongKey,
} from "@/lib/platform/age";

/** Protects: what is encrypted opens with the right key only, here and with the `age` of others, and only whole. */

const PIECE = 64 * 1024;

async function encrypt(plain: Buffer, recipients: readonly AgeRecipient[]): Promise<Buffer> {
  const encryption = createAgeEncryption(recipients);
  const [sealed] = await Promise.all([
    buffer(encryption),
    pipeline(Readable.from(plain.length ? [plain] : []), encryption),
  ]);
  return sealed;
}

async function decrypt(
  sealed: Buffer,
  identities: readonly AgeIdentity[],
  chunkBytes = 10_000,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of decryptAge(cut(sealed, chunkBytes), identities)) parts.push(part);
  return Buffer.concat(parts);
}

async function* cut(bytes: Buffer, chunkBytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

const pair = await createIdentity();
const sealedText = "a text for tests";

describe("files of other programs", () => {
  // age-keygen 1.1.1, and `age -r` of Debian 12 and age-encryption 0.3.1 (a passphrase), over the text "written by age\n".
  const identity = parseIdentities(`# created: 2026-11-29T20:54:00Z
# public key: age1y3fqctk23ds4q2e2dfdr9lmpc3xtzgef0jfytpjpzsman34jfyhswvemtu
AGE-SECRET-KEY-1W55Y3GZMSW3VHJ4S4H74SXA227ZMEZSDQG2ZHFE0KRXQ2RWXYEES3D0G60
`);
  it("opens what age encrypted to a public key", async () => {
    const sealed = Buffer.from(
      "YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSB4RU5kWUxYcVhwc2ZrM3k2Mk1UbHRzOWNtQmdrTjNmdVI5NE9EMmxmeWlVClNJc1pPZGtTN291d1RubWR4UUdHK3ZPbU55WmJPaHVqRVpvaHdEVTQ5TlEKLS0tIFcrczFSUXRKTG85dEFndFM4VGh2cyt0V25zK1EzWTZ4YUxPRTcrbmxDRHcKEWbrWrpi7W6zoM9vHl+30ldw/FD3VgapCvrMxCtPVsbu63SdQxF/9HbiSpI7Hdw=",
      "base64",
    );
    expect((await decrypt(sealed, identity ?? [])).toString()).toBe("written by age\n");
  });

  it("opens what age encrypted with a passphrase", async () => {
    const sealed = Buffer.from(
      "YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBCaG16dnpPczRaK2Fzd2VjcVJlUjJBIDE1CmhYOC9vY2dwanQwbS8vYlRxanVRMDY5UWRxL0JkdUNPZklqZFdQczk3RjQKLS0tIGNRamNLa0NjbmYxY1dTdkJCeHlxQkdVWnBHTWpwaDNBTzJxWi9FandjQ1kKBglSLksPLXm6MzXMuWwPOJk1jz7DOKK09XMMsUHlVeTkSx3g1vWuvj5zHfvGDHE=",
      "base64",
    );
    expect((await decrypt(sealed, [{ passphrase: "correct horse battery staple" }])).toString()).toBe(
      "written by age\n",
    );
  });

  it("reads keys as age-keygen writes them", async () => {
    const [key] = identity ?? [];
    expect(key?.privateKey).toBe(
      "AGE-SECRET-KEY-1W55Y3GZMSW3VHJ4S4H74SXA227ZMEZSDQG2ZHFE0KRXQ2RWXYEES3D0G60",
    );
    expect(await publicKeyOf(key?.privateKey ?? "")).toBe(
      "age1y3fqctk23ds4q2e2dfdr9lmpc3xtzgef0jfytpjpzsman34jfyhswvemtu",
    );
  });
});

it("returns what was encrypted, whatever its length and however it is cut", {
  timeout: 60_000,
}, async () => {
  const lengths = fc.oneof(
    fc.integer({ min: 0, max: 300 }),
    fc.constantFrom(PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 2 * PIECE + 1),
  );
  await fc.assert(
    fc.asyncProperty(lengths, fc.integer({ min: 1_000, max: 200_000 }), async (length, chunkBytes) => {
      const plain = Buffer.alloc(length, "abc");
      const sealed = await encrypt(plain, [await createIdentity(), pair]);
      expect(isAgeFile(sealed)).toBe(true);
      expect((await decrypt(sealed, [pair], chunkBytes)).equals(plain)).toBe(true);
    }),
    { numRuns: 40 },
  );
});

it("notices every altered byte, and every cut", { timeout: 60_000 }, async () => {
  const sealed = await encrypt(Buffer.from(sealedText), [pair]);
  for (let at = 0; at < sealed.length; at++) {
    const altered = Buffer.from(sealed);
    altered[at] = (altered[at] ?? 0) ^ 1;
    await expect(decrypt(altered, [pair]), `byte ${at}`).rejects.toThrow();
    await expect(decrypt(sealed.subarray(0, at), [pair]), `cut at ${at}`).rejects.toThrow();
  }
  await expect(decrypt(Buffer.concat([sealed, Buffer.from("x")]), [pair])).rejects.toThrow(DamagedAgeFile);
});

it("notices a file that is cut between two pieces", async () => {
  const sealed = await encrypt(Buffer.alloc(3 * PIECE, "x"), [pair]);
  const lastPiece = PIECE + 16;
  await expect(decrypt(sealed.subarray(0, -lastPiece), [pair])).rejects.toThrow(DamagedAgeFile);
});

it("says which key is wrong or missing", async () => {
  const toKey = await encrypt(Buffer.from(sealedText), [pair]);
  const toPassphrase = await encrypt(Buffer.from(sealedText), [{ passphrase: "the right passphrase" }]);
  await expect(decrypt(toKey, [await createIdentity()])).rejects.toThrow(WrongKey);
  await expect(decrypt(toKey, [await createIdentity()])).rejects.toThrow("encrypted to another public key");
  await expect(decrypt(toKey, [{ passphrase: "x" }])).rejects.toThrow(
    "a private key (identity) was not given",
  );
  await expect(decrypt(toPassphrase, [{ passphrase: "wrong" }])).rejects.toThrow("The passphrase is wrong");
  await expect(decrypt(toPassphrase, [])).rejects.toThrow("a passphrase was not given");
  expect((await decrypt(toPassphrase, [pair, { passphrase: "the right passphrase" }])).toString()).toBe(
    sealedText,
  );
});

it("does not let a file take its reader's memory", async () => {
  const sealed = await encrypt(Buffer.from(sealedText), [{ passphrase: "p" }]);
  const costly = Buffer.from(sealed.toString("latin1").replace(/^(-> scrypt \S+) 16$/m, "$1 30"), "latin1");
  await expect(decrypt(costly, [{ passphrase: "p" }])).rejects.toThrow("scrypt work factor is too high");
  await expect(
    decrypt(Buffer.concat([sealed.subarray(0, 22), Buffer.alloc(100_000, "x")]), [pair]),
  ).rejects.toThrow("does not end");
});

it.each(["", "age1", "age1qqqq", `${pair.publicKey}q`, pair.publicKey.replace(/.$/, "b"), "AGE1x"])(
  "refuses %j as a public key",
  (text) => expect(parseRecipient(text)).toBeNull(),
);

it.each(["", "# nothing", "AGE-SECRET-KEY-1QQ", `${pair.privateKey}\nage1x`])(
  "refuses %j as an identity",
  (text) => expect(parseIdentities(text)).toBeNull(),
);

it("encrypts a stream in bounded memory", { timeout: 60_000 }, async () => {
  const encryption = createAgeEncryption([pair]);
  const piece = Buffer.alloc(1024 * 1024, "x");
  let byteCount = 0;
  let highestBytes = 0;
  const source = Readable.from(
    (function* () {
      for (let count = 0; count < 200; count++) {
        highestBytes = Math.max(highestBytes, encryption.readableLength + encryption.writableLength);
        yield piece;
      }
    })(),
  );
  const target = new Writable({
    write(chunk: Buffer, _encoding, done) {
      byteCount += chunk.length;
      done();
    },
  });
  await pipeline(source, encryption, target);
  expect(byteCount).toBeGreaterThan(200 * piece.length);
  expect(highestBytes).toBeLessThan(4 * piece.length);
});
