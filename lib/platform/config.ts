import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { schemaWords } from "@/lib/contract/input/schema-words";
import { isLoopback } from "@/lib/contract/urls";
import { type AgeIdentity, type AgeRecipient, parseIdentities, parseRecipient } from "@/lib/platform/age";
import { readDatabaseAddress } from "@/lib/platform/database-address";
import { nearestOf } from "@/lib/platform/nearest-name";

/** @param fallback used if it is unset; undefined: the default depends on other variables */
const flag = <Fallback extends boolean | undefined>(fallback: Fallback) =>
  z
    .enum(["0", "1"])
    .optional()
    .transform((value) => (value === undefined ? fallback : value === "1"));

const ROLES = ["web", "api", "worker"] as const;

const EMULATOR_WORDS = "must be the address of an emulator, such as http://localhost:4800";

const environmentSchema = z.object({
  NODE_ENV: z.enum(["production", "development", "test"]).default("production"),
  PORT: z.coerce.number().int().min(1).max(65_535).default(3000),
  APP_URL: z
    .url({ protocol: /^https?$/, error: "must be an address such as https://sluice.example.com" })
    .optional(),
  SLUICE_ROLES: z
    .string()
    .default(ROLES.join())
    .transform((text) => text.split(",").map((role) => role.trim()))
    .pipe(z.array(z.enum(ROLES, `must list some of ${ROLES.join(", ")}, with commas between them`))),
  SLUICE_DATA_DIR: z.string().min(1).default(".sluice"),
  SLUICE_POSTGRES_BIN: z.string().min(1).optional(),
  DATABASE_URL: z
    .string()
    .superRefine((address, context) => {
      try {
        readDatabaseAddress(address);
      } catch (error) {
        context.addIssue({
          code: "custom",
          message: error instanceof Error ? error.message : "is not an address",
        });
      }
    })
    .optional(),
  DATABASE_APP_ROLE: z.string().min(1).max(63).optional(),
  SLUICE_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  SLUICE_SECRET_PREVIOUS: z.string().min(32, "must have at least 32 characters").optional(),
  SLUICE_SECRET_LOST: z.enum(["yes"], 'must be "yes" or unset').optional(),
  SLUICE_BACKUP_DIR: z.string().min(1).optional(),
  SLUICE_BACKUP_BEFORE_MIGRATION: flag(true),
  SLUICE_ARCHIVE: flag(true),
  SLUICE_ARCHIVE_DIR: z.string().min(1).optional(),
  SLUICE_ARCHIVE_DAYS: z.coerce.number().int().min(1).max(35).default(2),
  SLUICE_BACKUPS_KEPT: z.coerce.number().int().min(1).max(1_000).default(5),
  SLUICE_BACKUPS_KEPT_DAYS: z.coerce.number().int().min(0).max(1_000).default(7),
  SLUICE_BACKUPS_KEPT_WEEKS: z.coerce.number().int().min(0).max(1_000).default(4),
  SLUICE_BACKUPS_KEPT_MONTHS: z.coerce.number().int().min(0).max(1_000).default(12),
  SLUICE_BACKUP_PASSPHRASE: z.string().min(16, "must have at least 16 characters").optional(),
  SLUICE_BACKUP_RECIPIENT: z
    .string()
    .transform((text) =>
      text
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(parseRecipient),
    )
    .pipe(
      z
        .array(z.custom<{ publicKey: string }>((one) => one !== null, "must be public keys of age, age1…"))
        .min(1)
        .max(20),
    )
    .optional(),
  SLUICE_BACKUP_IDENTITY: z
    .string()
    .transform(parseIdentities)
    .pipe(z.custom<{ privateKey: string }[]>((one) => one !== null, "must be what age-keygen writes"))
    .optional(),
  SLUICE_BACKUP_COMMAND: z.string().regex(/^\//, "must be the absolute path of a program").optional(),
  SLUICE_BACKUP_COMMAND_MINUTES: z.coerce.number().int().min(1).max(1_440).default(60),
  SLUICE_RESTORE_TEST: flag(true),
  SLUICE_AUDIT_READS_DAYS: z.coerce.number().int().min(400).max(36_500).optional(),
  SLUICE_DEMO: flag(undefined),
  SLUICE_SIGNUP: z.enum(["first", "open"]).default("first"),
  HOST: z.string().min(1).optional(),
  SLUICE_ALLOW_HTTP: flag(false),
  METRICS_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
  SLUICE_DRAIN_SECONDS: z.coerce.number().int().min(0).max(120).default(0),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: "must be an address such as smtps://user:password@mail.example.com" })
    .optional(),
  MAIL_FROM: z.string().min(3).default("Sluice <sluice@localhost>"),
  SUPPORT_EMAIL: z.email("must be an email address").max(254).optional(),
  TWILIO_ACCOUNT_SID: z.string().min(1).optional(),
  TWILIO_AUTH_TOKEN: z.string().min(1).optional(),
  TWILIO_FROM: z.string().min(1).optional(),
  WEBHOOK_ALLOW_PRIVATE: z.enum(["0", "1"]).optional(),
  PLAID_CLIENT_ID: z.string().min(1).optional(),
  PLAID_SECRET: z.string().min(1).optional(),
  PLAID_ENV: z.enum(["sandbox", "production"]).optional(),
  PLAID_RETURN: z.enum(["0", "1"]).optional(),
  INCREASE_API_KEY: z.string().min(1).optional(),
  INCREASE_ENV: z.enum(["sandbox", "production"]).optional(),
  INCREASE_PROGRAM_ID: z
    .string()
    .regex(/^program_[a-z0-9]{1,100}$/, "must be the id of a program at Increase")
    .optional(),
  INCREASE_ENTITY_ID: z
    .string()
    .regex(/^entity_[a-z0-9]{1,100}$/, "must be the id of an entity at Increase")
    .optional(),
  INCREASE_BASE_URL: z.url({ protocol: /^http$/, error: EMULATOR_WORDS }).optional(),
  MERCURY_API_TOKEN: z.string().min(1).optional(),
  MERCURY_ENV: z.enum(["sandbox", "production"]).optional(),
  MERCURY_ACCOUNT_ID: z.uuid("must be the id of an account at Mercury").toLowerCase().optional(),
  MERCURY_SEND: z.enum(["request", "direct"]).optional(),
  MERCURY_WEBHOOK_SECRET: z.string().min(16, "must have at least 16 characters").optional(),
  MERCURY_BASE_URL: z.url({ protocol: /^http$/, error: EMULATOR_WORDS }).optional(),
  INCREASE_WEBHOOK_SECRET: z.string().min(16, "must have at least 16 characters").max(100).optional(),
  SLUICE_REAL_MONEY: z.enum(["yes"], 'must be "yes" or unset').optional(),
});

