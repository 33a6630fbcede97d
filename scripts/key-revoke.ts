import { parseArgs } from "node:util";
import { formatCents } from "@/lib/contract/format-cents";
import { endApiKey, type FoundKey, findKeys } from "@/lib/core/keys/revoke-api-key";
import { openDatabase } from "@/lib/db/database";
import { businessTime, systemClock } from "@/lib/platform/clock";
import { loadConfig } from "@/lib/platform/config";
import { createLog } from "@/lib/platform/log";
import type { Services } from "@/lib/platform/services";
import { openTerminal, runCommand, terminalText } from "@/lib/platform/terminal";
import { previewRevocation, type RevocationEffectView } from "@/lib/views/keys/preview-revocation";

const USAGE = `npm run key:revoke -- [PREFIX | ID] [--yes]

Revokes an API key at once and permanently, while Sluice runs or not: denies its waiting proposals and stops transfers
that have not left, after showing both. PREFIX is what the dashboard shows (sluice_9Qm4vX), ID the id in the address of
the key's page, or of an assistant, which it disconnects. Without either, it prompts for the key itself without showing
it: never pass a key as an option, which every user of this machine can read. --yes skips the confirmation.
`;

async function main(): Promise<void> {
  const { values: options, positionals } = parseArgs({
    options: { help: { type: "boolean" }, yes: { type: "boolean" } },
    allowPositionals: true,
  });
  if (options.help || positionals.length > 1) {
    process.stdout.write(USAGE);
    if (!options.help) process.exitCode = 1;
    return;
  }
  const named = positionals[0] ?? (await askForKey());
  const config = loadConfig(process.env);
  const database = await openDatabase({ config, log: createLog(config.logLevel) });
  try {
    const key = onlyOne(await findKeys(database.pool, named), positionals.length === 0);
    const now = () => businessTime(systemClock, key.clockOffsetMs);
    await describe(database.pool, key, now());
    if (!options.yes && !(await confirms(key))) throw new Error(`Nothing was ${endedWord(key)}.`);
    const revoked = await endApiKey(
      database.pool,
      { organizationId: key.organizationId, keyId: key.id, now: now() },
      { because: "OPERATOR" },
    );
    if (!revoked) throw new Error(`It had already been ${endedWord(key)}.`);
    process.stdout.write(
      `  ${key.kind === "ASSISTANT" ? "Disconnected" : "Revoked"}. ${revoked.deniedProposals} proposals denied, ${revoked.stoppedTransfers} transfers stopped.\n`,
    );
  } finally {
    await database.close();
  }
}

async function askForKey(): Promise<string> {
  const terminal = openTerminal();
  try {
    return (await terminal.askSecretly("Paste the key (it is not shown)")).trim();
  } finally {
    terminal.close();
  }
}

/** `isSecret`: the search text is not echoed. */
function onlyOne(found: readonly FoundKey[], isSecret: boolean): FoundKey {
  const [key, second] = found;
  if (!key) {
    const hint = isSecret
      ? "Nothing here has this key."
      : "No key has this prefix or id, and no assistant this id.";
    throw new Error(`${hint} Nothing was revoked.`);
  }
  if (second) throw new Error("Several keys have this prefix. Give the id. Nothing was revoked.");
  if (key.isRevoked)
    throw new Error(`${terminalText(key.name)} (${distinguished(key)}) was ${endedWord(key)} before.`);
  return key;
}

async function describe(pool: Services["pool"], key: FoundKey, now: Date): Promise<void> {
  const { denied, stopped } = await previewRevocation(pool, key.organizationId, key.id, now);
  process.stdout.write(`
  ${key.kind === "ASSISTANT" ? "The assistant " : ""}${terminalText(key.name)} (${distinguished(key)}) of ${terminalText(key.organizationName)}, ${key.kind === "ASSISTANT" ? "connected" : "made"} by ${terminalText(key.createdByName)}.
  ${key.kind === "ASSISTANT" ? "Disconnecting" : "Revoking"} it denies ${effect(denied, "waiting proposal")} and stops ${effect(stopped, "transfer")} that
  ${stopped.count === 1 ? "has" : "have"} not left. What has moved stays as it is.
`);
}

/** What a key begins with, where an assistant's browser went back to. */
function distinguished({ prefix, clientHost }: FoundKey): string {
  return prefix === null ? terminalText(clientHost ?? "") : `${prefix}…`;
}

function endedWord({ kind }: FoundKey): string {
  return kind === "ASSISTANT" ? "disconnected" : "revoked";
}

function effect({ count, totalInCents }: RevocationEffectView, noun: string): string {
  const counted = `${count} ${noun}${count === 1 ? "" : "s"}`;
  return count === 0 ? counted : `${counted} (${formatCents(totalInCents)})`;
}

async function confirms(key: FoundKey): Promise<boolean> {
  const terminal = openTerminal();
  try {
    return (
      (await terminal.ask(
        key.kind === "ASSISTANT"
          ? `Type the name of the assistant, ${terminalText(key.name)}, to disconnect it`
          : `Type the name of the key, ${terminalText(key.name)}, to revoke it`,
      )) === terminalText(key.name)
    );
  } finally {
    terminal.close();
  }
}

await runCommand(main);
