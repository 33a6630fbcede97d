import { readdirSync, readFileSync } from "node:fs";
import http from "node:http";
import { connect } from "node:net";
import { type APIRequestContext, expect, type Page, test } from "@playwright/test";
import { z } from "zod";
import { demo, openSignedIn, propose, signInWithoutForm } from "@/e2e/support/journey";
import { signInOverHttp } from "@/e2e/support/sign-in-over-http";
import { dashboardPath } from "@/lib/platform/project-path";

/** What holds for the running product, whatever a page, a stranger or another site tries. No page is left changed. */

/** Every way for injected markup to run something or to change where the page leads. */
const INJECTED = `
<script>window.ran = ["inline script"]</script>
<script src="/_next/static/injected.js"></script>
<script src="data:text/javascript,window.ran=['data address']"></script>
<img src="/logo.svg" onload="window.ran = ['event attribute']">
<iframe srcdoc="<script>parent.ran = ['frame']</script>"></iframe>
<object data="/logo.svg"></object>
<base href="https://elsewhere.example/">
<style>h1 { display: none }</style>
<img src="https://elsewhere.example/picture.png">
`;

/** The directives that must stop it, each at least once. */
const STOPPED_BY = [
  "base-uri",
  "img-src",
  "object-src",
  "script-src-attr",
  "script-src-elem",
  "style-src-elem",
];

test("a script injected into the markup of an approval does not run, nor anything else injected there", async ({
  browser,
}) => {
  const { approvalUrl } = await propose({
    amountInCents: 4_200,
    reasonForApproval: "Looked at by an attacker.",
  });
  const page = await browser.newPage();
  await signInWithoutForm(page, "OWNER");
  await page.route("**/?approvalTransferId=*", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace("<body>", `<body>${INJECTED}`);
    await route.fulfill({ response: answer, body });
  });
  const refused = await collectRefusals(page);
  await page.goto(approvalUrl);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.evaluate(followScriptAddress);
  // The page's own scripts do run: the above does not hold because nothing runs.
  await expect(page.getByRole("button", { name: /^Approve/ }).first()).toBeEnabled();
  expect(await page.evaluate(() => Reflect.get(window, "ran") ?? null)).toBeNull();
  expect(await page.evaluate(() => document.baseURI)).not.toContain("elsewhere.example");
  expect([...new Set(await refused())].sort()).toEqual(expect.arrayContaining(STOPPED_BY));
  await page.context().close();
});

/** React removes foreign nodes during hydration; this comes afterwards. */
function followScriptAddress(): void {
  const link = document.createElement("a");
  link.href = "javascript:window.ran=['script address']";
  document.body.append(link);
  link.click();
}

/** Listens before the page does. */
async function collectRefusals(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const directives: string[] = [];
    Reflect.set(window, "refusedDirectives", directives);
    document.addEventListener("securitypolicyviolation", (event) => {
      directives.push(event.effectiveDirective);
    });
  });
  return () =>
    page.evaluate(() => {
      const found: unknown = Reflect.get(window, "refusedDirectives");
      return Array.isArray(found) ? found.map(String) : [];
    });
}

test("each response has its own nonce, and no caller can choose it", async () => {
  const ask = () =>
    fetch(`${demo().appUrl}/sign-in`, {
      headers: {
        "Content-Security-Policy": "script-src 'nonce-chosen'",
        "Content-Security-Policy-Report-Only": "script-src 'nonce-chosen'",
      },
    });
  const nonces: string[] = [];
  for (const answer of [await ask(), await ask()]) {
    const html = await answer.text();
    const nonce = /script-src 'nonce-([^']+)'/.exec(answer.headers.get("content-security-policy") ?? "")?.[1];
    const scripts = html.match(/<script\b[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(3);
    expect(scripts.filter((script) => !script.includes(`nonce="${nonce}"`))).toEqual([]);
    expect(html).not.toContain("chosen");
    nonces.push(nonce ?? "");
  }
  expect(new Set(nonces).size).toBe(2);
  expect(Buffer.from(nonces[0] ?? "", "base64").length).toBe(16);
});

const ADDRESSES = [
  "/platform/v1/accounts",
  "/platform/v1/openapi.json",
  "/mcp",
  "/hooks/rules/x",
  "/.well-known/oauth-authorization-server",
  "/oauth/authorize",
  "/oauth/token",
  "/healthz",
  "/readyz",
  "/metrics",
  "/sign-in",
  "/live",
  "/nothing-here",
  "/api/auth/csrf",
  "/_next/static/nothing.js",
  "/fonts/hanken-grotesk-english.woff2",
  "/manifest.webmanifest",
];