/** Every variable read here, and `_FILE` for those that may be files. */
const CONFIGURATION_VARIABLES: readonly string[] = Object.keys(environmentSchema.shape);

/** What a process runs: pages, the APIs, due work (docs/scaling.md). */
type Roles = Record<(typeof ROLES)[number], boolean>;

/** The operator's settings, read once at start (docs/configuration.md). */
export interface Config {
  environment: "production" | "development" | "test";
  roles: Roles;
  port: number;
  /** Public address without a trailing slash; links in messages and passkeys depend on it. */
  appUrl: string;
  /** Absolute path. */
  dataDirectory: string;
  /** One host or several (`readDatabaseAddress`). Null: the embedded PostgreSQL in `dataDirectory`. */
  databaseUrl: string | null;
  /** Absolute path of the programs of an installed PostgreSQL for the embedded database. Null: the package's. */
  postgresBin: string | null;
  /** With `databaseUrl`: the role that the application connects as. Null: `<database name>_app`. */
  databaseAppRole: string | null;
  /** Null: read from, or created in, `dataDirectory` (embedded database only). */
  secret: string | null;
  /** The one before, while `secret` replaces it (docs/security.md, "Rotating the secret"). Null: none is given. */
  previousSecret: string | null;
  /** Whether to start although the database was written with another secret. */
  isSecretLost: boolean;
  backups: {
    /** Absolute path; created when needed. */
    directory: string;
    /** Whether a database with rows is backed up before it is migrated. */
    beforeMigration: boolean;
    /**
     * How many of the newest backups to keep in `directory`: of those made before migrations, and of those that
     * `npm run backup` names.
     */
    keep: number;
    /** For how many days, weeks and months the newest of each is kept in addition; only of those `npm run backup` names. */
    keepOf: { days: number; weeks: number; months: number };
    /** Whom backups and the archive are encrypted to; empty: they are not. */
    recipients: readonly AgeRecipient[];
    /** What opens encrypted ones. */
    identities: readonly AgeIdentity[];
    /** A program that gets each backup, as a copy elsewhere. Null: none. */
    command: { path: string; timeoutMs: number } | null;
    /** Whether the newest backup is restored once a week, to prove that it can be. */
    isTested: boolean;
  };
  /** The log of the embedded database and its daily copies. Null: none is kept. */
  archive: {
    /** Absolute path; created when needed. */
    directory: string;
    /** How far back a restore reaches. */
    days: number;
  } | null;
  /** Where successful reads of the audit log go (docs/audit.md, "Archives"). */
  auditArchives: {
    /** Absolute path; created when needed. */
    directory: string;
    /** After how many days they leave the database; null: never. */
    readsDays: number | null;
  };
  /** Whether an empty database gets the demo organization: during a trial on this machine, or on request. */
  demo: boolean;
  /** Who may sign up without an invitation: only the first owner, or everyone who reaches the address. */
  signUp: "FIRST_OWNER" | "OPEN";
  /** Address to listen on: loopback only while `appUrl` is, so a trial run is not open to the network. */
  host: string;
  /**
   * Whether messages without a provider are shown at /mailbox: only while `appUrl` is this machine, never in
   * production.
   */
  mailbox: boolean;
  logLevel: "debug" | "info" | "warn" | "error" | "silent";
  /** The token that opens /metrics. Null: private callers without a proxy in between may read it. */
  metricsToken: string | null;
  /** The standard variables name a collector of traces. */
  hasTraces: boolean;
  /** How long a stopping process still answers while /readyz reports that it is not ready. */
  drainMs: number;
  smtpUrl: string | null;
  mailFrom: string;
  /** Where members of this server write for help. Null: the page tells them to ask the owners. */
  supportEmail: string | null;
  twilio: { accountSid: string; authToken: string; from: string } | null;
  /**
   * Whether webhooks may use http and private addresses. If they may, anyone who can add an endpoint can have this
   * server call what only it can reach; so only during a trial on this machine.
   */
  allowsPrivateWebhooks: boolean;
  /** Null: outside accounts come from the sandbox institutions. */
  plaid: {
    clientId: string;
    secret: string;
    environment: "sandbox" | "production";
    /** Whether banks may send people back to this server's address, which must be registered in Plaid's dashboard. */
    returnsByAddress: boolean;
  } | null;
  /** At most one of the banks is set. Without any, the sandbox bank holds the money. */
  increase: {
    apiKey: string;
    /** `production`: real money. */
    environment: "sandbox" | "production";
    /** Of the accounts that are opened, where the group has several; null: it has one. */
    programId: string | null;
    entityId: string | null;
    /** An emulator on this machine. Null: Increase's own address. */
    baseUrl: string | null;
    /** Verifies that Increase sent a webhook, which only wakes the polling. Null: polling alone. */
    webhookSecret: string | null;
  } | null;
  mercury: {
    token: string;
    /** `production`: real money. */
    environment: "sandbox" | "production";
    /** The account at Mercury that holds the money. */
    accountId: string;
    /** Whether a person approves each payment at Mercury, or it leaves at once. */
    send: "REQUEST" | "DIRECT";
    /** Of the webhook at Mercury that wakes polling. Null: only polling. */
    webhookSecret: string | null;
    /** An emulator on this machine. Null: Mercury's own address. */
    baseUrl: string | null;
  } | null;
}

