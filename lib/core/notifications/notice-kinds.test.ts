/** The contract's table is the only list of kinds: the database holds no second one. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { NOTICES } from "@/lib/contract/notifications";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import { writeNotice } from "@/lib/core/shared/write-notice";
import { projectPath } from "@/lib/platform/project-path";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";
import { arrangeNotices } from "@/lib/testing/notices";
import { createTestServices } from "@/lib/testing/services";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it("every kind that SQL writes is one of them", () => {
  const folder = projectPath("lib/db/functions");
  const kinds = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".sql"))
    .flatMap((path) => {
      const text = readFileSync(join(folder, path), "utf8");
      // The kind is the first literal; `note_bank_answer` gets it as an argument of its triggers.
      const written = [...text.matchAll(/insert into notices \([^';]*'([A-Z_]+)'/g)];
      const given = [...text.matchAll(/execute function note_bank_answer\('([A-Z_]+)'\)/g)];
      return [...written, ...given].map(([, kind = ""]) => kind);
    });
  expect(kinds.length).toBeGreaterThanOrEqual(11);
  expect(kinds.filter((kind) => !(kind in NOTICES))).toEqual([]);
});

it("a notice of a newer version waits for it, and keeps no other from being sent", async () => {
  const { services, clock } = createTestServices(database);
  const { organization, mails, deliver } = await arrangeNotices(database, services);
  const { organizationId } = organization;
  const key = await organization.addKey([], "bot");
  for (const digestKey of [null, organizationId]) {
    const notice = { organizationId, subjectId: key.id, userId: null, digestKey, now: clock.now() };
    await writeNotice(services.pool, { ...notice, kind: "KEY_CREATED" });
    await writeNotice(services.pool, { ...notice, kind: "OF_A_NEWER_VERSION" as "KEY_CREATED" });
  }
  await deliver();
  expect(mails).toHaveLength(4);
  const { rows } = await database.pool.query<{ kind: string }>(
    "select kind from notices where handled_at is null",
  );
  expect(rows.map(({ kind }) => kind)).toEqual(["OF_A_NEWER_VERSION", "OF_A_NEWER_VERSION"]);
  expect(await sendNotices(services, { isSandboxBank: true }, 50)).toBe(0);
});
