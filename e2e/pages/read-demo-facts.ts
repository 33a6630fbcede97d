import pg from "pg";
import { type PageFacts, readPageFacts } from "@/e2e/pages/page-facts";
import type { DemoDescription } from "@/lib/contract/demo";
import { openEmbeddedEngine } from "@/lib/db/embedded-engine";

/** The facts of the demo organization, read from the embedded database of a product that runs on this folder. */
export async function readDemoFacts(
  dataDirectory: string,
  { accounts }: DemoDescription,
): Promise<PageFacts> {
  const engine = await openEmbeddedEngine({ dataDirectory });
  const owner = new pg.Client(engine.owner);
  await owner.connect();
  try {
    const { rows } = await owner.query<{ id: string }>(
      "select organization_id as id from accounts where id = $1",
      [accounts[0]?.id],
    );
    return await readPageFacts(owner, rows[0]?.id ?? "");
  } finally {
    await owner.end();
    await engine.leave();
  }
}