/**
 * Reads the configuration from environment variables.
 * @throws Error naming each invalid variable and what it must be; values are never repeated (they may be secrets)
 */
export function loadConfig(environment: Record<string, string | undefined>): Config {
  const parsed = environmentSchema.safeParse(dropEmpty(readSecretFiles(dropEmpty(environment))), {
    reportInput: true,
    error: schemaWords,
  });
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`Configuration is not usable:\n  ${problems.join("\n  ")}`);
  }
  const env = parsed.data;
  const appUrl = (env.APP_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, "");
  const isThisMachine = isLoopback(new URL(appUrl).hostname);
  checkReach(env, appUrl, isThisMachine);
  if (env.DATABASE_URL && !env.SLUICE_SECRET) {
    throw new Error(
      "SLUICE_SECRET is required with DATABASE_URL: every process on that database must share it.",
    );
  }
  // An invented organization, whose passwords are in a file, belongs neither on a public address nor in an operator's
  // database, unless requested.
  const increase = readIncrease(env);
  const mercury = readMercury(env);
  if (increase && mercury) {
    throw new Error(
      "INCREASE_API_KEY and MERCURY_API_TOKEN are both set: the money is at one bank. Unset one.",
    );
  }
  const hasDemo =
    env.SLUICE_DEMO ?? (isThisMachine && env.DATABASE_URL === undefined && !increase && !mercury);
  return {
    environment: env.NODE_ENV,
    roles: readRoles(env),
    port: env.PORT,
    host: env.HOST ?? (isThisMachine ? "localhost" : "0.0.0.0"),
    appUrl,
    dataDirectory: resolve(env.SLUICE_DATA_DIR),
    databaseUrl: env.DATABASE_URL ?? null,
    postgresBin: env.SLUICE_POSTGRES_BIN ? resolve(env.SLUICE_POSTGRES_BIN) : null,
    databaseAppRole: env.DATABASE_APP_ROLE ?? null,
    secret: env.SLUICE_SECRET ?? null,
    previousSecret: readPreviousSecret(env),
    isSecretLost: env.SLUICE_SECRET_LOST === "yes",
    backups: {
      directory: resolve(env.SLUICE_BACKUP_DIR ?? join(env.SLUICE_DATA_DIR, "backups")),
      beforeMigration: env.SLUICE_BACKUP_BEFORE_MIGRATION,
      keep: env.SLUICE_BACKUPS_KEPT,
      keepOf: {
        days: env.SLUICE_BACKUPS_KEPT_DAYS,
        weeks: env.SLUICE_BACKUPS_KEPT_WEEKS,
        months: env.SLUICE_BACKUPS_KEPT_MONTHS,
      },
      ...readBackupKeys(env),
      command: env.SLUICE_BACKUP_COMMAND
        ? { path: env.SLUICE_BACKUP_COMMAND, timeoutMs: env.SLUICE_BACKUP_COMMAND_MINUTES * 60_000 }
        : null,
      isTested: env.SLUICE_RESTORE_TEST,
    },
    archive:
      env.DATABASE_URL === undefined && env.SLUICE_ARCHIVE
        ? {
            directory: resolve(env.SLUICE_ARCHIVE_DIR ?? join(env.SLUICE_DATA_DIR, "archive")),
            days: env.SLUICE_ARCHIVE_DAYS,
          }
        : null,
    auditArchives: {
      directory: resolve(join(env.SLUICE_DATA_DIR, "audit-archives")),
      readsDays: env.SLUICE_AUDIT_READS_DAYS ?? null,
    },
    demo: hasDemo,
    signUp: env.SLUICE_SIGNUP === "open" ? "OPEN" : "FIRST_OWNER",
    mailbox: isThisMachine,
    logLevel: env.LOG_LEVEL,
    metricsToken: env.METRICS_TOKEN ?? null,
    hasTraces: isTracingConfigured(environment),
    drainMs: env.SLUICE_DRAIN_SECONDS * 1_000,
    smtpUrl: env.SMTP_URL ?? null,
    mailFrom: env.MAIL_FROM,
    supportEmail: env.SUPPORT_EMAIL ?? null,
    twilio: readTwilio(env),
    allowsPrivateWebhooks:
      env.WEBHOOK_ALLOW_PRIVATE === undefined ? hasDemo && isThisMachine : env.WEBHOOK_ALLOW_PRIVATE === "1",
    plaid: readPlaid(env),
    increase,
    mercury,
  };
}

