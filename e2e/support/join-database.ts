import pg from "pg";
import { demoFolder } from "@/e2e/support/demo-folder";
import { openEmbeddedEngine } from "@/lib/db/embedded-engine";
import { newId } from "@/lib/platform/ids";

export interface JoinedDatabase {
  ownerPool: pg.Pool;
  close: () => Promise<void>;
}

/** Joins the product's database as its owner, to arrange or advance what a journey cannot wait for. */
export async function joinDatabase(dataDirectory = demoFolder()): Promise<JoinedDatabase> {
  const engine = await openEmbeddedEngine({ dataDirectory });
  const ownerPool = new pg.Pool({ ...engine.owner, max: 2 });
  return {
    ownerPool,
    close: async () => {
      await ownerPool.end();
      await engine.leave();
    },
  };
}

/** Ages the member's last proof of identity by an hour, so that weakening a guard asks again. */
export async function ageSignIns(email: string, dataDirectory?: string): Promise<void> {
  const { ownerPool, close } = await joinDatabase(dataDirectory);
  await ownerPool.query(
    `update sessions set authenticated_at = authenticated_at - interval '1 hour'
      where user_id = (select id from users where email = $1)`,
    [email],
  );
  await close();
}

/** Another, empty organization of this server. @returns its id */
export async function addOrganization(owner: pg.Pool, name: string): Promise<string> {
  const now = new Date();
  const [organizationId, beneficiaryId, ledgerId] = [newId(now), newId(now), newId(now)];
  await owner.query(
    "insert into organizations values ($1, $2, 'BUSINESS', 'America/New_York', 0, $3, $4, $5)",
    [organizationId, name, ledgerId, beneficiaryId, now],
  );
  await owner.query("insert into beneficiaries values ($1, $2, $3, 'BUSINESS', $4)", [
    organizationId,
    beneficiaryId,
    name,
    now,
  ]);
  await owner.query("insert into ledgers (organization_id, id, kind) values ($1, $2, 'CLEARING')", [
    organizationId,
    ledgerId,
  ]);
  return organizationId;
}
