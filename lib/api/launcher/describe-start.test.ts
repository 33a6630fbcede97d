import { describe, expect, it } from "vitest";
import { describeStart } from "@/lib/api/launcher/describe-start";
import { loadConfig } from "@/lib/platform/config";

const facts = {
  databaseDescription: "embedded PostgreSQL 18.4 in /srv/sluice/data",
  demo: null,
  isDemoNew: false,
  hasOrganization: true,
  rotation: null,
};
const reported = (environment: Record<string, string>) => {
  const config = loadConfig(environment);
  const other = config.mailbox ? "MAILBOX" : "NONE";
  const ways = {
    mail: config.smtpUrl ? "PROVIDER" : other,
    sms: config.twilio ? "PROVIDER" : other,
  } as const;
  return describeStart(config, { ...facts, ...ways });
};
const PUBLIC = { APP_URL: "https://sluice.northwind.example" };
const SMTP = { SMTP_URL: "smtp://user:hunter2hunter2@mail.example:587" };
const TWILIO = {
  TWILIO_ACCOUNT_SID: "AC1",
  TWILIO_AUTH_TOKEN: "hunter2hunter2",
  TWILIO_FROM: "+12125550100",
};

describe("what the start says of messages", () => {
  it.each([
    ["on this machine both stay", {}, /email and SMS stay on this machine/],
    [
      "with SMTP on this machine only SMS stay",
      SMTP,
      /\(SMS stay on this machine\)[\s\S]*Email +sent through SMTP_URL/,
    ],
    [
      "with Twilio on this machine only email stays",
      TWILIO,
      /\(email stays on this machine\)[\s\S]*SMS +sent/,
    ],
    ["with both nothing stays", { ...SMTP, ...TWILIO }, /^(?![\s\S]*mailbox)[\s\S]*SMTP_URL[\s\S]*Twilio/],
    ["on a public address without SMTP nobody is reached", PUBLIC, /Email +NOT CONFIGURED.*Set SMTP_URL/],
    [
      "on a public address with SMTP all is well",
      { ...PUBLIC, ...SMTP },
      /^(?![\s\S]*NOT CONFIGURED)[\s\S]*SMTP_URL/,
    ],
  ])("%s", (_name, environment, words) => {
    expect(reported(environment)).toMatch(words);
    expect(reported(environment)).not.toContain("hunter2");
  });
});

describe("what the start says of the database", () => {
  it("names the patch level, and on a public address that the embedded one is not updated", () => {
    expect(reported({})).toContain("PostgreSQL 18.4");
    expect(reported({})).not.toContain("security updates");
    expect(reported(PUBLIC)).toMatch(/no security updates[\s\S]*DATABASE_URL[\s\S]*SLUICE_POSTGRES_BIN/);
    const installed = { ...PUBLIC, SLUICE_POSTGRES_BIN: "/usr/lib/postgresql/18/bin" };
    expect(reported(installed)).not.toContain("security updates");
    const own = { ...PUBLIC, DATABASE_URL: "postgres://db.example/sluice", SLUICE_SECRET: "s".repeat(32) };
    expect(reported(own)).not.toContain("security updates");
  });
});

describe("what the start says of backups and secrets", () => {
  it.each([
    ["on a public address, that they are plain", PUBLIC, /Backups and the archive are NOT ENCRYPTED/],
    [
      "that a passphrase encrypts them",
      { ...PUBLIC, SLUICE_BACKUP_PASSPHRASE: "a long passphrase" },
      /encrypted with SLUICE_BACKUP_PASSPHRASE/,
    ],
  ])("%s", (_case, environment, expected) => {
    expect(reported({ ...environment })).toMatch(expected);
    expect(reported({ ...environment })).not.toContain("a long passphrase");
  });

  it("how far the replacement of the secret is", () => {
    const words = (isFinished: boolean) =>
      describeStart(loadConfig({}), {
        ...facts,
        mail: "MAILBOX",
        sms: "MAILBOX",
        rotation: { renewed: 40, remaining: 2, unreadable: 0, isFinished },
      });
    expect(words(false)).toContain("40 values encrypted again, 2 to go");
    expect(words(true)).toContain("SLUICE_SECRET_PREVIOUS can be removed");
    expect(reported({})).not.toContain("SLUICE_SECRET_PREVIOUS");
  });
});