function readPreviousSecret(env: z.infer<typeof environmentSchema>): string | null {
  if (env.SLUICE_SECRET_PREVIOUS === undefined) return null;
  if (env.SLUICE_SECRET_PREVIOUS === env.SLUICE_SECRET)
    throw new Error("SLUICE_SECRET_PREVIOUS is the same as SLUICE_SECRET: unset it, or give the new one.");
  return env.SLUICE_SECRET_PREVIOUS;
}

function readBackupKeys(
  env: z.infer<typeof environmentSchema>,
): Pick<Config["backups"], "recipients" | "identities"> {
  const { SLUICE_BACKUP_PASSPHRASE: passphrase, SLUICE_BACKUP_RECIPIENT: recipients } = env;
  if (passphrase !== undefined && recipients !== undefined)
    throw new Error(
      "Set SLUICE_BACKUP_PASSPHRASE or SLUICE_BACKUP_RECIPIENT, not both: a file has one kind of key.",
    );
  const byPassphrase = passphrase === undefined ? [] : [{ passphrase }];
  return {
    recipients: recipients ?? byPassphrase,
    identities: [...byPassphrase, ...(env.SLUICE_BACKUP_IDENTITY ?? [])],
  };
}

/** What is opened must match what APP_URL implies about who reaches this server. */
function checkReach(env: z.infer<typeof environmentSchema>, appUrl: string, isThisMachine: boolean): void {
  if (isThisMachine && env.HOST !== undefined && !isLoopback(env.HOST)) {
    throw new Error(
      "HOST opens this server to the network, but APP_URL says that it is for this machine alone: its mailbox and demo sign-ins would be open to all. Unset HOST, or set APP_URL to the address that people use.",
    );
  }
  if (!isThisMachine && appUrl.startsWith("http:") && !env.SLUICE_ALLOW_HTTP) {
    throw new Error(
      'APP_URL starts with http: passwords and sessions would cross the network unencrypted. Put a proxy with TLS in front and use https (docs/operating.md, "TLS"), or set SLUICE_ALLOW_HTTP=1 for a network that you trust.',
    );
  }
}

