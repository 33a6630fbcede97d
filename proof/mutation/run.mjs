import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle, root } from "../../scripts/build.mjs";
import { makeMemoryFolder } from "../../scripts/memory-folder.mjs";

/** `npm run mutate`: plants small faults in a copy of the sources and runs the tests that should notice them. */
process.setSourceMapsEnabled(true);
// So that the tests that are running end, too.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
const memoryFolder = await makeMemoryFolder();
if (memoryFolder) process.env.TMPDIR = memoryFolder;
try {
  await bundle({ mutate: "proof/mutation/mutate.ts" });
  const { mutate } = await import(pathToFileURL(join(root, ".build", "mutate.mjs")).href);
  process.exitCode = (await mutate(root)) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
} finally {
  if (memoryFolder) await rm(memoryFolder, { recursive: true, force: true, maxRetries: 5 });
}
