/**
 * A client gets access for a member by a code, over real HTTP and on a real database; the member's part is done at the
 * connection desk, as the consent page does it.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authenticateAssistant } from "@/lib/core/assistants/authenticate-assistant";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";
import { connect, startTestOAuth, type TestOAuth } from "@/lib/testing/oauth";
import { createTestOrganization } from "@/lib/testing/organization";
import { createRealTimeServices } from "@/lib/testing/services";

let database: TestDatabase;
let oauth: TestOAuth;
let organization: Awaited<ReturnType<typeof createTestOrganization>>;

beforeAll(async () => {
  database = await createTestDatabase();
  oauth = await startTestOAuth(createRealTimeServices(database.pool));
  organization = await createTestOrganization(database, oauth.services);
});
afterAll(async () => {
  await oauth.close();
  await database.close();
});

const authenticate = (token: string) => authenticateAssistant(oauth.services, token, oauth.resource);

describe("a client that registered itself", () => {
  it("gets a token that speaks for the member who allowed it, with the role that this member has", async () => {
    const { clientId, tokens } = await connect(oauth, organization.owner);
    expect(tokens).toMatchObject({ token_type: "Bearer", scope: "mcp", expires_in: 1_800 });
    const caller = await authenticate(tokens.access_token);
    expect(caller).toMatchObject({
      organizationId: organization.organizationId,
      actor: {
        kind: "ASSISTANT",
        name: "Test assistant",
        memberId: organization.owner.actor.id,
        role: "OWNER",
      },
    });
    const { rows } = await database.pool.query(
      "select client_id, client_host, permissions, key_hash from api_keys where id = $1",
      [caller?.actor.id],
    );
    expect(rows).toEqual([
      { client_id: clientId, client_host: "client.example", permissions: [], key_hash: null },
    ]);
  });
});
