import { parseArgs } from "node:util";
import { systemClock } from "@/lib/platform/clock";
import { runCommand } from "@/lib/platform/terminal";
import { openIncreaseEmulator } from "@/proof/emulators/increase/emulator";

const USAGE = `npm run increase:emulate -- [PORT]

Emulates Increase's API on this machine, in memory and in real time, with its simulations. Start Sluice with
INCREASE_API_KEY=emulated, INCREASE_ENV=sandbox and the INCREASE_BASE_URL that is printed. PORT is 4220 by default.
`;

/** How often the emulated bank looks at the clock. */
const TICK_MS = 1_000;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { help: { type: "boolean" } },
    allowPositionals: true,
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const [port = "4220", ...more] = positionals;
  if (more.length > 0 || !/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new Error(USAGE);
  const emulator = await openIncreaseEmulator({
    startsAt: systemClock.now(),
    port: Number(port),
    apiKey: "emulated",
    openingInCents: 0,
  });
  const ticking = setInterval(() => void emulator.advanceTo(systemClock.now()), TICK_MS);
  process.once("SIGINT", () => {
    clearInterval(ticking);
    void emulator.close();
  });
  process.stderr.write(`INCREASE_BASE_URL=${emulator.url}\n`);
}

await runCommand(main);
