import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { exportAuditLog } from "@/lib/core/audit/export-audit-log";
import { openDatabase } from "@/lib/db/database";
import { loadConfig } from "@/lib/platform/config";
import { createLog } from "@/lib/platform/log";
import { runCommand } from "@/lib/platform/terminal";

const USAGE = `npm run audit:export -- ORGANIZATION-ID --out FILE

Writes the organization's sealed audit log as lines of JSON into a new file. clients/verify-audit-export.mjs checks it
without Sluice. Without --out, it writes to standard output (npm run --silent).
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { help: { type: "boolean" }, out: { type: "string" } },
    allowPositionals: true,
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const [organizationId, ...more] = positionals;
  if (organizationId === undefined || more.length > 0) throw new Error(USAGE);
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(organizationId)) {
    throw new Error(`${organizationId} is not the id of an organization.`);
  }
  const config = loadConfig(process.env);
  const database = await openDatabase({ config, log: createLog(config.logLevel) });
  try {
    const lines = Readable.from(
      await exportAuditLog(database.pool, organizationId, config.auditArchives.directory),
    );
    // A new, private file: an export already verified by its head must not be overwritten.
    const file = values.out && createWriteStream(values.out, { flags: "wx", mode: 0o600 });
    await (file ? pipeline(lines, file) : pipeline(lines, process.stdout, { end: false }));
  } finally {
    await database.close();
  }
}

await runCommand(main);
