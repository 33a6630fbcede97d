import nodeConsole from "node:console";
import { createServer } from "node:http";
import { afterAll, expect, it, test, vi } from "vitest";
import { AppError } from "@/lib/contract/error";
import { formatCents, writeCents } from "@/lib/contract/format-cents";
import {
  beginAction,
  isUnreadableAction,
  noteLogged,
  openPageRequests,
  readReader,
} from "@/lib/next/page-request";
import { newFacts } from "@/lib/platform/observe/request-facts";
import { portOf } from "@/lib/testing/servers/raw-server";

/** Acts as Next: reports the error to instrumentation.ts, then answers 500. */
const forRequest = openPageRequests();
let act = (): boolean => false;
/** The status that the log will show. */
let logged = 0;
const server = createServer((request, response) => {
  forRequest(request, response, newFacts(), async () => {
    await Promise.resolve();
    response.setHeader("X-Told", String(act()));
    response.statusCode = 500;
    response.end();
    response.statusCode = 500;
    logged = response.statusCode;
  });
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
afterAll(() => {
  server.close();
  globalThis.sluiceProcess = undefined;
});

async function statusWhen(broken: () => boolean): Promise<number> {
  act = broken;
  const { status } = await fetch(`http://127.0.0.1:${portOf(server)}`, { method: "POST" });
  expect(logged).toBe(status);
  return status;
}

it("answers 400 to a call with unreadable arguments: the action had not started", async () => {
  expect(await statusWhen(() => isUnreadableAction(new SyntaxError("Unexpected token"), "action"))).toBe(400);
});

it("answers 400 to a form whose fields are rejected before the page's scripts run", async () => {
  const refused = new AppError("INVALID_PARAMETERS", "no");
  expect(await statusWhen(() => isUnreadableAction(refused, "render"))).toBe(400);
});

it("answers 400 to a body that Node cannot parse as a form", async () => {
  const body = new Response("x", { headers: { "Content-Type": "multipart/form-data; boundary=y" } });
  const error = await body.formData().catch((reason: unknown) => reason);
  expect(await statusWhen(() => isUnreadableAction(error, "render"))).toBe(400);
});

it("stays 500 for a server error, in an action that had started and in the page", async () => {
  const inAction = () => {
    beginAction();
    return isUnreadableAction(new Error("ours"), "action");
  };
  expect(await statusWhen(inAction)).toBe(500);
  expect(await statusWhen(() => isUnreadableAction(new Error("ours"), "render"))).toBe(500);
  expect(await statusWhen(() => false)).toBe(500);
});

it("leaves out what Next prints of a call with unreadable arguments and of logged errors, and prints the rest", async () => {
  let printed = "";
  const writing = vi.spyOn(process.stderr, "write").mockImplementation((chunk) => {
    printed += String(chunk);
    return true;
  });
  try {
    // Next prints some errors before it reports them.
    const printing = (error: Error, routeType: string) => () => {
      nodeConsole.error("⨯", error);
      return isUnreadableAction(error, routeType);
    };
    expect(await statusWhen(printing(new SyntaxError("Unexpected token"), "action"))).toBe(400);
    const known = Object.assign(new Error("known"), {
      detail: "Key (email)=(mara@example.com) already exists.",
    });
    const logging = () => {
      const isUnreadable = printing(known, "render")();
      noteLogged(known);
      nodeConsole.error("⨯", known);
      return isUnreadable;
    };
    expect(await statusWhen(logging)).toBe(500);
    act = logging;
    await fetch(`http://127.0.0.1:${portOf(server)}`);
    expect(await statusWhen(printing(new Error("ours"), "render"))).toBe(500);
    await expect.poll(() => printed).toContain("ours");
    expect(printed).not.toContain("Unexpected token");
    expect(printed).not.toMatch(/known|mara/);
  } finally {
    writing.mockRestore();
  }
});

it("blames no caller outside a request", () => {
  expect(isUnreadableAction(new Error("x"), "action")).toBe(false);
});

test("concurrent requests each use the language of their own reader", async () => {
  const written: Record<string, string[]> = {};
  const languages = createServer((request, response) => {
    forRequest(request, response, newFacts(), async () => {
      await new Promise((resolve) => setImmediate(resolve));
      written[request.headers["accept-language"] ?? ""] = [formatCents(425_000), writeCents(425_000)];
      response.end();
    });
  });
  await new Promise<void>((resolve) => languages.listen(0, "127.0.0.1", resolve));
  const ask = (language: string) =>
    fetch(`http://127.0.0.1:${portOf(languages)}`, { headers: { "Accept-Language": language } });
  await Promise.all([ask("de-DE,en;q=0.5"), ask("en-US")]);
  languages.close();
  expect(written).toEqual({
    "de-DE,en;q=0.5": ["4.250,00\u00a0$", "$4,250.00"],
    "en-US": ["$4,250.00", "$4,250.00"],
  });
  expect(formatCents(425_000)).toBe("$4,250.00");
});

test.each([
  ["theme=DARK; zone=Europe%2FBerlin; x=1", "Europe/Berlin"],
  ["zone=America/New_York", "America/New_York"],
  ["timezone=Europe/Berlin", null],
  ["zone=%E0%A4%A", null],
  [`${"a=1; ".repeat(200)}zone=UTC`, null],
  [undefined, null],
])("the cookies %j name the zone %s", (cookie, timeZone) => {
  expect(readReader({ cookie }).timeZone).toBe(timeZone);
});
