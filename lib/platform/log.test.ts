import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createLog } from "@/lib/platform/log";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-log-"));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

it("writes one line of JSON per entry, whatever foreign text it contains", () => {
  const path = join(folder, "log");
  const { destination } = pino;
  vi.spyOn(pino, "destination").mockImplementation(() => destination({ dest: path, sync: true }));
  const log = createLog("info");
  const reason = 'Rent\r\n{"level":60,"msg":"forged"}\u001b[2K\u2028 %s %j %o';
  log.info({ reason }, "a proposal");
  log.error({ err: new Error(reason) }, reason);
  const text = readFileSync(path, "utf8");
  for (const character of ["\r", "\u001b"]) expect(text).not.toContain(character);
  const lines = text.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 30, msg: "a proposal", reason, time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) },
    { level: 50, msg: reason, err: { message: reason } },
  ]);
});

it("counts a request that failed in an outage with it, even if the request ends long after its error", () => {
  const path = join(folder, "outage");
  const { destination } = pino;
  vi.spyOn(pino, "destination").mockImplementation(() => destination({ dest: path, sync: true }));
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  const log = createLog("warn");
  const err = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  const end = (requestId: string) =>
    log.error({ transport: "api", status: 500, requestId }, "request failed");
  log.error({ err, requestId: "one" }, "unexpected error");
  now.mockReturnValue(1_100);
  end("one");
  now.mockReturnValue(1_300);
  log.error({ err }, "work failed");
  now.mockReturnValue(2_400);
  end("no outage");
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    "unexpected error",
    "request failed",
    "request failed",
  ]);
  expect(JSON.parse(lines[2] ?? "")).toMatchObject({ requestId: "no outage" });
});

it("the lines of an outage are a second apart, even if the process was paused while it wrote one", () => {
  const path = join(folder, "paused");
  const { destination } = pino;
  vi.spyOn(pino, "destination").mockImplementation(() => destination({ dest: path, sync: true }));
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  const log = createLog("warn");
  const err = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  const paused = Object.defineProperty(Object.assign(new Error("lost"), { code: "ECONNRESET" }), "stack", {
    get: () => void now.mockReturnValue(60),
  });
  log.error({ err: paused }, "first");
  now.mockReturnValue(1_050);
  log.error({ err }, "too soon");
  now.mockReturnValue(1_060);
  log.error({ err }, "second");
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: "first" },
    { msg: "second", leftOut: 1 },
  ]);
});