test("every address answers with headers against framing, sniffing and use by other sites", async () => {
  for (const address of ADDRESSES) {
    const { headers } = await fetch(`${demo().appUrl}${address}`, { redirect: "manual" });
    const policy = headers.get("content-security-policy");
    expect(policy, address).toContain("default-src 'none'");
    expect(policy, address).toContain("frame-ancestors 'none'");
    expect(policy, address).toContain("base-uri 'none'");
    expect(policy, address).not.toMatch(
      /unsafe-eval|script-src[^;]*unsafe-inline|script-src[^;]*(https?:|\*)/,
    );
    expect(headers.get("x-content-type-options"), address).toBe("nosniff");
    expect(headers.get("x-frame-options"), address).toBe("DENY");
    expect(headers.get("referrer-policy"), address).toMatch(/^(no-referrer|same-origin)$/);
    expect(headers.get("cross-origin-resource-policy"), address).toBe("same-origin");
    expect(headers.get("x-powered-by"), address).toBeNull();
    expect(headers.get("server"), address).toBeNull();
  }
});

const EVIL = "https://evil.example";

test("another site can neither sign a member out or in, nor act as them: its origin is refused, and its forms lack the token", async ({
  request,
}) => {
  const { appUrl } = demo();
  await signInOverRequest(request);
  const signOut = (origin: string) =>
    request.post(`${appUrl}/help`, {
      headers: {
        Origin: origin,
        "Next-Action": actionId("signOut"),
        "Content-Type": "text/plain;charset=UTF-8",
      },
      data: "[]",
      maxRedirects: 0,
    });
  expect((await signOut(EVIL)).status()).toBeGreaterThanOrEqual(400);
  expect((await signOut("null")).status()).toBeGreaterThanOrEqual(400);
  await request.post(`${appUrl}/api/auth/signout`, { form: { csrfToken: "guessed" }, maxRedirects: 0 });
  expect(await isSignedIn(request)).toBe(true);
  const { cookies } = await request.storageState();
  const copy = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  // The same request from our own page succeeds: the refusals above were about the origin.
  await signOut(appUrl);
  expect(await isSignedIn(request)).toBe(false);
  const asCopied = await fetch(`${appUrl}/help`, { headers: { Cookie: copy }, redirect: "manual" });
  expect(asCopied.headers.get("location"), "a copy of a signed-out cookie").toContain("/sign-in");
  const { email, password } = demo().members[0] ?? { email: "", password: "" };
  await request.post(`${appUrl}/api/auth/callback/password`, {
    form: { csrfToken: "guessed", email, password },
    maxRedirects: 0,
  });
  expect(await isSignedIn(request), "signed in by a form of another site").toBe(false);
});

test("an action called where it does not exist is answered, and does not loop in the server", async () => {
  const { appUrl } = demo();
  for (const name of ["decide", "signOut", "createAccount", "moveClock"]) {
    for (const path of ["/", "/nothing-here", "/overview"]) {
      const answer = await fetch(`${appUrl}${path}`, {
        method: "POST",
        headers: {
          Origin: appUrl,
          "Next-Action": actionId(name),
          "Content-Type": "text/plain;charset=UTF-8",
        },
        body: "[{}]",
        redirect: "manual",
        signal: AbortSignal.timeout(30_000),
      });
      expect(answer.status, `${name} at ${path}`).toBeLessThan(500);
      await answer.text();
    }
  }
});

test("a planted cookie is not adopted, each sign-in has its own session, and scripts see none of it", async () => {
  const { appUrl } = demo();
  const sessions: string[] = [];
  for (const planted of ["next-auth.session-token=planted", ""]) {
    const begun = await fetch(`${appUrl}/api/auth/csrf`);
    const { csrfToken } = Object(await begun.json());
    const cookies = begun.headers.getSetCookie().map((each) => each.split(";", 1)[0]);
    const { email, password } = demo().members[0] ?? { email: "", password: "" };
    const answer = await fetch(`${appUrl}/api/auth/callback/password`, {
      method: "POST",
      redirect: "manual",
      headers: {
        Cookie: [...cookies, planted].join("; "),
        "Content-Type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams({ csrfToken: String(csrfToken), email, password }),
    });
    const cookie = answer.headers.getSetCookie().find((each) => each.includes("session-token")) ?? "";
    expect(cookie).toMatch(/; *HttpOnly/i);
    expect(cookie).toMatch(/; *SameSite=Lax/i);
    expect(cookie).toMatch(/; *Path=\/(;|$)/i);
    expect(cookie).not.toMatch(/domain=/i);
    sessions.push(cookie.split(";", 1)[0] ?? "");
  }
  expect(new Set(sessions).size).toBe(2);
  const asPlanted = await fetch(`${appUrl}/help`, {
    headers: { Cookie: "next-auth.session-token=planted" },
    redirect: "manual",
  });
  expect(asPlanted.headers.get("location")).toContain("/sign-in");
});

test("no link of ours leads to another site, and no host name from a request is reflected", async () => {
  const { appUrl } = demo();
  const paths = [
    "/",
    "/sign-in",
    "/forgot",
    "/api/auth/providers",
    "/api/auth/signin",
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-protected-resource/mcp",
    "/platform/v1/openapi.json",
    "/mcp",
    `/sign-in?next=${encodeURIComponent("//named.example/")}`,
  ];
  for (const path of paths) {
    const answer = await askRaw(new URL(appUrl), path, {
      Host: "named.example",
      "X-Forwarded-Host": "named.example",
      Forwarded: "host=named.example",
    });
    expect(answer.status, path).toBeLessThan(500);
    expect(answer.headers, path).not.toMatch(/^location: .*named\.example/im);
    if (!path.includes("named.example")) expect(answer.body, path).not.toContain("named.example");
  }
  for (const next of [
    `${EVIL}/`,
    "//evil.example",
    "/\\evil.example",
    "/.//evil.example",
    "javascript:alert(1)",
  ]) {
    const html = await (await fetch(`${appUrl}/sign-in?${new URLSearchParams({ next })}`)).text();
    expect(html).not.toMatch(/(href|action|formaction)="[^"]*(evil\.example|javascript:)/i);
    const signedOut = await fetch(`${appUrl}/api/auth/signin?${new URLSearchParams({ callbackUrl: next })}`, {
      redirect: "manual",
    });
    const location = new URL(signedOut.headers.get("location") ?? "/", appUrl);
    expect(location.origin).toBe(new URL(appUrl).origin);
  }
});