function readRoles(env: z.infer<typeof environmentSchema>): Roles {
  const roles = { web: false, api: false, worker: false };
  for (const role of env.SLUICE_ROLES) roles[role] = true;
  // The default address is this very process: a worker would send links that lead to no page.
  if (env.APP_URL === undefined && !ROLES.every((role) => roles[role])) {
    throw new Error(
      "APP_URL is required if SLUICE_ROLES omits a role: it is the one address that people use.",
    );
  }
  return roles;
}

function readTwilio(env: z.infer<typeof environmentSchema>): Config["twilio"] {
  const given = [env.TWILIO_ACCOUNT_SID, env.TWILIO_AUTH_TOKEN, env.TWILIO_FROM].filter(Boolean).length;
  if (given === 0) return null;
  if (!env.TWILIO_ACCOUNT_SID || !env.TWILIO_AUTH_TOKEN || !env.TWILIO_FROM) {
    throw new Error("TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM must be set together.");
  }
  return { accountSid: env.TWILIO_ACCOUNT_SID, authToken: env.TWILIO_AUTH_TOKEN, from: env.TWILIO_FROM };
}

function readPlaid(env: z.infer<typeof environmentSchema>): Config["plaid"] {
  const given = [env.PLAID_CLIENT_ID, env.PLAID_SECRET, env.PLAID_ENV].filter(Boolean).length;
  if (given === 0) return null;
  if (!env.PLAID_CLIENT_ID || !env.PLAID_SECRET || !env.PLAID_ENV) {
    throw new Error("PLAID_CLIENT_ID, PLAID_SECRET and PLAID_ENV must be set together.");
  }
  return {
    clientId: env.PLAID_CLIENT_ID,
    secret: env.PLAID_SECRET,
    environment: env.PLAID_ENV,
    returnsByAddress: env.PLAID_RETURN === "1",
  };
}

