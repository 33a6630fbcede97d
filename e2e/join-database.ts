import pg from "pg";
import { demoFolder } from "@/e2e/demo-folder";
import { openEmbeddedEngine } from "@/lib/db/embedded-engine";

export interface JoinedDatabase {
  ownerPool: pg.Pool;
  close: () => Promise<void>;
}

/** Joins the product's database as its owner: to arrange, or to let pass, what a journey cannot wait for. */
export async function joinDatabase(): Promise<JoinedDatabase> {
  const engine = await openEmbeddedEngine({ dataDirectory: demoFolder() });
  const ownerPool = new pg.Pool({ ...engine.owner, max: 2 });
  return {
    ownerPool,
    close: async () => {
      await ownerPool.end();
      await engine.leave();
    },
  };
}
