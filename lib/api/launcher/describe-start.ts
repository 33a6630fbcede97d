import { join } from "node:path";
import { API_BASE_PATH } from "@/lib/api/http/app";
import { MCP_PATH } from "@/lib/api/mcp/mcp-call";
import { DEMO_FILE, type DemoDescription } from "@/lib/contract/demo";
import type { Config } from "@/lib/platform/config";

/** What a start found and created. */
export interface StartFacts {
  databaseDescription: string;
  /** Null when this data folder has no demo. */
  demo: DemoDescription | null;
  isDemoNew: boolean;
  hasOrganization: boolean;
  /** Where email and SMS go. */
  mail: "PROVIDER" | "MAILBOX" | "NONE";
  sms: "PROVIDER" | "MAILBOX" | "NONE";
  /** How far SLUICE_SECRET has replaced the one before; null: nothing is being replaced. */
  rotation: { renewed: number; remaining: number; unreadable: number; isFinished: boolean } | null;
}

/**
 * Printed once Sluice answers: its address and, with a demo organization, how to sign in and what to try. The demo's
 * passwords and key open nothing but the demo.
 */
export function describeStart(config: Config, facts: StartFacts): string {
  const lines = [
    ...describePlace(config),
    `    Database   ${facts.databaseDescription}`,
    describeBank(config),
    ...describeMessages(config, facts),
    ...describePatches(config),
    ...describeBackups(config),
    ...describeRotation(facts),
  ];
  if (facts.demo) lines.push(...describeDemo(facts.demo, facts.isDemoNew, config));
  if (!facts.hasOrganization) {
    lines.push(
      "",
      "  No organization yet. The first person to sign up owns it:",
      `    ${config.appUrl}/sign-up  (or, without email: npm run setup)`,
    );
  }
  if (config.mailbox) {
    lines.push(
      "",
      "  Links and passkeys work on this machine only while APP_URL is localhost.",
      '  To let others in, set APP_URL to the public https address (docs/operating.md, "TLS").',
    );
  }
  return `${lines.join("\n")}\n`;
}

function describeBank({ increase, mercury }: Config): string {
  if (mercury) {
    const way = mercury.send === "REQUEST" ? "payments are approved there too" : "payments leave at once";
    return `    Bank       Mercury, its sandbox: no real money; ${way}`;
  }
  if (!increase) return "    Bank       Sandbox bank: no real money";
  return increase.environment === "production"
    ? "    Bank       Increase: real money"
    : "    Bank       Increase, its sandbox: no real money";
}

/** The whole product, or this process's part of it. */
/** Undelivered messages must be noticed at the start, not when the first one is missed. */
function describeMessages(config: Config, { mail, sms }: StartFacts): string[] {
  const kept = [mail === "MAILBOX" && "email", sms === "MAILBOX" && "SMS"].filter(Boolean).join(" and ");
  const lines = [
    ...(kept
      ? [
          `    Mailbox    ${config.appUrl}/mailbox  (${kept} stay${kept === "email" ? "s" : ""} on this machine)`,
        ]
      : []),
    ...(mail === "PROVIDER" ? ["    Email      sent through SMTP_URL"] : []),
    ...(sms === "PROVIDER" ? ["    SMS        sent through Twilio"] : []),
  ];
  if (mail !== "NONE") return lines;
  return [
    ...lines,
    "    Email      NOT CONFIGURED: invitations, approvals and password resets are not delivered. Set SMTP_URL.",
  ];
}

/** What is written in the clear must be known, not found. A trial on this machine has nothing to protect. */
function describeBackups({ backups, archive, mailbox }: Config): string[] {
  const [recipient] = backups.recipients;
  if (recipient) {
    const what = archive ? "Backups and the archive are" : "Backups are";
    return [
      "",
      `  ${what} encrypted ${"passphrase" in recipient ? "with SLUICE_BACKUP_PASSPHRASE" : "to SLUICE_BACKUP_RECIPIENT"}.`,
    ];
  }
  if (mailbox) return [];
  return [
    "",
    `  Backups${archive ? " and the archive" : ""} are NOT ENCRYPTED. Set SLUICE_BACKUP_PASSPHRASE or SLUICE_BACKUP_RECIPIENT`,
    '  (docs/backup.md, "Encryption").',
  ];
}

function describeRotation({ rotation }: StartFacts): string[] {
  if (rotation === null) return [];
  if (rotation.isFinished)
    return ["", "  SLUICE_SECRET has replaced the one before: SLUICE_SECRET_PREVIOUS can be removed."];
  return [
    "",
    `  SLUICE_SECRET replaces the one before: ${rotation.renewed} values encrypted again, ${rotation.remaining} to go.`,
  ];
}

/** The embedded server is updated only with Sluice itself. */
function describePatches({ databaseUrl, postgresBin, mailbox }: Config): string[] {
  if (databaseUrl !== null || postgresBin !== null || mailbox) return [];
  return [
    "",
    "  The embedded PostgreSQL gets no security updates of its own. In production, set DATABASE_URL or",
    '  SLUICE_POSTGRES_BIN (docs/embedded-postgres.md, "Patch level").',
  ];
}

function describePlace({ roles, appUrl, host, port }: Config): string[] {
  const has = Object.entries(roles).flatMap(([role, isHad]) => (isHad ? [role] : []));
  if (!(roles.web && roles.api && roles.worker)) {
    return ["", `  This part of Sluice (${has.join(", ")}) answers at ${host}:${port}, for ${appUrl}`, ""];
  }
  return [
    "",
    `  Sluice is open at ${appUrl}`,
    "",
    `    Dashboard  ${appUrl}`,
    `    API        ${appUrl}${API_BASE_PATH}`,
    `    MCP        ${appUrl}${MCP_PATH}`,
    `    Reference  ${appUrl}/docs`,
  ];
}

function describeDemo(demo: DemoDescription, isNew: boolean, config: Config): string[] {
  if (!isNew) {
    return ["", `  The demo's sign-in and key are in ${join(config.dataDirectory, DEMO_FILE)}`];
  }
  const owner = demo.members[0];
  const [source, destination] = ["Operating", "Taxes"].map((name) =>
    demo.accounts.find((account) => account.name === name),
  );
  const body = JSON.stringify({
    sourceAccountId: source?.id,
    destinationAccountId: destination?.id,
    amountInCents: 125_000,
    description: "Q4 TAX",
    reasonForApproval: "Setting aside Q4 estimated tax before the deadline on 15 December.",
  });
  return [
    "",
    "  The demo organization is Northwind Studio. Sign in as its owner:",
    `    ${owner?.email}  ${owner?.password}`,
    "",
    "  Propose a transfer with the demo key, then open the approvalUrl of the answer:",
    `    curl -s ${demo.apiUrl}/transfers \\`,
    `      -H 'Authorization: Bearer ${demo.apiKey}' \\`,
    "      -H 'Content-Type: application/json' \\",
    `      -d '${body}'`,
    "",
    `  All of this is also in ${join(config.dataDirectory, DEMO_FILE)}`,
  ];
}
