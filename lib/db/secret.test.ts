import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSecret } from "./secret";

let dataDirectory: string;

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "sluice-secret-"));
});
afterEach(() => rm(dataDirectory, { recursive: true }));

test("the configured secret is used unchanged, and nothing is written", async () => {
  const secret = "configured-secret-of-32-characters";
  expect(await loadSecret({ secret, dataDirectory })).toBe(secret);
  expect(await readdir(dataDirectory)).toEqual([]);
});

test("the first start creates a secret of 32 random bytes, readable only by its own account, and later starts use it", async () => {
  const secret = await loadSecret({ secret: null, dataDirectory });
  expect(Buffer.from(secret, "base64url")).toHaveLength(32);
  expect((await stat(join(dataDirectory, "secret"))).mode & 0o777).toBe(0o600);
  expect(await loadSecret({ secret: null, dataDirectory })).toBe(secret);
});

test("concurrent first starts agree on one secret and leave no other file", async () => {
  const secrets = await Promise.all(
    Array.from({ length: 20 }, () => loadSecret({ secret: null, dataDirectory })),
  );
  expect(new Set(secrets).size).toBe(1);
  expect(await readdir(dataDirectory)).toEqual(["secret"]);
});

test.each([0o640, 0o604, 0o660])(
  "a file that others can read or write (mode %o) is refused",
  async (mode) => {
    await loadSecret({ secret: null, dataDirectory });
    await chmod(join(dataDirectory, "secret"), mode);
    await expect(loadSecret({ secret: null, dataDirectory })).rejects.toThrow("chmod 600");
  },
);

test("a damaged file is refused, and not replaced", async () => {
  const path = join(dataDirectory, "secret");
  await writeFile(path, "short\n", { mode: 0o600 });
  await expect(loadSecret({ secret: null, dataDirectory })).rejects.toThrow("damaged");
  expect(await readFile(path, "utf8")).toBe("short\n");
});
