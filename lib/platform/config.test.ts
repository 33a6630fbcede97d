import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { findMisspelt, loadConfig, withoutSecrets } from "@/lib/platform/config";

const MERCURY_ACCOUNT = "4560b56a-3a08-41e9-a549-5b373eacd5d3";
const MERCURY = {
  MERCURY_API_TOKEN: "secret-token:mercury",
  MERCURY_ENV: "sandbox",
  MERCURY_ACCOUNT_ID: MERCURY_ACCOUNT,
  SMTP_URL: "smtp://localhost",
};
const INCREASE = { INCREASE_API_KEY: "key", INCREASE_ENV: "sandbox", SMTP_URL: "smtp://localhost" };
const REAL_MONEY = { ...INCREASE, INCREASE_ENV: "production", SLUICE_REAL_MONEY: "yes" };

describe("the configuration", () => {
  it.each([
    [{ PORT: "abc" }, "PORT: must be a number"],
    [{ PORT: "3000.5" }, "PORT: must be a whole number"],
    [{ PORT: "70000" }, "PORT: must be at most 65535"],
    [{ SLUICE_BACKUPS_KEPT: "0" }, "SLUICE_BACKUPS_KEPT: must be at least 1"],
    [{ SLUICE_DEMO: "true" }, "SLUICE_DEMO: must be one of 0, 1"],
    [{ LOG_LEVEL: "loud" }, "LOG_LEVEL: must be one of debug, info, warn, error, silent"],
    [{ MAIL_FROM: "a" }, "MAIL_FROM: must have at least 3 characters"],
    [{ APP_URL: "sluice.example.com" }, "APP_URL: must be an address such as https://sluice.example.com"],
    [{ SMTP_URL: "mail" }, "SMTP_URL: must be an address such as smtps://user:password@mail.example.com"],
    [
      { INCREASE_BASE_URL: "https://localhost" },
      "INCREASE_BASE_URL: must be the address of an emulator, such as http://localhost:4800",
    ],
    [{ MERCURY_ACCOUNT_ID: "1" }, "MERCURY_ACCOUNT_ID: must be the id of an account at Mercury"],
  ])("says what the variable of %j must be", (environment, words) => {
    expect(() => loadConfig(environment)).toThrow(`Configuration is not usable:\n  ${words}`);
  });

  it("by default serves only this machine, with the mailbox", () => {
    expect(loadConfig({})).toMatchObject({
      port: 3000,
      appUrl: "http://localhost:3000",
      host: "localhost",
      databaseUrl: null,
      demo: true,
      mailbox: true,
    });
  });

  it("runs every role in one process by default, else those configured", () => {
    expect(loadConfig({ SLUICE_ROLES: "" }).roles).toEqual({ web: true, api: true, worker: true });
    expect(loadConfig({ SLUICE_ROLES: "worker , api,web" }).roles.web).toBe(true);
    const parts = { SLUICE_ROLES: "api, worker", APP_URL: "http://localhost:3000" };
    expect(loadConfig(parts).roles).toEqual({ web: false, api: true, worker: true });
  });

  it("derives the address from PORT, and treats an empty value as unset", () => {
    expect(loadConfig({ PORT: "4100", APP_URL: "" }).appUrl).toBe("http://localhost:4100");
  });

  it.each(["https://sluice.northwind.example", "https://sluice.northwind.example/"])(
    "opens to the network behind %s, without the mailbox",
    (appUrl) => {
      expect(loadConfig({ APP_URL: appUrl })).toMatchObject({
        appUrl: "https://sluice.northwind.example",
        host: "0.0.0.0",
        mailbox: false,
      });
    },
  );

  it.each([
    [{ PORT: "70000" }, "PORT"],
    [{ METRICS_TOKEN: "short" }, "METRICS_TOKEN"],
    [{ SLUICE_DRAIN_SECONDS: "-1" }, "SLUICE_DRAIN_SECONDS"],
    [{ SLUICE_SECRET_FILE: "/nowhere/secret" }, "SLUICE_SECRET_FILE"],
    [{ SLUICE_SECRET: "x".repeat(32), SLUICE_SECRET_FILE: "/nowhere" }, "not both"],
    [{ SLUICE_ROLES: "web,wroker", APP_URL: "http://localhost:3000" }, "web, api, worker"],
    [{ SLUICE_ROLES: "," }, "SLUICE_ROLES"],
    [{ SLUICE_ROLES: "worker" }, "APP_URL"],
    [{ APP_URL: "sluice.example" }, "APP_URL"],
    [{ APP_URL: "http://sluice.example.com" }, "SLUICE_ALLOW_HTTP"],
    [{ APP_URL: "http://192.168.1.7:3000" }, "SLUICE_ALLOW_HTTP"],
    [{ HOST: "0.0.0.0" }, "HOST"],
    [{ HOST: "::", APP_URL: "https://localhost" }, "HOST"],
    [{ HOST: "sluice.lan", APP_URL: "http://127.0.0.1:3000" }, "HOST"],
    [{ SLUICE_DEMO: "yes" }, "SLUICE_DEMO"],
    [{ WEBHOOK_ALLOW_PRIVATE: "yes" }, "WEBHOOK_ALLOW_PRIVATE"],
    [{ SLUICE_SECRET: "short" }, "SLUICE_SECRET"],
    [{ SUPPORT_EMAIL: "https://operator.example" }, "SUPPORT_EMAIL"],
    [{ DATABASE_URL: "postgres://localhost/sluice" }, "SLUICE_SECRET"],
    [{ DATABASE_URL: "postgresql://a,,b/sluice" }, "DATABASE_URL: names a host without a name"],
    [{ DATABASE_URL: "postgresql://a,b/sluice?target_session_attrs=standby" }, "read-write or primary"],
    [{ DATABASE_URL: "postgres://a/sluice?host=b,c&port=1,2,3" }, "2 hosts and 3 ports"],
    [{ DATABASE_URL: "mysql://a/sluice" }, "DATABASE_URL"],
    [{ TWILIO_FROM: "+12125550100" }, "TWILIO_ACCOUNT_SID"],
    [{ PLAID_CLIENT_ID: "id", PLAID_SECRET: "secret" }, "PLAID_ENV"],
    [{ PLAID_ENV: "staging" }, "PLAID_ENV"],
    [{ INCREASE_API_KEY: "key" }, "INCREASE_ENV"],
    [{ INCREASE_ENV: "sandbox" }, "INCREASE_API_KEY"],
    [{ INCREASE_WEBHOOK_SECRET: "s".repeat(16) }, "INCREASE_API_KEY"],
    [{ ...INCREASE, INCREASE_WEBHOOK_SECRET: "short" }, "INCREASE_WEBHOOK_SECRET"],
    [{ ...INCREASE, INCREASE_ENV: "staging" }, "INCREASE_ENV"],
    [{ ...INCREASE, INCREASE_ENV: "production" }, "SLUICE_REAL_MONEY=yes"],
    [{ ...INCREASE, INCREASE_ENV: "production", SLUICE_REAL_MONEY: "1" }, "SLUICE_REAL_MONEY"],
    [{ ...REAL_MONEY, PLAID_CLIENT_ID: "id", PLAID_SECRET: "s", PLAID_ENV: "sandbox" }, "PLAID_ENV=sandbox"],
    [{ ...REAL_MONEY, SLUICE_DEMO: "1" }, "SLUICE_DEMO"],
    [{ ...REAL_MONEY, SMTP_URL: "" }, "SMTP_URL"],
    [{ ...INCREASE, SLUICE_DEMO: "1" }, "SLUICE_DEMO"],
    [{ ...INCREASE, SMTP_URL: "" }, "SMTP_URL"],
    [{ ...INCREASE, INCREASE_BASE_URL: "http://bank.example" }, "INCREASE_BASE_URL"],
    [{ MERCURY_API_TOKEN: "token" }, "MERCURY_ACCOUNT_ID"],
    [{ MERCURY_WEBHOOK_SECRET: "s".repeat(20) }, "MERCURY_API_TOKEN"],
    [{ ...MERCURY, MERCURY_ENV: "production" }, "SLUICE_REAL_MONEY=yes"],
    [{ ...MERCURY, MERCURY_ACCOUNT_ID: "0123456789" }, "MERCURY_ACCOUNT_ID"],
    [{ ...MERCURY, MERCURY_SEND: "always" }, "MERCURY_SEND"],
    [{ ...MERCURY, MERCURY_WEBHOOK_SECRET: "short" }, "MERCURY_WEBHOOK_SECRET"],
    [{ ...MERCURY, SLUICE_DEMO: "1" }, "SLUICE_DEMO"],
    [{ ...MERCURY, SMTP_URL: "" }, "SMTP_URL"],
    [{ ...MERCURY, SLUICE_SIGNUP: "open" }, "SLUICE_SIGNUP"],
    [{ ...MERCURY, MERCURY_BASE_URL: "http://bank.example" }, "MERCURY_BASE_URL"],
    [{ ...MERCURY, ...INCREASE }, "the money is at one bank"],
  ])("refuses %j and names what is wrong", (environment, name) => {
    expect(() => loadConfig(environment)).toThrow(name);
  });

  const ownDatabase = { DATABASE_URL: "postgres://localhost/sluice", SLUICE_SECRET: "s".repeat(32) };
  it.each([
    [{}, true],
    [{ APP_URL: "http://127.0.0.1:3000" }, true],
    [{ SLUICE_DEMO: "" }, true],
    [{ SLUICE_DEMO: "0" }, false],
    [{ APP_URL: "https://sluice.northwind.example" }, false],
    [ownDatabase, false],
    [{ ...ownDatabase, APP_URL: "https://sluice.northwind.example" }, false],
    [{ APP_URL: "https://sluice.northwind.example", SLUICE_DEMO: "1" }, true],
    [{ ...ownDatabase, SLUICE_DEMO: "1" }, true],
  ])(
    "with %j makes a demo: %j, by itself only on this machine and in its own database",
    (environment, demo) => {
      expect(loadConfig(environment).demo).toBe(demo);
    },
  );

  it("names a contact for help only if the operator configured one", () => {
    expect(loadConfig({}).supportEmail).toBeNull();
    expect(loadConfig({ SUPPORT_EMAIL: "help@operator.example" }).supportEmail).toBe("help@operator.example");
  });

  it.each([
    [{}, true],
    [{ APP_URL: "http://127.0.0.1:3000" }, true],
    [{ SLUICE_DEMO: "0" }, false],
    [{ APP_URL: "https://sluice.northwind.example" }, false],
    [{ APP_URL: "http://localhost.northwind.example", SLUICE_ALLOW_HTTP: "1" }, false],
    [{ SLUICE_DEMO: "0", APP_URL: "https://sluice.northwind.example" }, false],
    [ownDatabase, false],
    [{ WEBHOOK_ALLOW_PRIVATE: "0" }, false],
    [{ WEBHOOK_ALLOW_PRIVATE: "1", SLUICE_DEMO: "0", APP_URL: "https://sluice.northwind.example" }, true],
    [{ WEBHOOK_ALLOW_PRIVATE: "", SLUICE_DEMO: "0" }, false],
  ])(
    "with %j lets webhooks go to private addresses: %j, on its own only where the demo is tried out",
    (environment, allows) => {
      expect(loadConfig(environment).allowsPrivateWebhooks).toBe(allows);
    },
  );

  it("uses Increase when it is configured, and makes no demo beside it", () => {
    expect(loadConfig({}).increase).toBeNull();
    expect(loadConfig(INCREASE)).toMatchObject({
      increase: {
        apiKey: "key",
        environment: "sandbox",
        programId: null,
        entityId: null,
        baseUrl: null,
        webhookSecret: null,
      },
      demo: false,
    });
    const emulated = loadConfig({ ...INCREASE, INCREASE_BASE_URL: "http://127.0.0.1:4225/" });
    expect(emulated.increase?.baseUrl).toBe("http://127.0.0.1:4225");
  });

  it("uses Mercury when it is configured: payments wait for approval there, unless sent directly", () => {
    expect(loadConfig({}).mercury).toBeNull();
    expect(loadConfig(MERCURY)).toMatchObject({
      mercury: {
        token: "secret-token:mercury",
        accountId: MERCURY_ACCOUNT,
        send: "REQUEST",
        webhookSecret: null,
      },
      demo: false,
    });
    const direct = loadConfig({
      ...MERCURY,
      MERCURY_SEND: "direct",
      MERCURY_BASE_URL: "http://localhost:4226",
    });
    expect(direct.mercury).toMatchObject({ send: "DIRECT", baseUrl: "http://localhost:4226" });
  });

  it("moves real money only when the operator says so, in words that say what it means", () => {
    expect(loadConfig(REAL_MONEY)).toMatchObject({ increase: { environment: "production" }, demo: false });
    expect(() => loadConfig({ ...REAL_MONEY, SLUICE_REAL_MONEY: "" })).toThrow(
      "INCREASE_ENV=production moves real money: approved transfers and the runs of rules leave the bank and cannot be recalled.",
    );
    expect(loadConfig({ SLUICE_REAL_MONEY: "yes" }).increase).toBeNull();
  });

  it("uses Plaid when all three of its variables are set", () => {
    expect(loadConfig({}).plaid).toBeNull();
    expect(loadConfig({ PLAID_CLIENT_ID: "id", PLAID_SECRET: "s", PLAID_ENV: "production" }).plaid).toEqual({
      clientId: "id",
      secret: "s",
      environment: "production",
      returnsByAddress: false,
    });
    const all = { PLAID_CLIENT_ID: "id", PLAID_SECRET: "s", PLAID_ENV: "sandbox", PLAID_RETURN: "1" };
    expect(loadConfig(all).plaid).toMatchObject({ returnsByAddress: true });
  });

  it("reads secrets from files, without the trailing newline that editors leave", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sluice-config-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, "secret");
    await writeFile(file, `${"s".repeat(40)}\n`);
    expect(loadConfig({ SLUICE_SECRET_FILE: file, METRICS_TOKEN_FILE: "" }).secret).toBe("s".repeat(40));
    await writeFile(file, "too short");
    expect(() => loadConfig({ SLUICE_SECRET_FILE: file })).toThrow("SLUICE_SECRET");
  });

  it.each([
    [{}, false],
    [{ OTEL_SERVICE_NAME: "sluice" }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" }, true],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://collector:4318/v1/traces" }, true],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318", OTEL_SDK_DISABLED: "true" }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318", OTEL_TRACES_EXPORTER: "none" }, false],
  ])("with %j sends traces: %j", (environment, hasTraces) => {
    expect(loadConfig(environment).hasTraces).toBe(hasTraces);
  });

  it("never repeats a value: it may be a secret", () => {
    expect(() => loadConfig({ SLUICE_SECRET: "hunter2" })).toThrow(/^(?!.*hunter2)/s);
  });
});