test("a path that climbs, doubles or hides its slashes reaches no other file or address", async () => {
  const tricks = [
    "/_next/static/../../package.json",
    "/_next/static/%2e%2e/%2e%2e/package.json",
    "/_next/static/..%2f..%2fpackage.json",
    "/_next/static/..%5c..%5cpackage.json",
    "/fonts/../../package.json",
    "/fonts/%2e%2e%2f%2e%2e%2fpackage.json",
    "//platform/v1/accounts",
    "/platform/v1/../../package.json",
    "/platform%2fv1/accounts",
    "/PLATFORM/V1/accounts",
    "/platform/v1/accounts%00.json",
    "/.next/BUILD_ID",
    "/.build/current",
    "/.git/config",
    "/.env",
    "/package.json",
    "/..;/accounts",
    "/%",
    "/%ff",
  ];
  for (const path of tricks) {
    const { status, body } = await askRaw(new URL(demo().appUrl), path, {});
    expect(status, path).toBeGreaterThanOrEqual(300);
    expect(status, path).toBeLessThan(500);
    expect(body, path).not.toMatch(/"dependencies"|\[core\]|repositoryformatversion/);
  }
});

test("a request is not echoed to its sender", async () => {
  for (const path of ["/", "/platform/v1/accounts", "/mcp", "/oauth/token", "/healthz"]) {
    const { status, body } = await askRaw(new URL(demo().appUrl), path, { "X-Mine": "echoed" }, "TRACE");
    expect(status, path).toBeGreaterThanOrEqual(300);
    expect(status, path).toBeLessThan(500);
    expect(body, path).not.toContain("echoed");
  }
});

