import { resolve } from "node:path";
import { z } from "zod";
import { isLoopback } from "@/lib/contract/is-loopback";

const flag = (fallback: boolean) =>
  z
    .enum(["0", "1"])
    .optional()
    .transform((value) => (value === undefined ? fallback : value === "1"));

const environmentSchema = z.object({
  NODE_ENV: z.enum(["production", "development", "test"]).default("production"),
  PORT: z.coerce.number().int().min(1).max(65_535).default(3000),
  APP_URL: z.url({ protocol: /^https?$/ }).optional(),
  SLUICE_DATA_DIR: z.string().min(1).default(".sluice"),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_APP_ROLE: z.string().min(1).max(63).optional(),
  SLUICE_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  SLUICE_DEMO: flag(true),
  SLUICE_SIGNUP: z.enum(["first", "open"]).default("first"),
  HOST: z.string().min(1).optional(),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
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
});

/** What the operator chose, read once at start (README, "Configuration"). */
export interface Config {
  environment: "production" | "development" | "test";
  port: number;
  /** Public address without a trailing slash; links in messages and passkeys depend on it. */
  appUrl: string;
  /** Absolute path. */
  dataDirectory: string;
  /** Null: the embedded PostgreSQL in `dataDirectory`. */
  databaseUrl: string | null;
  /** With `databaseUrl`: the role that the application connects as. Null: `<database name>_app`. */
  databaseAppRole: string | null;
  /** Null: read from, or made in, `dataDirectory` (embedded database only). */
  secret: string | null;
  demo: boolean;
  /** Who may sign up by themselves: the first owner only, or everybody who reaches the address. */
  signUp: "FIRST_OWNER" | "OPEN";
  /** Address to listen on: loopback only while `appUrl` is, so a trial run is not open to the network. */
  host: string;
  /** Messages that no provider takes are shown at /mailbox: only while `appUrl` is this machine, never in production. */
  mailbox: boolean;
  logLevel: "debug" | "info" | "warn" | "error" | "silent";
  smtpUrl: string | null;
  mailFrom: string;
  /** Where members of this server write for help. Null: the page says to ask the owners. */
  supportEmail: string | null;
  twilio: { accountSid: string; authToken: string; from: string } | null;
  /**
   * Webhooks may go over http and to private addresses. Otherwise whoever may add an endpoint could have this server
   * call what only it can reach. On where Sluice is tried out on one's own machine.
   */
  allowsPrivateWebhooks: boolean;
  /** Null: outside accounts are those of the sandbox institutions. */
  plaid: {
    clientId: string;
    secret: string;
    environment: "sandbox" | "production";
    /** Banks may send people back to this server's address, which Plaid's dashboard then has to know. */
    returnsByAddress: boolean;
  } | null;
}

/**
 * Reads the configuration from environment variables.
 * @throws Error naming each variable that is wrong and what it must be; values are never repeated (they may be secrets).
 */
export function loadConfig(environment: Record<string, string | undefined>): Config {
  const parsed = environmentSchema.safeParse(dropEmpty(environment));
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`Configuration is not usable:\n  ${problems.join("\n  ")}`);
  }
  const env = parsed.data;
  const appUrl = (env.APP_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, "");
  const isThisMachine = isLoopback(new URL(appUrl).hostname);
  if (env.DATABASE_URL && !env.SLUICE_SECRET) {
    throw new Error(
      "SLUICE_SECRET is required with DATABASE_URL: every process on that database must share it.",
    );
  }
  return {
    environment: env.NODE_ENV,
    port: env.PORT,
    host: env.HOST ?? (isThisMachine ? "localhost" : "0.0.0.0"),
    appUrl,
    dataDirectory: resolve(env.SLUICE_DATA_DIR),
    databaseUrl: env.DATABASE_URL ?? null,
    databaseAppRole: env.DATABASE_APP_ROLE ?? null,
    secret: env.SLUICE_SECRET ?? null,
    demo: env.SLUICE_DEMO,
    signUp: env.SLUICE_SIGNUP === "open" ? "OPEN" : "FIRST_OWNER",
    mailbox: isThisMachine,
    logLevel: env.LOG_LEVEL,
    smtpUrl: env.SMTP_URL ?? null,
    mailFrom: env.MAIL_FROM,
    supportEmail: env.SUPPORT_EMAIL ?? null,
    twilio: readTwilio(env),
    allowsPrivateWebhooks:
      env.WEBHOOK_ALLOW_PRIVATE === undefined
        ? env.SLUICE_DEMO && isThisMachine
        : env.WEBHOOK_ALLOW_PRIVATE === "1",
    plaid: readPlaid(env),
  };
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

/** `PORT=` in a shell means "not set", not an empty value. */
function dropEmpty(environment: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
}
