import { parseArgs } from "node:util";
import { newKeySchema } from "@/lib/contract/api-key";
import { timeZoneSchema } from "@/lib/contract/organization";
import { createApiKey } from "@/lib/core/keys/create-api-key";
import { createOrganization, type NewOrganization } from "@/lib/core/organizations/create-organization";
import { hasOrganization } from "@/lib/core/sign-in/sign-up";
import { openDatabase } from "@/lib/db/database";
import { systemClock } from "@/lib/platform/clock";
import { loadConfig } from "@/lib/platform/config";
import { newRequestId } from "@/lib/platform/ids";
import { createLog } from "@/lib/platform/log";
import type { Services } from "@/lib/platform/services";
import { openTerminal, runCommand, type Terminal } from "@/lib/platform/terminal";

const USAGE = `npm run setup -- [--organization NAME] [--name NAME] [--email ADDRESS] [--kind BUSINESS|INDIVIDUAL] [--time-zone ZONE]
                  [--unless-done]

Creates the first organization, its owner and a first API key. Prompts for missing options; the owner's password comes
from SLUICE_OWNER_PASSWORD or a prompt, never from an option, which every user of this machine can read.
--unless-done: succeeds without changes if an organization exists or the demo is requested (SLUICE_DEMO=1).
`;

interface Options {
  organization?: string;
  name?: string;
  email?: string;
  kind?: string;
  "time-zone"?: string;
}

interface Answers {
  organization: string;
  kind: "BUSINESS" | "INDIVIDUAL";
  timeZone: string;
  name: string;
  email: string;
  password: string;
}

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      organization: { type: "string" },
      name: { type: "string" },
      email: { type: "string" },
      kind: { type: "string" },
      "time-zone": { type: "string" },
      "unless-done": { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  if (options.help) {
    process.stdout.write(USAGE);
    return;
  }
  const config = loadConfig(process.env);
  const log = createLog(config.logLevel);
  const database = await openDatabase({ config, log });
  try {
    if (options["unless-done"] && (config.demo || (await hasOrganization(database)))) return;
    await requireNone(database.pool);
    const answers = await collect(options);
    const services = { pool: database.pool, clock: systemClock };
    const organization = await createOrganization(services, {
      name: answers.organization,
      kind: answers.kind,
      timeZone: answers.timeZone,
      owner: { name: answers.name, email: answers.email, password: answers.password },
      onlyAsFirst: true,
    });
    const key = await createFirstKey(services, organization, answers);
    process.stdout.write(summary(answers, key, config.appUrl));
  } finally {
    await database.close();
  }
}

/** Runs before any question; `onlyAsFirst` decides in the end. */
async function requireNone(pool: Services["pool"]): Promise<void> {
  const { rowCount } = await pool.query("select 1 from organizations limit 1");
  if (rowCount !== 0) throw new Error("An organization already exists. Nothing was changed.");
}

/** Opens the terminal only if a question remains. */
async function collect(options: Options): Promise<Answers> {
  const opened: Terminal[] = [];
  const terminal = () => {
    if (!process.stdin.isTTY)
      throw new Error(
        "There is no organization yet, and no terminal for questions: pass everything as an option, or run setup where you " +
          "can type (with compose: docker compose run --rm setup).",
      );
    const one = opened[0] ?? openTerminal();
    opened[0] = one;
    return one;
  };
  try {
    return {
      organization: options.organization ?? (await terminal().ask("Name of the organization")),
      name: options.name ?? (await terminal().ask("Your name")),
      email: options.email ?? (await terminal().ask("Your email")),
      kind: readKind(options.kind ?? (await askOr(terminal(), "BUSINESS or INDIVIDUAL", "BUSINESS"))),
      timeZone: readTimeZone(
        options["time-zone"] ?? (await askOr(terminal(), "Time zone of your business days", machineZone())),
      ),
      password: process.env.SLUICE_OWNER_PASSWORD ?? (await askNewPassword(terminal())),
    };
  } finally {
    opened[0]?.close();
  }
}

/** Only Enter accepts the default. */
async function askOr(terminal: Terminal, question: string, proposed: string): Promise<string> {
  return (await terminal.ask(`${question} [${proposed}]`)) || proposed;
}

function readKind(text: string): Answers["kind"] {
  const kind = text.toUpperCase();
  if (kind === "BUSINESS" || kind === "INDIVIDUAL") return kind;
  throw new Error("The kind (--kind) is BUSINESS or INDIVIDUAL. Nothing was changed.");
}

function machineZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Before the password, so that a typo here does not require typing it again. */
function readTimeZone(text: string): string {
  if (timeZoneSchema.safeParse(text).success) return text;
  throw new Error("The time zone (--time-zone) is one like America/New_York. Nothing was changed.");
}

async function askNewPassword(terminal: Terminal): Promise<string> {
  const password = await terminal.askSecretly("Your password (at least 10 characters)");
  if (password !== (await terminal.askSecretly("Once more"))) {
    throw new Error("The two passwords differ. Nothing was changed.");
  }
  return password;
}

/** A key that reads everything and moves nothing without approval. */
async function createFirstKey(
  services: Pick<Services, "pool" | "clock">,
  { organizationId, ownerId }: NewOrganization,
  { name, email }: Answers,
): Promise<string> {
  const now = services.clock.now();
  const { text } = await createApiKey(
    services,
    {
      organizationId,
      // The owner, without a browser: there is no session to look up.
      actor: { kind: "MEMBER", id: ownerId, name, email, role: "OWNER", sessionId: "", authenticatedAt: now },
      now,
      requestId: newRequestId(),
      calledReason: null,
    },
    newKeySchema.parse({
      name: "First key",
      permissions: [
        { type: "READ_ACCOUNTS", accounts: "ALL" },
        { type: "READ_TRANSFERS", accounts: "ALL" },
        {
          type: "MANUAL_TRANSFER",
          entries: [{ source: "ANY", target: "ANY" }],
          approval: { required: true },
        },
      ],
    }),
  );
  return text;
}

function summary({ organization, email }: Answers, key: string, appUrl: string): string {
  return `
  ${organization} is set up. Sign in at ${appUrl}/sign-in as ${email}.

  First API key, shown once:
    ${key}
  It reads accounts and transfers, and proposes transfers that you approve.
`;
}

await runCommand(main);
