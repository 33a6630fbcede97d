import { parseArgs } from "node:util";
import { judgeRedirect } from "@/lib/api/oauth/redirect-address";
import { createClientSecrets, registerClient } from "@/lib/core/keys/oauth-clients";
import { openDatabase } from "@/lib/db/database";
import { loadSecret } from "@/lib/db/secret";
import { systemClock } from "@/lib/platform/clock";
import { loadConfig } from "@/lib/platform/config";
import { createLog } from "@/lib/platform/log";
import { createProductSecrets } from "@/lib/platform/product-secrets";
import { runCommand } from "@/lib/platform/terminal";

const USAGE = `npm run client:register -- --name NAME --redirect-uri ADDRESS [--redirect-uri ADDRESS ...] [--confidential]

Registers an assistant that members may connect, if it neither registers itself nor publishes a metadata document.
ADDRESS is where the browser returns: https, http on localhost (any port), or a scheme of its own. Prints the client id,
and with --confidential a secret, once. This connects nothing: a member still has to consent to each connection.
`;

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      help: { type: "boolean" },
      name: { type: "string" },
      "redirect-uri": { type: "string", multiple: true },
      confidential: { type: "boolean" },
    },
  });
  const { name, "redirect-uri": redirectUris = [] } = options;
  if (options.help || !name?.trim() || redirectUris.length === 0) {
    process.stdout.write(USAGE);
    if (!options.help) process.exitCode = 1;
    return;
  }
  for (const address of redirectUris) {
    const problem = judgeRedirect(address, true);
    if (problem !== null) throw new Error(`${address}: addresses ${problem}. Nothing was registered.`);
  }
  await register({ name, redirectUris, isConfidential: options.confidential ?? false });
}

async function register(client: Parameters<typeof registerClient>[1]): Promise<void> {
  const config = loadConfig(process.env);
  const clientSecrets = createClientSecrets(
    createProductSecrets(await loadSecret(config), config.previousSecret),
  );
  const database = await openDatabase({ config, log: createLog(config.logLevel) });
  try {
    const services = { pool: database.pool, clock: systemClock, clientSecrets };
    const { clientId, clientSecret } = await registerClient(services, client);
    const secret = clientSecret === null ? "" : `\n  Client secret, shown once:\n    ${clientSecret}\n`;
    process.stdout.write(`\n  Client id:\n    ${clientId}\n${secret}\n`);
  } finally {
    await database.close();
  }
}

await runCommand(main);
