import { removeOperatorsClient } from "@/lib/core/keys/oauth-clients";
import { openDatabase } from "@/lib/db/database";
import { loadConfig } from "@/lib/platform/config";
import { createLog } from "@/lib/platform/log";
import { runCommand } from "@/lib/platform/terminal";

const USAGE = `npm run client:remove -- CLIENT_ID

Removes an assistant that was registered with client:register. Its connections get no new access tokens and lose access
within half an hour; to end a connection at once, use Settings, Assistants.
`;

async function main(): Promise<void> {
  const [clientId, ...more] = process.argv.slice(2);
  if (clientId === undefined || clientId === "--help" || more.length > 0) {
    process.stdout.write(USAGE);
    if (clientId !== "--help") process.exitCode = 1;
    return;
  }
  const config = loadConfig(process.env);
  const database = await openDatabase({ config, log: createLog(config.logLevel) });
  try {
    if (!(await removeOperatorsClient(database.pool, clientId)))
      throw new Error("No assistant was registered by hand with this id. Nothing was removed.");
    process.stdout.write("  Removed.\n");
  } finally {
    await database.close();
  }
}

await runCommand(main);
