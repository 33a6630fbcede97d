import { randomBytes } from "node:crypto";
import { hashRecordId } from "@/lib/core/assistants/record-id";
import type { Context, MemberActor } from "@/lib/core/context";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import type { TestDatabase } from "@/lib/testing/database";

const TOKEN_MS = 30 * 60_000;

export interface TestAssistant {
  /** Of its connection. */
  id: string;
  accessToken: string;
}

/**
 * An assistant that a member has connected, with an access token for the MCP server, written without the browser: for
 * tests of what assistants do afterwards.
 */
export async function addAssistant(
  { ownerPool }: Pick<TestDatabase, "ownerPool">,
  services: Pick<Services, "clock" | "appUrl">,
  member: Pick<Context<MemberActor>, "organizationId" | "actor">,
  name = "Claude",
): Promise<TestAssistant> {
  const now = services.clock.now();
  const id = newId(now);
  await ownerPool.query(
    `insert into api_keys (organization_id, id, name, client_id, client_host, permissions, created_by, created_at)
       values ($1, $2, $3, 'https://claude.example/client.json', 'claude.example', '[]', $4, $5)`,
    [member.organizationId, id, name, member.actor.id, now],
  );
  const accessToken = await addToken(ownerPool, services, { organizationId: member.organizationId, id });
  return { id, accessToken };
}

/** A token of a connection; for the MCP server and half an hour unless told. */
export async function addToken(
  ownerPool: TestDatabase["ownerPool"],
  { clock, appUrl }: Pick<Services, "clock" | "appUrl">,
  connection: { organizationId: string; id: string },
  { model = "AccessToken", audience = `${appUrl}/mcp`, livesMs = TOKEN_MS, isConsumed = false } = {},
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const now = clock.now();
  await ownerPool.query(
    `insert into oauth_records (model, id_hash, organization_id, grant_id, audience, payload, created_at, consumed_at,
       expires_at) values ($1, $2, $3, $4, $5, '{}', $6, $7, $8)`,
    [
      model,
      hashRecordId(token),
      connection.organizationId,
      connection.id,
      audience,
      now,
      isConsumed ? now : null,
      new Date(now.getTime() + livesMs),
    ],
  );
  return token;
}
