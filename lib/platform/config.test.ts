import { describe, expect, it } from "vitest";
import { loadConfig } from "@/lib/platform/config";

describe("the configuration", () => {
  it("serves this machine alone by default, and the mailbox with it", () => {
    expect(loadConfig({})).toMatchObject({
      port: 3000,
      appUrl: "http://localhost:3000",
      host: "localhost",
      databaseUrl: null,
      demo: true,
      mailbox: true,
    });
  });

  it("derives the address from PORT, and takes an empty value for none", () => {
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
    [{ APP_URL: "sluice.example" }, "APP_URL"],
    [{ SLUICE_DEMO: "yes" }, "SLUICE_DEMO"],
    [{ WEBHOOK_ALLOW_PRIVATE: "yes" }, "WEBHOOK_ALLOW_PRIVATE"],
    [{ SLUICE_SECRET: "short" }, "SLUICE_SECRET"],
    [{ SUPPORT_EMAIL: "https://operator.example" }, "SUPPORT_EMAIL"],
    [{ DATABASE_URL: "postgres://localhost/sluice" }, "SLUICE_SECRET"],
    [{ TWILIO_FROM: "+12125550100" }, "TWILIO_ACCOUNT_SID"],
    [{ PLAID_CLIENT_ID: "id", PLAID_SECRET: "secret" }, "PLAID_ENV"],
    [{ PLAID_ENV: "staging" }, "PLAID_ENV"],
  ])("refuses %j and names what is wrong", (environment, name) => {
    expect(() => loadConfig(environment)).toThrow(name);
  });

  it("knows whom to ask only where the operator said so", () => {
    expect(loadConfig({}).supportEmail).toBeNull();
    expect(loadConfig({ SUPPORT_EMAIL: "help@operator.example" }).supportEmail).toBe("help@operator.example");
  });

  it.each([
    [{}, true],
    [{ APP_URL: "http://127.0.0.1:3000" }, true],
    [{ SLUICE_DEMO: "0" }, false],
    [{ APP_URL: "https://sluice.northwind.example" }, false],
    [{ APP_URL: "http://localhost.northwind.example" }, false],
    [{ SLUICE_DEMO: "0", APP_URL: "https://sluice.northwind.example" }, false],
    [{ WEBHOOK_ALLOW_PRIVATE: "0" }, false],
    [{ WEBHOOK_ALLOW_PRIVATE: "1", SLUICE_DEMO: "0", APP_URL: "https://sluice.northwind.example" }, true],
    [{ WEBHOOK_ALLOW_PRIVATE: "", SLUICE_DEMO: "0" }, false],
  ])(
    "with %j lets webhooks go to private addresses: %j, on its own only where the demo is tried out",
    (environment, allows) => {
      expect(loadConfig(environment).allowsPrivateWebhooks).toBe(allows);
    },
  );

  it("takes Plaid when all three of its variables are given", () => {
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

  it("never repeats a value: it may be a secret", () => {
    expect(() => loadConfig({ SLUICE_SECRET: "hunter2" })).toThrow(/^(?!.*hunter2)/s);
  });
});
