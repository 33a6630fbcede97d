import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testRestore } from "@/lib/core/exports/test-restore";
import { writeBackup } from "@/lib/db/backup/write-backup";
import { createIdentity } from "@/lib/platform/age";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

/**
 * Goal: the weekly test tells a good backup, a useless one and one that it could not test apart, touches no other database
 * and leaves nothing behind.
 */
const SECRET = "a-test-secret-of-at-least-32-characters";
const pair = await createIdentity();
const database = useTestDatabase();
let folder: string;
let dataDirectory: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-restore-test-"));
  dataDirectory = await mkdtemp(join(tmpdir(), "sluice-restore-home-"));
});
afterAll(async () => {
  for (const path of [folder, dataDirectory]) await rm(path, { recursive: true, force: true, maxRetries: 5 });
});

const test = (path: string, more: Partial<Parameters<typeof testRestore>[0]> = {}) =>
  testRestore({
    config: {
      dataDirectory,
      postgresBin: null,
      auditArchives: { directory: join(folder, "none"), readsDays: null },
    },
    path,
    secret: SECRET,
    identities: [pair],
    say: () => undefined,
    reserveBytes: 1_000_000,
    ...more,
  });

it("tells good, useless and untested backups apart", { timeout: 180_000 }, async () => {
  const organization = await createTestOrganization(database, createTestServices(database).services);
  const account = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 500 });
  const good = join(folder, "good.backup.age");
  await writeBackup({ owner: database.ownerConnection, secret: SECRET, path: good, recipients: [pair] });
  expect(await test(good)).toEqual({ outcome: "SUCCEEDED", problem: null, seconds: expect.any(Number) });

  const altered = join(folder, "altered.backup.age");
  const bytes = await readFile(good);
  bytes[bytes.length - 60] = (bytes[bytes.length - 60] ?? 0) ^ 1;
  await writeFile(altered, bytes);
  expect(await test(altered)).toMatchObject({
    outcome: "FAILED",
    problem: expect.stringContaining("altered or cut off"),
  });

  await database.ownerPool.query(
    "update ledgers set credits_in_cents = credits_in_cents + 1 where organization_id = $1 and id = $2",
    [organization.organizationId, account],
  );
  const unbalanced = join(folder, "unbalanced.backup");
  await writeBackup({ owner: database.ownerConnection, secret: SECRET, path: unbalanced });
  expect(await test(unbalanced)).toMatchObject({
    outcome: "FAILED",
    problem: expect.stringContaining("does not equal the sum"),
  });

  expect(await test(good, { identities: [] })).toMatchObject({
    outcome: "IMPOSSIBLE",
    problem: expect.stringContaining("was not given"),
  });
  expect(await test(good, { secret: `${SECRET}-new` })).toMatchObject({
    outcome: "IMPOSSIBLE",
    problem: expect.stringContaining("belongs to another secret"),
  });
  expect(await test(good, { reserveBytes: 1e15 })).toMatchObject({
    outcome: "IMPOSSIBLE",
    problem: expect.stringMatching(/^It needs about \d+ MB/),
  });
  expect(await readdir(dataDirectory)).toEqual([]);
  expect((await readdir(folder)).filter((name) => name.includes("reading"))).toEqual([]);
});

it("removes what a killed test left", { timeout: 60_000 }, async () => {
  // A process id beyond the system's largest is nobody's.
  const left = join(dataDirectory, "restore-test-99999999");
  await mkdir(left);
  const plain = join(folder, "plain.backup");
  await writeBackup({ owner: database.ownerConnection, secret: SECRET, path: plain });
  await copyFile(plain, join(left, "rest"));
  await test(plain);
  expect(await readdir(dataDirectory)).toEqual([]);
});
