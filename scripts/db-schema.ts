import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeSchema } from "@/lib/db/describe-schema";
import { openEmbeddedEngine } from "@/lib/db/embedded-engine";
import { createPool } from "@/lib/db/pool";
import { prepareDatabase } from "@/lib/db/prepare-database";
import { projectPath } from "@/lib/platform/project-path";

/** `npm run db:schema`: regenerates `schema.sql` from a freshly migrated database. */
const folder = await mkdtemp(join(tmpdir(), "sluice-schema-"));
const engine = await openEmbeddedEngine({ dataDirectory: folder, fsync: false });
try {
  await prepareDatabase(engine);
  const owner = createPool(engine.owner);
  await writeFile(projectPath("lib/db/schema.sql"), await describeSchema(owner, engine.applicationRole));
  await owner.end();
} finally {
  await engine.leave();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.stdout.write("Wrote lib/db/schema.sql.\n");
