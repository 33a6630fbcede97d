import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterEach, expect, it, vi } from "vitest";
import { createLog } from "@/lib/platform/log";

const folder = mkdtempSync(join(tmpdir(), "sluice-log-"));
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
