import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { obtainPostmaster, type ServerSpec } from "@/lib/db/supervisor/postmaster.mjs";

/** Starts of a server, played by a script. Protects: a database recovers by itself after an accident. */
async function arrange(onFirstStart: string): Promise<ServerSpec> {
  const folder = await mkdtemp(join(tmpdir(), "sluice-postmaster-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const postgres = join(folder, "postgres");
  // Its second start records itself as PostgreSQL does, and runs.
  await writeFile(
    postgres,
    `#!/bin/sh
if [ ! -e "$2/tried" ]; then : > "$2/tried"; ${onFirstStart}; fi
printf '%s\\n%s\\n%s\\n\\n\\n\\n\\nready\\n' $$ "$2" "$(date +%s)" > "$2/postmaster.pid"
exec sleep 60
`,
  );
  await chmod(postgres, 0o700);
  return {
    postgres,
    uid: null,
    gid: null,
    dataPath: folder,
    dataArgument: folder,
    clusterName: "sluice-test",
    socketPath: folder,
    logPath: folder,
    startupLog: join(folder, "startup.log"),
    settings: [],
    graceMs: 0,
    startTimeoutMs: 20_000,
  };
}

test("a server killed while it starts is started again", async () => {
  const { pid } = await obtainPostmaster(await arrange("kill -9 $$"));
  onTestFinished(() => void process.kill(pid, "SIGKILL"));
  expect(process.kill(pid, 0)).toBe(true);
});

test("a server that ends by itself while it starts is not restarted, and its message is reported", async () => {
  const spec = await arrange("echo 'FATAL: no room' >&2; exit 1");
  await expect(obtainPostmaster(spec)).rejects.toThrow("PostgreSQL did not start.\nFATAL: no room");
});
