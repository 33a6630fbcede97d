import { readFile } from "node:fs/promises";
import { z } from "zod";
import { systemClock } from "@/lib/platform/clock";
import { dashboardPath } from "@/lib/platform/project-path";
import type { Services } from "@/lib/platform/services";
import { ACTION_EXAMPLES } from "@/lib/testing/actions/action-examples";
import { arrangeActions } from "@/lib/testing/actions/action-scene";
import type { TestDatabase } from "@/lib/testing/database";
import { TestClock } from "@/lib/testing/services";

/** A server action as a browser calls it. */
export interface ActionCall {
  name: string;
  /** Next's id of it in this build. */
  id: string;
  /** The pages that use it, by their files: `app/rules/[id]/page.tsx`. */
  pages: string[];
  /** The arguments of a call that changes something. */
  args: readonly unknown[];
}

const manifestSchema = z.object({
  node: z.record(
    z.string(),
    z.object({
      workers: z.record(z.string(), z.unknown()),
      filename: z.string(),
      exportedName: z.string(),
    }),
  ),
});

type Manifest = z.infer<typeof manifestSchema>["node"];

/** Every server action of the build, with its example's arguments, in an organization created for them. */
export async function makeActionCalls(
  database: TestDatabase,
  services: Services,
): Promise<{ organizationId: string; calls: ActionCall[] }> {
  const manifest = await readManifest();
  const clock = new TestClock(systemClock.now());
  const scene = await arrangeActions(database, { services: { ...services, clock }, clock });
  const calls: ActionCall[] = [];
  for (const { file, name, call } of ACTION_EXAMPLES) {
    const found = Object.entries(manifest).find(
      ([, { filename, exportedName }]) => filename === file && exportedName === name,
    );
    // Next omits what no page uses.
    if (!found) continue;
    const [id, { workers }] = found;
    const args = await call(scene, scene.members.OWNER);
    calls.push({ name, id, pages: pagesOf(workers), args });
  }
  const known = new Set(ACTION_EXAMPLES.map(({ file, name }) => `${file} ${name}`));
  for (const [id, { filename, exportedName, workers }] of Object.entries(manifest)) {
    if (known.has(`${filename} ${exportedName}`)) continue;
    // Its schema, from which tests derive its input, is not in the bundle of the fuzz.
    calls.push({ name: exportedName, id, pages: pagesOf(workers), args: [{}] });
  }
  return { organizationId: scene.organizationId, calls };
}

const pagesOf = (workers: Record<string, unknown>) => Object.keys(workers).map((worker) => `${worker}.tsx`);

async function readManifest(): Promise<Manifest> {
  const text = await readFile(dashboardPath("server/server-reference-manifest.json"), "utf8");
  return manifestSchema.parse(JSON.parse(text)).node;
}

/** Undoes what the examples and the fuzz leave closed: gates, and an identity that is being checked. */
export async function openAgain(
  { ownerPool }: TestDatabase,
  organizationIds: readonly string[],
): Promise<void> {
  await ownerPool.query(
    `update gate_closings c set opened_at = c.closed_at, opening_method = 'PASSWORD',
        opened_by = (select user_id from memberships m where m.organization_id = c.organization_id limit 1)
      where organization_id = any($1) and opened_at is null`,
    [organizationIds],
  );
  await ownerPool.query("delete from identity_checks where organization_id = any($1)", [organizationIds]);
  await ownerPool.query("update sandbox_receivers set mode = 'OK'");
}