function readIncrease(env: z.infer<typeof environmentSchema>): Config["increase"] {
  const { INCREASE_API_KEY: apiKey, INCREASE_ENV: environment, INCREASE_BASE_URL: baseUrl } = env;
  const webhookSecret = env.INCREASE_WEBHOOK_SECRET ?? null;
  const { INCREASE_PROGRAM_ID: programId = null, INCREASE_ENTITY_ID: entityId = null } = env;
  if (!apiKey && !environment && !baseUrl && !webhookSecret && !programId && !entityId) return null;
  if (!apiKey || !environment) throw new Error("INCREASE_API_KEY and INCREASE_ENV must be set together.");
  checkRealBank(env, { keyName: "INCREASE_API_KEY", environmentName: "INCREASE_ENV", environment });
  return {
    apiKey,
    environment,
    programId,
    entityId,
    baseUrl: readEmulator("INCREASE_BASE_URL", baseUrl),
    webhookSecret,
  };
}

function readMercury(env: z.infer<typeof environmentSchema>): Config["mercury"] {
  const { MERCURY_API_TOKEN: token, MERCURY_ENV: environment, MERCURY_ACCOUNT_ID: accountId } = env;
  const { MERCURY_SEND: send, MERCURY_WEBHOOK_SECRET: webhookSecret, MERCURY_BASE_URL: baseUrl } = env;
  if (!token && !environment && !accountId && !send && !webhookSecret && !baseUrl) return null;
  if (!token || !environment || !accountId) {
    throw new Error("MERCURY_API_TOKEN, MERCURY_ENV and MERCURY_ACCOUNT_ID must be set together.");
  }
  checkRealBank(env, { keyName: "MERCURY_API_TOKEN", environmentName: "MERCURY_ENV", environment });
  if (env.SLUICE_SIGNUP === "open") {
    throw new Error(
      "SLUICE_SIGNUP=open lets everyone open an organization, but one account at Mercury belongs to one organization. Unset it.",
    );
  }
  return {
    token,
    environment,
    accountId,
    send: send === "direct" ? "DIRECT" : "REQUEST",
    webhookSecret: webhookSecret ?? null,
    baseUrl: readEmulator("MERCURY_BASE_URL", baseUrl),
  };
}

function readEmulator(variable: string, baseUrl: string | undefined): string | null {
  if (baseUrl && !isLoopback(new URL(baseUrl).hostname)) {
    throw new Error(`${variable} must be this machine: the key would be sent to that address.`);
  }
  return baseUrl?.replace(/\/+$/, "") ?? null;
}

/**
 * Of every bank outside of this process: nothing invented beside it, its messages reach people, and real money moves
 * only if the operator said so in words.
 */
function checkRealBank(
  env: z.infer<typeof environmentSchema>,
  bank: { keyName: string; environmentName: string; environment: "sandbox" | "production" },
): void {
  if (env.SLUICE_DEMO === true) {
    throw new Error(
      "SLUICE_DEMO=1 invents an organization with money, which must not be beside a bank. Unset it.",
    );
  }
  if (!env.SMTP_URL) {
    throw new Error(
      `SMTP_URL is required with ${bank.keyName}: requests for approval and alerts must arrive.`,
    );
  }
  if (bank.environment !== "production") return;
  if (env.PLAID_ENV === "sandbox") {
    throw new Error(
      `PLAID_ENV=sandbox invents accounts, which must not be beside real money (${bank.environmentName}=production). Use production for both, or unset Plaid's variables.`,
    );
  }
  if (env.SLUICE_REAL_MONEY !== "yes") {
    throw new Error(
      `${bank.environmentName}=production moves real money: approved transfers and the runs of rules leave the bank and cannot be recalled. Set SLUICE_REAL_MONEY=yes if you mean that, or use ${bank.environmentName}=sandbox.`,
    );
  }
}

