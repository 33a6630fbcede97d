/** `npm run webhooks:listen` as a developer runs it: its own process, which shows what an endpoint receives. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { eventBody } from "@/lib/core/webhooks/claim-deliveries";
import { makeSigningSecret, signDelivery } from "@/lib/core/webhooks/sign-delivery";
import { systemClock } from "@/lib/platform/clock";
import { newId } from "@/lib/platform/ids";
import { type BuiltProgram, buildProgram } from "@/lib/testing/embedded-process";

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram("scripts/webhooks-listen.ts");
});
afterAll(() => program.remove());

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill();
});

function start(secrets: string, ...parameters: string[]) {
  const child = spawn(process.execPath, [program.path, ...parameters], {
    env: { ...process.env, SLUICE_WEBHOOK_SECRET: secrets },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  const lines = (stream: NodeJS.ReadableStream) => createInterface(stream)[Symbol.asyncIterator]();
  return { child, printed: lines(child.stdout), stated: lines(child.stderr) };
}

function send(url: string, secret: string, id = newId(systemClock.now())) {
  const now = systemClock.now();
  const body = eventBody({
    id,
    type: "transfer.changed",
    resourceType: "transfer",
    resourceId: newId(now),
    createdAt: now,
  });
  const headers = { "x-service-event-id": id, "x-service-signature": signDelivery(secret, body, now).header };
  return fetch(url, { method: "POST", headers, body });
}

it("prints each verified event once, and reports what it refused", async () => {
  const [secret, next] = [makeSigningSecret(), makeSigningSecret()];
  const { printed, stated } = start(`${secret},${next}`, "0");
  const [, url = ""] = /^Listening at (http:\/\/127\.0\.0\.1:\d+\/)$/.exec((await stated.next()).value) ?? [];
  const id = newId(systemClock.now());
  for (const known of [secret, next, secret]) expect((await send(url, known, id)).status).toBe(204);
  const forged = await send(url, makeSigningSecret());
  expect(forged.status).toBe(400);
  expect((await stated.next()).value).toContain("400 NO_MATCH: ");
  const last = newId(systemClock.now());
  expect((await send(url, next, last)).status).toBe(204);
  const ids = [(await printed.next()).value, (await printed.next()).value].map((line) => JSON.parse(line).id);
  expect(ids).toEqual([id, last]);
});

it.each([
  ["without a secret", "", []],
  ["with a port that is none", "whsec_x", ["70000"]],
  ["with more than a port", "whsec_x", ["1", "2"]],
])("does not listen %s, and prints its usage", async (_, secret, parameters) => {
  const { child, stated } = start(secret, ...parameters);
  const lines: string[] = [];
  for (let next = await stated.next(); !next.done && lines.length < 20; next = await stated.next())
    lines.push(next.value);
  if (child.exitCode === null) await once(child, "exit");
  expect(child.exitCode).toBe(1);
  expect(lines.join("\n")).toContain("npm run webhooks:listen");
});
