import { parseArgs } from "node:util";
import { systemClock } from "@/lib/platform/clock";
import { runCommand } from "@/lib/platform/terminal";
import { openMercuryEmulator } from "@/proof/emulators/mercury/emulator";

const USAGE = `npm run mercury:emulate -- [PORT]

Emulates Mercury's API on this machine, in memory and in real time. Start Sluice with MERCURY_API_TOKEN=emulated,
MERCURY_ENV=sandbox and what is printed. PORT is 4221 by default.

POST /simulations/request-send-money/{id}/approve, /reject or /cancel does what a person does at Mercury;
POST /simulations/account/{id}/receive {"amountInCents": 710000, "from": "Halden Health"} lets money arrive.
`;

/** How often the emulated bank looks at the clock. */
const TICK_MS = 1_000;
const OPENING_IN_CENTS = 5_000_000;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { help: { type: "boolean" } },
    allowPositionals: true,
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const [port = "4221", ...more] = positionals;
  if (more.length > 0 || !/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new Error(USAGE);
  const emulator = await openMercuryEmulator({
    startsAt: systemClock.now(),
    port: Number(port),
    token: "emulated",
  });
  const accountId = emulator.openAccount(OPENING_IN_CENTS);
  const ticking = setInterval(() => void emulator.advanceTo(systemClock.now()), TICK_MS);
  process.once("SIGINT", () => {
    clearInterval(ticking);
    void emulator.close();
  });
  process.stderr.write(`MERCURY_BASE_URL=${emulator.url}\nMERCURY_ACCOUNT_ID=${accountId}\n`);
}

await runCommand(main);
