import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { createPageHeaders, pagePolicy, setAnswerHeaders } from "@/lib/api/launcher/response-headers";

const NEEDS = { isDevelopment: false, hasPlaid: false, hasMailbox: false, appUrl: "https://money.example" };

function newAnswer(url = "/") {
  const request = new IncomingMessage(new Socket());
  request.url = url;
  return { request, response: new ServerResponse(request) };
}

describe("every answer", () => {
  it("demands https for a year, of subdomains too, where browsers come by https, and only there", () => {
    const [encrypted, plain] = [newAnswer(), newAnswer()];
    setAnswerHeaders(encrypted.response, true);
    setAnswerHeaders(plain.response, false);
    expect(encrypted.response.getHeader("strict-transport-security")).toBe(
      "max-age=31536000; includeSubDomains",
    );
    expect(plain.response.hasHeader("strict-transport-security")).toBe(false);
  });
});

it("serves a document in a sandbox, without the policy and the nonce of pages", () => {
  const { request, response } = newAnswer("/documents/transfer/document?shown=x");
  request.headers["content-security-policy"] = "script-src 'nonce-theirs'";
  setAnswerHeaders(response, true);
  createPageHeaders(NEEDS)(request, response);
  expect(response.getHeader("content-security-policy")).toMatch(/^sandbox; default-src 'none';/);
  expect(request.headers["content-security-policy"]).toBeUndefined();
  expect(response.getHeader("x-content-type-options")).toBe("nosniff");
  expect(response.getHeader("referrer-policy")).toBe("no-referrer");
  expect(response.getHeader("cross-origin-resource-policy")).toBe("same-origin");
});

describe("the policy of a page", () => {
  const directive = (policy: string, name: string) =>
    policy
      .split("; ")
      .find((each) => each.startsWith(`${name} `))
      ?.slice(name.length + 1);

  it("trusts no script by where it comes from, nor one without the nonce", () => {
    const policy = pagePolicy(NEEDS)("n0nce");
    expect(directive(policy, "script-src")).toBe("'nonce-n0nce' 'strict-dynamic'");
    expect(directive(policy, "default-src")).toBe("'none'");
    expect(directive(policy, "frame-src")).toBe("'none'");
    expect(policy).not.toContain("plaid");
    expect(policy).not.toContain("unsafe-eval");
  });

  it("sends nothing to another site, and loads nothing from one, except Plaid's where accounts are connected", () => {
    const outsideOf = (policy: string) =>
      [...policy.matchAll(/(?:https?|wss?):[^\s;]*|\*/g)]
        .map(([source]) => source)
        .filter((source) => source !== NEEDS.appUrl);
    for (const hasMailbox of [false, true]) {
      expect(outsideOf(pagePolicy({ ...NEEDS, hasMailbox })("n0nce"))).toEqual([]);
      const withPlaid = outsideOf(pagePolicy({ ...NEEDS, hasMailbox, hasPlaid: true })("n0nce"));
      expect(withPlaid.map((source) => new URL(source).hostname)).toEqual([
        "production.plaid.com",
        "sandbox.plaid.com",
        "cdn.plaid.com",
      ]);
    }
  });

  it("lets Plaid's frame in only where accounts are connected with it", () => {
    const policy = pagePolicy({ ...NEEDS, hasPlaid: true })("n0nce");
    expect(directive(policy, "frame-src")).toBe("https://cdn.plaid.com");
    expect(directive(policy, "script-src")).toBe("'nonce-n0nce' 'strict-dynamic'");
  });

  it("lets the browser compile nothing but in development", () => {
    expect(directive(pagePolicy({ ...NEEDS, isDevelopment: true })("x"), "script-src")).toContain(
      "'unsafe-eval'",
    );
  });
});

describe("a request for a page", () => {
  it("gets a nonce that its sender cannot choose, another one each time", () => {
    const setPageHeaders = createPageHeaders(NEEDS);
    const policies = [newAnswer(), newAnswer()].map(({ request, response }) => {
      request.headers["content-security-policy"] = "script-src 'nonce-chosen'";
      request.headers["content-security-policy-report-only"] = "script-src 'nonce-chosen'";
      setPageHeaders(request, response);
      expect(request.headers["content-security-policy-report-only"]).toBeUndefined();
      expect(request.headers["content-security-policy"]).toBe(response.getHeader("content-security-policy"));
      return String(response.getHeader("content-security-policy"));
    });
    expect(policies.join()).not.toContain("chosen");
    expect(new Set(policies).size).toBe(2);
  });

  it.each([
    ["/accounts", "same-origin-allow-popups"],
    ["/?approvalTransferId=x", "same-origin-allow-popups"],
    ["/connection", "same-origin-allow-popups"],
    ["/sign-in?next=%2Fconnect%2Fx", "unsafe-none"],
    ["/connect/abc", "unsafe-none"],
  ])("%s: a window that opened it keeps hold of it only on the way to a consent", (url, policy) => {
    const { request, response } = newAnswer(url);
    createPageHeaders(NEEDS)(request, response);
    expect(response.getHeader("cross-origin-opener-policy")).toBe(policy);
  });
});
