import { createServer } from "node:http";
import { afterAll, expect, it } from "vitest";
import { AppError } from "@/lib/contract/error";
import { beginAction, isUnreadableAction } from "@/lib/next/action-under-way";
import { openForActions } from "@/lib/next/open-for-actions";
import { portOf } from "@/lib/testing/raw-server";

/** Plays Next: something broke, so it says so to instrumentation.ts, and answers 500. */
const forActions = openForActions();
let act = (): boolean => false;
/** What the log will say. */
let told = 0;
const server = createServer((_request, response) => {
  forActions(response, async () => {
    await Promise.resolve();
    response.setHeader("X-Told", String(act()));
    response.statusCode = 500;
    response.end();
    response.statusCode = 500;
    told = response.statusCode;
  });
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
afterAll(() => {
  server.close();
  globalThis.sluiceAction = undefined;
});

async function statusWhen(broken: () => boolean): Promise<number> {
  act = broken;
  const { status } = await fetch(`http://127.0.0.1:${portOf(server)}`);
  expect(told).toBe(status);
  return status;
}

it("answers 400 to a call whose arguments could not be read: nothing of ours had begun", async () => {
  expect(await statusWhen(() => isUnreadableAction(new SyntaxError("Unexpected token"), "action"))).toBe(400);
});

it("answers 400 to a form whose fields are refused before the page's scripts run", async () => {
  const refused = new AppError("INVALID_PARAMETERS", "no");
  expect(await statusWhen(() => isUnreadableAction(refused, "render"))).toBe(400);
});

it("answers 400 to a form that is none, which Node cannot even take apart", async () => {
  const body = new Response("x", { headers: { "Content-Type": "multipart/form-data; boundary=y" } });
  const error = await body.formData().catch((reason: unknown) => reason);
  expect(await statusWhen(() => isUnreadableAction(error, "render"))).toBe(400);
});

it("stays 500 for a fault of ours: in an action that had begun, and in the page", async () => {
  const inAction = () => {
    beginAction();
    return isUnreadableAction(new Error("ours"), "action");
  };
  expect(await statusWhen(inAction)).toBe(500);
  expect(await statusWhen(() => isUnreadableAction(new Error("ours"), "render"))).toBe(500);
  expect(await statusWhen(() => false)).toBe(500);
});

it("says outside of any request that it is nobody's", () => {
  expect(isUnreadableAction(new Error("x"), "action")).toBe(false);
});
