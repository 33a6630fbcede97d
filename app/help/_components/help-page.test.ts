import { expect, it } from "vitest";
import { mailHref } from "@/app/help/_components/help-page";

const INSTALLATION = { version: "0.1.0", isSandbox: true, mailWay: "MAILBOX", smsWay: "NONE" } as const;

const view = {
  organizationName: "Northwind Studio",
  installation: INSTALLATION,
  hostName: "sluice.example",
  requestId: null,
};

it("starts the email with what support asks for", () => {
  const url = new URL(mailHref({ ...view, requestId: "7fq2-m81x-k03d" }, "help@operator.example"));
  expect(decodeURIComponent(url.pathname)).toBe("help@operator.example");
  expect(url.searchParams.get("subject")).toBe("Sluice, Northwind Studio: request 7fq2-m81x-k03d");
  expect(url.searchParams.get("body")).toContain("Request id: 7fq2-m81x-k03d");
});

it("lets no name of an organization add a recipient or a line", () => {
  const name = "A&bcc=eve@evil.example\r\nBcc: eve";
  const url = new URL(
    mailHref({ ...view, organizationName: name }, "help@operator.example?bcc=eve@evil.example"),
  );
  expect([...url.searchParams.keys()]).toEqual(["subject", "body"]);
  expect(url.searchParams.get("subject")).toBe(`Sluice, ${name}`);
});