/** `PORT=` in a shell means "not set", not an empty value. */
function dropEmpty(environment: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
}

/** Variables that may be given as a file instead, through the name with `_FILE` appended. */
const SECRETS: readonly string[] = [
  "DATABASE_URL",
  "SLUICE_SECRET",
  "SLUICE_SECRET_PREVIOUS",
  "SLUICE_BACKUP_PASSPHRASE",
  "SLUICE_BACKUP_IDENTITY",
  "METRICS_TOKEN",
  "SMTP_URL",
  "TWILIO_AUTH_TOKEN",
  "PLAID_SECRET",
  "INCREASE_API_KEY",
  "MERCURY_API_TOKEN",
  "MERCURY_WEBHOOK_SECRET",
  "INCREASE_WEBHOOK_SECRET",
];

/** For programs of the operator, which need their own variables and none of these. */
export function withoutSecrets(
  environment: Record<string, string | undefined>,
): Record<string, string | undefined> {
  const hidden = new Set(SECRETS.flatMap((name) => [name, `${name}_FILE`]));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !hidden.has(name)));
}

/**
 * Reads secrets from files, as container orchestrators provide them: more commands reveal an environment than a file.
 * @throws Error naming the variable whose file cannot be read, or that is set both ways
 */
function readSecretFiles(
  environment: Record<string, string | undefined>,
): Record<string, string | undefined> {
  const read: Record<string, string> = {};
  for (const name of SECRETS) {
    const path = environment[`${name}_FILE`];
    if (path === undefined) continue;
    if (environment[name] !== undefined) throw new Error(`Set ${name} or ${name}_FILE, not both.`);
    read[name] = readSecret(name, path);
  }
  return { ...environment, ...read };
}

function readSecret(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new Error(`${name}_FILE: the file cannot be read.`, { cause: error });
  }
}

/**
 * Known variables that are read elsewhere: by commands, tests, what runs in front of Sluice, and examples in the
 * documentation.
 */
const READ_ELSEWHERE = [
  "SLUICE_AUDIT",
  "SLUICE_BUILD_FOLDER",
  "SLUICE_DESIGN_PAGE",
  "SLUICE_HOOK_SECRET",
  "SLUICE_IMAGE",
  "SLUICE_KEY",
  "SLUICE_OWNER_PASSWORD",
  "SLUICE_PROOF",
  "SLUICE_REPLICAS",
  "SLUICE_SEED",
  "SLUICE_SIGNING_SECRET",
  "SLUICE_TEST_BROWSER",
  "SLUICE_TEST_SHELL",
  "SLUICE_WEBHOOK_SECRET",
];
/** An environment may hold any number of names; more than these help nobody. */
const MAXIMUM_NAMED = 10;

/**
 * Variables that look like ours but are never read: an operator believes a setting applies that does not.
 * @returns a sentence for each, with the nearest known name; never a value
 */
export function findMisspelt(environment: Record<string, string | undefined>): string[] {
  const known = [...CONFIGURATION_VARIABLES, ...SECRETS.map((name) => `${name}_FILE`), ...READ_ELSEWHERE];
  return Object.keys(environment)
    .filter((name) => name.startsWith("SLUICE_") && !known.includes(name))
    .slice(0, MAXIMUM_NAMED)
    .map((name) => {
      const nearest = nearestOf(name, known);
      return `${name} is set, and Sluice has no such variable.${nearest ? ` Did you mean ${nearest}?` : ""}`;
    });
}

/** Whether the standard variables configure a destination for traces. */
function isTracingConfigured(environment: Record<string, string | undefined>): boolean {
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === "true") return false;
  if (environment.OTEL_TRACES_EXPORTER === "none") return false;
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } = environment;
  return Boolean(OTEL_EXPORTER_OTLP_ENDPOINT || OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
}