it.each([
  ["SLUICE_BACKUP_KEPT", "SLUICE_BACKUPS_KEPT"],
  ["SLUICE_DATADIR", "SLUICE_DATA_DIR"],
  ["SLUICE_SECERT_FILE", "SLUICE_SECRET_FILE"],
  ["SLUICE_DRAIN_SECOND", "SLUICE_DRAIN_SECONDS"],
])("%s is reported with the nearest name, %s, and never its value", (name, nearest) => {
  const [line, ...others] = findMisspelt({ [name]: "hunter2", PATH: "/bin" });
  expect(line).toBe(`${name} is set, and Sluice has no such variable. Did you mean ${nearest}?`);
  expect(others).toEqual([]);
});

it("a name without a near match is reported alone; known names and those of other programs are not reported", () => {
  expect(findMisspelt({ SLUICE_FRONTEND_COLOR_SCHEME: "dark" })).toEqual([
    "SLUICE_FRONTEND_COLOR_SCHEME is set, and Sluice has no such variable.",
  ]);
  expect(
    findMisspelt({ SLUICE_ROLES: "web", SLUICE_SECRET_FILE: "/x", SLUICE_KEY: "k", DATABASE_URI: "x" }),
  ).toEqual([]);
});

it("reports a bounded number of names", () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`SLUICE_UNKNOWN_${index}`, "1"]));
  expect(findMisspelt(many)).toHaveLength(10);
});

