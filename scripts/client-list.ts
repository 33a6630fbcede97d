import { listOperatorsClients } from "@/lib/core/keys/oauth-clients";
import { openDatabase } from "@/lib/db/database";
import { loadConfig } from "@/lib/platform/config";
import { createLog } from "@/lib/platform/log";
import { runCommand, terminalText } from "@/lib/platform/terminal";

/** npm run client:list: the assistants registered by the operator. */
async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const database = await openDatabase({ config, log: createLog(config.logLevel) });
  try {
    const clients = await listOperatorsClients(database.pool);
    if (clients.length === 0) process.stdout.write("No assistant is registered by hand.\n");
    for (const { clientId, name, redirectUris, connections } of clients) {
      const count = `${connections} connection${connections === 1 ? "" : "s"}`;
      process.stdout.write(`${terminalText(`${clientId}  ${name}  ${count}  ${redirectUris.join(" ")}`)}\n`);
    }
  } finally {
    await database.close();
  }
}

await runCommand(main);
