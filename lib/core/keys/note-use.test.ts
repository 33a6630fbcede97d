import { describe, expect, it } from "vitest";
import { authenticateApiKey } from "@/lib/core/keys/authenticate-api-key";
import { authenticateAssistant } from "@/lib/core/keys/authenticate-assistant";
import { moveAnything } from "@/lib/testing/api";
import { connectAssistantWithToken } from "@/lib/testing/assistants";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { inOpenTransaction } from "@/lib/testing/overlap";
import { createTestServices } from "@/lib/testing/services";

/**
 * Other transactions sometimes lock a key's row: the watch over keys locks several. A call with such a key must not wait
 * for that, let alone be refused; its use is still recorded, by the next request.
 */
const database = useTestDatabase();

const RESOURCE = "http://localhost:3000/mcp";

async function arrange(caller: "key" | "assistant") {
  const { services, clock } = createTestServices(database);
  const { organizationId, owner, addKey } = await createTestOrganization(database, services);
  const connect = async () => {
    const who = { organizationId, userId: owner.actor.id, resource: RESOURCE, now: clock.now() };
    const { id, accessToken } = await connectAssistantWithToken(database, who);
    return { id, call: () => authenticateAssistant(services, accessToken, RESOURCE) };
  };
  const makeKey = async () => {
    const { id, text } = await addKey([moveAnything(true)]);
    return { id, call: () => authenticateApiKey(services, text) };
  };
  const { id, call } = caller === "key" ? await makeKey() : await connect();
  const lastUse = async () => {
    const { rows } = await database.ownerPool.query<{ lastUsedAt: Date | null }>(
      `select last_used_at as "lastUsedAt" from api_keys where id = $1`,
      [id],
    );
    return rows[0]?.lastUsedAt;
  };
  return { clock, id, call, lastUse };
}

describe.each(["key", "assistant"] as const)("the use of a locked %s", (caller) => {
  it("is admitted at once, and recorded by the first request after the lock ends", async () => {
    const { clock, id, call, lastUse } = await arrange(caller);
    await call();
    clock.advance(120_000);
    const before = await lastUse();
    await inOpenTransaction(database.ownerPool, async (holder) => {
      await holder.query("select from api_keys where id = $1 for no key update", [id]);
      // The lock ends only after the response: a waiting request would be refused by the pool's lock timeout.
      expect(await call()).toMatchObject({ actor: { id } });
      expect(await lastUse()).toEqual(before);
      await holder.query("commit");
    });
    expect(await call()).toMatchObject({ actor: { id } });
    expect(await lastUse()).toEqual(clock.now());
  });
});