describe("backups", () => {
  const RECIPIENT = "age1y3fqctk23ds4q2e2dfdr9lmpc3xtzgef0jfytpjpzsman34jfyhswvemtu";

  it("have a passphrase or public keys, not both, and no other text", () => {
    expect(loadConfig({ SLUICE_BACKUP_PASSPHRASE: "a long passphrase" }).backups.recipients).toEqual([
      { passphrase: "a long passphrase" },
    ]);
    expect(
      loadConfig({ SLUICE_BACKUP_RECIPIENT: `${RECIPIENT}, ${RECIPIENT}` }).backups.recipients,
    ).toHaveLength(2);
    expect(() =>
      loadConfig({ SLUICE_BACKUP_PASSPHRASE: "a long passphrase", SLUICE_BACKUP_RECIPIENT: RECIPIENT }),
    ).toThrow("not both");
    expect(() => loadConfig({ SLUICE_BACKUP_PASSPHRASE: "short" })).toThrow("at least 16 characters");
    expect(() => loadConfig({ SLUICE_BACKUP_RECIPIENT: "age1nothing" })).toThrow("public keys of age");
    expect(() => loadConfig({ SLUICE_BACKUP_IDENTITY: "AGE-SECRET-KEY-1NOTHING" })).toThrow("age-keygen");
  });

  it("and secrets never appear in an error", () => {
    for (const name of ["SLUICE_BACKUP_RECIPIENT", "SLUICE_BACKUP_IDENTITY", "SLUICE_SECRET_PREVIOUS"])
      expect(() => loadConfig({ [name]: "hunter2" })).toThrow(expect.not.stringContaining("hunter2"));
  });

  it("have a command that is an absolute path", () => {
    expect(() => loadConfig({ SLUICE_BACKUP_COMMAND: "rclone copy" })).toThrow("absolute path of a program");
  });

  it("are not given to the operator's programs with secrets", () => {
    const given = {
      SLUICE_SECRET: "x",
      SLUICE_BACKUP_PASSPHRASE_FILE: "y",
      DATABASE_URL: "z",
      RCLONE_CONFIG: "theirs",
    };
    expect(withoutSecrets(given)).toEqual({ RCLONE_CONFIG: "theirs" });
  });
});

it("a previous secret must be another one", () => {
  const secret = "a secret of tests that has enough characters";
  expect(() => loadConfig({ SLUICE_SECRET: secret, SLUICE_SECRET_PREVIOUS: secret })).toThrow("is the same");
});
