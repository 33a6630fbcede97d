import { createWriteStream, existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { exportBooks, listOrganizationIds } from "@/lib/core/exports/export-books";
import { openDatabase } from "@/lib/db/database";
import { allowLongStatements } from "@/lib/db/running-statements";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { systemClock } from "@/lib/platform/clock";
import { loadConfig } from "@/lib/platform/config";
import { createLog } from "@/lib/platform/log";
import { runCommand } from "@/lib/platform/terminal";

const USAGE = `npm run books:export -- --out FOLDER
npm run books:export -- --organization ID --out FILE

Writes the books as plain-text double entry for hledger and similar tools: a file <id>.journal for each organization, or
one file for one. Everything is from one snapshot of the database, while Sluice runs or not. Each file ends with an
assertion of every balance, which \`hledger -f FILE check\` verifies.
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { help: { type: "boolean" }, organization: { type: "string" }, out: { type: "string" } },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const { organization, out } = values;
  if (out === undefined) throw new Error(USAGE);
  if (organization !== undefined && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(organization))
    throw new Error(`${organization} is not the id of an organization.`);
  const config = loadConfig(process.env);
  const database = await openDatabase({ config, log: createLog(config.logLevel) });
  try {
    await inTransaction(
      database.pool,
      async (client) => {
        // The books of many years take longer than a request may.
        await client.query(
          "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0",
        );
        allowLongStatements(client);
        if (organization !== undefined) await writeBooks(client, organization, resolve(out));
        else await writeAll(client, resolve(out));
      },
      { isolation: "repeatable read", readOnly: true },
    );
  } finally {
    await database.close();
  }
}

async function writeAll(client: Queryable, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for await (const id of listOrganizationIds(client))
    await writeBooks(client, id, join(folder, `${id}.journal`));
}

/** Complete under its name, or absent: half a book may balance and pass a check. */
async function writeBooks(client: Queryable, organizationId: string, path: string): Promise<void> {
  if (existsSync(path))
    throw new Error(`${path} exists, and books are never overwritten. Choose another name.`);
  const books = await exportBooks(client, organizationId, systemClock.now(), basename(path));
  if (!books) throw new Error(`There is no organization ${organizationId}.`);
  const partial = `${path}.partial`;
  try {
    await pipeline(Readable.from(books.texts), createWriteStream(partial, { flags: "wx", mode: 0o600 }));
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  process.stdout.write(`${organizationId}  ${books.organizationName}  ${path}\n`);
}

await runCommand(main);
