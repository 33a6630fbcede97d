import { parseArgs } from "node:util";
import { notifyOfReset } from "@/lib/core/notifications/notify-of-reset";
import { resetMember } from "@/lib/core/sign-in/reset-member";
import { openDatabase } from "@/lib/db/database";
import { systemClock } from "@/lib/platform/clock";
import { loadConfig } from "@/lib/platform/config";
import { createLog } from "@/lib/platform/log";
import { runCommand } from "@/lib/platform/terminal";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";

const USAGE = `npm run member:reset -- ADDRESS

For a member who has lost every way to sign in: removes their passkeys, authenticator app, recovery codes and
password, signs them out everywhere, and prints a link that sets a new password once, within an hour. Owners and
co-owners are notified by email.
`;

async function main(): Promise<void> {
  const { values: options, positionals } = parseArgs({
    options: { help: { type: "boolean" } },
    allowPositionals: true,
  });
  const [email] = positionals;
  if (options.help || email === undefined || positionals.length > 1) {
    process.stdout.write(USAGE);
    if (!options.help) process.exitCode = 1;
    return;
  }
  const config = loadConfig(process.env);
  const database = await openDatabase({ config, log: createLog(config.logLevel) });
  try {
    const services = { pool: database.pool, clock: systemClock };
    const reset = await resetMember(services, email, (client, notice) =>
      notifyOfReset(client, notice, {
        appUrl: config.appUrl,
        isSandboxBank: createSandboxBank(database.pool).isSandbox,
        now: services.clock.now(),
      }),
    );
    process.stdout.write(`
  ${reset.name} (${reset.email}) has no passkey, recovery code or password any more, and is signed out everywhere.

  Hand them this link. It sets a new password once, until ${reset.goodUntil.toISOString()}:
    ${config.appUrl}${reset.resetHref}

  Owners and co-owners are notified by email: ${reset.owners.map((owner) => owner.email).join(", ")}
`);
  } finally {
    await database.close();
  }
}

await runCommand(main);