test("a request that two parsers would read differently is refused", async () => {
  const { host, hostname, port } = new URL(demo().appUrl);
  const requests = [
    `POST /platform/v1/transfers HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `POST /platform/v1/transfers HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`,
    `POST /platform/v1/transfers HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nX-A: b\r\n folded\r\n\r\n`,
    "GET /healthz HTTP/1.1\r\nHost : x\r\n\r\n",
    "GET /healthz HTTP/1.1\r\n\r\n",
    `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nX-Long: ${"x".repeat(40_000)}\r\n\r\n`,
  ];
  for (const text of requests) {
    expect(await sendText(hostname, Number(port), text), text.slice(0, 120)).toMatch(/^HTTP\/1\.1 4(00|31) /);
  }
});

test("pages of another site cannot read responses of the API, and no cache keeps a member's own data", async ({
  request,
}) => {
  const { appUrl, apiUrl, apiKey } = demo();
  const answer = await fetch(`${apiUrl}/accounts`, {
    headers: { Origin: EVIL, Authorization: `Bearer ${apiKey}` },
  });
  expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const asked = await fetch(`${apiUrl}/accounts`, {
    method: "OPTIONS",
    headers: { Origin: EVIL, "Access-Control-Request-Method": "GET" },
  });
  expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([404, null]);
  await signInOverRequest(request);
  const none = "01900000-0000-7000-8000-000000000000";
  // Pages are checked one by one in every-page.spec.ts. What else answers a GET, by its file:
  const answers: Record<string, string> = {
    "app/api/auth/[...nextauth]/route.ts": "/api/auth/session",
    "app/approvals/[id]/version/route.ts": `/approvals/${none}/version`,
    "app/approvals/review/progress/route.ts": `/approvals/review/progress?id=${none}`,
    "app/approvals/export/route.ts": "/approvals/export",
    "app/audit/activity/export/route.ts": "/audit/activity/export",
    "app/audit/export/[format]/route.ts": "/audit/export/csv",
    "app/documents/[transferId]/[documentId]/route.ts": `/documents/${none}/${none}`,
    "app/live/route.ts": "/live",
    "app/settings/api-keys/[id]/first-use/route.ts": `/settings/api-keys/${none}/first-use`,
    "app/settings/fraud-monitoring/export/route.ts": "/settings/fraud-monitoring/export",
    "app/settings/year-end/[year]/zip/route.ts": "/settings/year-end/2025/zip",
    "app/transfers/cards/export/route.ts": "/transfers/cards/export",
    "app/transfers/export/route.ts": "/transfers/export",
    "app/transfers/outside/export/route.ts": "/transfers/outside/export",
  };
  expect(Object.keys(answers).sort()).toEqual(routesThatAnswer());
  for (const path of ["/", "/accounts", ...Object.values(answers)]) {
    const page = await request.get(`${appUrl}${path}`);
    expect(page.headers()["cache-control"], path).toContain("no-store");
    expect(page.headers()["access-control-allow-origin"], path).toBeUndefined();
  }
});

/** Route handlers that export a GET. */
function routesThatAnswer(): string[] {
  return readdirSync("app", { recursive: true, encoding: "utf8" })
    .map((path) => `app/${path}`)
    .filter((path) => path.endsWith("/route.ts") && /export[^;]*\bGET\b/.test(readFileSync(path, "utf8")))
    .sort();
}

async function signInOverRequest(request: APIRequestContext): Promise<void> {
  const { appUrl, members } = demo();
  const { csrfToken } = await (await request.get(`${appUrl}/api/auth/csrf`)).json();
  const { email, password } = members[0] ?? { email: "", password: "" };
  await request.post(`${appUrl}/api/auth/callback/password`, {
    form: { csrfToken, email, password },
    maxRedirects: 0,
  });
  expect(await isSignedIn(request)).toBe(true);
}

async function isSignedIn(request: APIRequestContext): Promise<boolean> {
  return (await request.get(`${demo().appUrl}/help`)).url().endsWith("/help");
}

/** The name under which a page calls a server action, as the build wrote it. */
function actionId(name: string): string {
  const manifest = z
    .object({ node: z.record(z.string(), z.object({ exportedName: z.string() })) })
    .parse(JSON.parse(readFileSync(dashboardPath("server/server-reference-manifest.json"), "utf8")));
  const found = Object.entries(manifest.node).find(([, { exportedName }]) => exportedName === name);
  if (!found) throw new Error(`There is no server action ${name}`);
  return found[0];
}

/** A request whose path and headers are sent unchanged. */
function askRaw(server: URL, path: string, headers: Record<string, string>, method = "GET") {
  return new Promise<{ status: number; headers: string; body: string }>((resolve, reject) => {
    const asked = http.request(
      { hostname: server.hostname, port: server.port, path, headers, method },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () => {
          const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`);
          resolve({
            status: answer.statusCode ?? 0,
            headers: lines.join("\n"),
            body: Buffer.concat(chunks).toString(),
          });
        });
      },
    );
    asked.on("error", reject);
    asked.end();
  });
}

/** The response to bytes that no client library would send. */
function sendText(host: string, port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk.toString();
      socket.end();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
    socket.write(text);
  });
}

test("a flood of pages without sign-in is refused beyond its bound, while a member's page opens", async () => {
  const { appUrl } = demo();
  const cookie = await signInOverHttp(demo(), appUrl);
  const flood = Array.from({ length: 160 }, () =>
    fetch(`${appUrl}/sign-in`, { headers: { Cookie: "next-auth.session-token=forged" } }),
  );
  const member = await fetch(`${appUrl}/help`, { headers: { Cookie: cookie }, redirect: "manual" });
  expect(member.status).toBe(200);
  const answers = await Promise.all(flood);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeLessThan(answers.length);
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
  expect(new Set(refused.map(({ headers }) => headers.get("retry-after")))).toEqual(new Set(["10"]));
  await Promise.all(answers.map((answer) => answer.text()));
});

test("an approval link that is cut off says so, to those who are not signed in as well", async ({ page }) => {
  const link = `${demo().appUrl}/?approvalTransferId=01a228ac-f939`;
  const title = page.getByRole("heading", { name: "This approval link leads nowhere" });
  await page.goto(link);
  await expect(title).toBeVisible();
  await expect(page.getByText("There is no page at")).toHaveCount(0);
  await openSignedIn(page, link);
  await expect(title).toBeVisible();
});
