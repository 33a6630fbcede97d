import { parseArgs } from "node:util";
import {
  hasSealingWorker,
  type KnownHead,
  listAudited,
  type VerifiedLog,
  verifyAuditLog,
} from "@/lib/core/audit/verify-audit-log";
import { openDatabase } from "@/lib/db/database";
import { loadConfig } from "@/lib/platform/config";
import { createLog } from "@/lib/platform/log";
import { runCommand } from "@/lib/platform/terminal";

const USAGE = `npm run audit:verify -- [ORGANIZATION-ID [--head HASH [--count NUMBER]]]

Recomputes the seals of the audit log, for every organization or one, and reports altered, removed, inserted or moved
entries. Prints a line for each organization: its id, the number of sealed entries, the head. Keep these lines outside
this database: --head and --count check that a chain still contains what it did then, which the database cannot prove.
Exits with code 1 when anything is wrong. While no Sluice runs, as right after a restore, the last entries may wait for
their seals: that is a note.
`;

interface Asked {
  organizationId: string | null;
  known: KnownHead | null;
}

async function main(): Promise<void> {
  const asked = readArguments();
  if (asked === null) {
    process.stdout.write(USAGE);
    return;
  }
  const config = loadConfig(process.env);
  const database = await openDatabase({ config, log: createLog(config.logLevel) });
  try {
    const ids = asked.organizationId === null ? listAudited(database.pool) : [asked.organizationId];
    const isSealed = await hasSealingWorker(database.pool);
    for await (const id of ids) {
      const verified = await verifyAuditLog(database.pool, id, asked.known, {
        archives: config.auditArchives.directory,
        isSealed,
      });
      process.stdout.write(describe(verified));
      if (verified.problemCount > 0) process.exitCode = 1;
    }
  } finally {
    await database.close();
  }
}

/** @throws Error with the usage, for arguments that do not fit together. */
function readArguments(): Asked | null {
  const { values, positionals } = parseArgs({
    options: { help: { type: "boolean" }, head: { type: "string" }, count: { type: "string" } },
    allowPositionals: true,
  });
  if (values.help) return null;
  const [organizationId = null, ...more] = positionals;
  const { head, count } = values;
  const isRight =
    more.length === 0 &&
    (organizationId === null || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(organizationId)) &&
    (head === undefined || (organizationId !== null && /^[0-9a-f]{64}$/.test(head))) &&
    (count === undefined || (head !== undefined && /^\d{1,15}$/.test(count)));
  if (!isRight) throw new Error(USAGE);
  const known = head === undefined ? null : { hash: head, count: count === undefined ? null : Number(count) };
  return { organizationId, known };
}

function describe({
  organizationId,
  count,
  head,
  problems,
  problemCount,
  waitingCount,
}: VerifiedLog): string {
  const untold = problemCount - problems.length;
  return [
    `${organizationId} ${count} ${head}`,
    ...problems.map((problem) => `  WRONG  ${problem}`),
    ...(untold > 0 ? [`  WRONG  and ${untold} more`] : []),
    ...(waitingCount > 0
      ? [
          `  note   ${waitingCount} entries wait for their seal: no worker is connected. Start Sluice, which seals them, and verify again`,
        ]
      : []),
    "",
  ].join("\n");
}

await runCommand(main);
