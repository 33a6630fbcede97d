/** Runs the program that third parties get the way they run it: alone, in its own process. */
import { spawnSync } from "node:child_process";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportAuditLog } from "@/lib/core/audit/export-audit-log";
import { sealAuditEntries } from "@/lib/core/audit/seal-audit-entries";
import { projectPath } from "@/lib/platform/project-path";
import { testEntry, writeEntries } from "@/lib/testing/audit";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const ENTRIES = 8;

const database = useTestDatabase();
let folder: string;
let organizationId: string;
let lines: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-export-"));
  await copyFile(
    join(dirname(projectPath("package.json")), "clients/verify-audit-export.mjs"),
    join(folder, "verify-audit-export.mjs"),
  );
  ({ organizationId, lines } = await exportLog());
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Entries with texts that are hard to serialize. */
async function exportLog() {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const reasons = [null, "", "Prüfung 税金 🏦", '"\\', "\u2028\u2029", "5:hello,", "\ufffd", "last"];
  await writeEntries(
    database.pool,
    // Some with a detail, which hash in another way.
    reasons.map((reason, index) =>
      testEntry(services, organization.organizationId, {
        reason,
        errorDetail: index % 2 === 1 ? `amountInCents ${index}: \u202f"\\` : null,
      }),
    ),
  );
  await sealAuditEntries(services, 100);
  return {
    organizationId: organization.organizationId,
    lines: await readExport(organization.organizationId),
  };
}

async function readExport(id: string): Promise<string[]> {
  let text = "";
  for await (const line of await exportAuditLog(database.pool, id)) text += line;
  return text.split("\n").slice(0, -1);
}

async function verify(exported: readonly string[], ...options: string[]) {
  const file = join(folder, "export.jsonl");
  await writeFile(file, `${exported.join("\n")}\n`);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(folder, "verify-audit-export.mjs"), file, ...options],
    { encoding: "utf8", env: { NODE_ENV: "production" } },
  );
  return { status, stated: stdout + stderr };
}

const headOf = (exported: readonly string[]) => JSON.parse(exported.at(-1) ?? "").head;
/** The export with the line of a sequence number replaced; the header is line 0. */
const withLine = (sequence: number, ...replacement: string[]) => lines.toSpliced(sequence, 1, ...replacement);
const lineOf = (sequence: number) => lines[sequence] ?? "";

describe("an export of the audit log", () => {
  it("is verified by a third party from the file alone", async () => {
    expect(lines).toHaveLength(ENTRIES + 2);
    const { status, stated } = await verify(lines);
    expect(stated).toBe(
      `${organizationId}\n${ENTRIES} entries, unaltered and in order\nhead ${headOf(lines)}\n`,
    );
    expect(status).toBe(0);
  });

  it("verifies for an organization without entries, and is refused for an unknown organization", async () => {
    const { services } = createTestServices(database);
    const empty = await createTestOrganization(database, services);
    expect((await verify(await readExport(empty.organizationId))).status).toBe(0);
    await expect(exportAuditLog(database.pool, crypto.randomUUID())).rejects.toThrow("no organization");
  });

  const FIELDS = [
    "organizationId",
    "id",
    "createdAt",
    "apiKeyId",
    "apiKeyName",
    "method",
    "path",
    "action",
    "reason",
    "requestId",
    "outcome",
    "errorCode",
    "errorDetail",
  ];
  it.each(FIELDS)("is rejected with a different %s in one entry", async (field) => {
    const link = JSON.parse(lineOf(4));
    link.entry[field] = `${link.entry[field]}x`;
    expect(await verify(withLine(4, JSON.stringify(link)))).toMatchObject({
      status: 1,
      stated: expect.stringMatching(/^line 5: /),
    });
  });

  it.each(["sequence", "sealedAt", "entryHash", "hash"])("is rejected with a different %s", async (field) => {
    const link = JSON.parse(lineOf(4));
    link[field] =
      field === "sequence" ? 9 : link[field].replace(/\d/, (digit: string) => (Number(digit) + 1) % 10);
    expect((await verify(withLine(4, JSON.stringify(link)))).stated).toMatch(/^line 5: /);
  });

  it("is rejected with a detail added, removed or moved into its neighbor", async () => {
    const altered = async (sequence: number, change: Record<string, unknown>) => {
      const link = JSON.parse(lineOf(sequence));
      link.entry = { ...link.entry, ...change };
      return (await verify(withLine(sequence, JSON.stringify(link)))).stated;
    };
    const detail = JSON.parse(lineOf(4)).entry.errorDetail;
    expect(await altered(4, { errorDetail: null })).toContain("line 5: the entry was altered");
    expect(await altered(4, { errorCode: detail, errorDetail: null })).toContain("altered");
    expect(await altered(5, { errorDetail: "" })).toContain("line 6: the entry was altered");
  });

  it("is verified in the format that had no details", async () => {
    const { services } = createTestServices(database);
    const organization = await createTestOrganization(database, services);
    await writeEntries(database.pool, [testEntry(services, organization.organizationId)]);
    await sealAuditEntries(services, 100);
    const before = (await readExport(organization.organizationId)).map((line) =>
      line.replace("sluice-audit-export-v2", "sluice-audit-export-v1").replace(',"errorDetail":null', ""),
    );
    expect(await verify(before)).toMatchObject({ status: 0 });
  });

  const middle = () => lineOf(4);
  it.each([
    ["a line removed", () => withLine(4), "line 5: sequence 5 where 4 must be"],
    ["two lines swapped", () => lines.toSpliced(4, 2, lineOf(5), lineOf(4)), "line 5: sequence 5"],
    ["a line inserted", () => withLine(4, middle(), middle()), "line 6: sequence 4 where 5 must be"],
    [
      "null for text",
      () => withLine(4, middle().replace(/"apiKeyName":"[^"]*"/, '"apiKeyName":null')),
      "altered",
    ],
    [
      "a field written twice",
      () => withLine(4, middle().replace("{", '{"hash":"00",')),
      "line 5: not written",
    ],
    [
      "half a character for the one that replaces it",
      () => withLine(7, lineOf(7).replace("\ufffd", "\\ud800")),
      "line 8: the entry was altered",
    ],
    ["its end cut off", () => lines.slice(0, 5), "the last line is missing"],
    [
      "a different head stated",
      () => withLine(9, JSON.stringify({ count: 8, head: "0".repeat(64) })),
      "line 10: count",
    ],
    ["something after it", () => [...lines, lineOf(8)], "line 11: comes after"],
    [
      "another beginning",
      () => withLine(0, lineOf(0).replace(organizationId, crypto.randomUUID())),
      "line 1: the gen",
    ],
    ["nothing in it", () => [], "JSON"],
  ])("is rejected with %s", async (_what, tampered, problem) => {
    expect(await verify(tampered())).toMatchObject({ status: 1, stated: expect.stringContaining(problem) });
  });

  it("shows a truncated end only against a head noted earlier", async () => {
    const kept = lines.slice(0, 6);
    const { hash } = JSON.parse(kept.at(-1) ?? "");
    const cut = [...kept, JSON.stringify({ count: 5, head: hash })];
    expect((await verify(cut)).status).toBe(0);
    expect((await verify(cut, "--head", headOf(lines))).stated).toContain("is not in this chain");
    expect((await verify(lines, "--head", hash)).status).toBe(0);
  });
});
