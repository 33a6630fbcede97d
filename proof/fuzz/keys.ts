import type { PermissionInput } from "@/lib/contract/permissions";
import { newKeyText } from "@/lib/core/keys/key-text";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import { systemClock } from "@/lib/platform/clock";
import type { Services } from "@/lib/platform/services";
import { ALL_PERMISSIONS } from "@/lib/testing/api-proof/key-ring";
import type { OrganizationWithEverything } from "@/lib/testing/api-proof/organization-with-everything";
import { permissionOf } from "@/lib/testing/api-proof/permission-matrix";

import { connectAssistantWithToken } from "@/lib/testing/assistants";
import type { TestDatabase } from "@/lib/testing/database";

/** Texts for the header `Authorization`, by what they open. */
export interface Keys {
  /** Everything, without approval; so many that a minute's requests mostly find room in one. */
  full: string[];
  /** One permission each, in each of its reaches. */
  single: string[];
  /** Assistants' access tokens: at the MCP server alone. */
  tokens: string[];
  /** Open nothing. */
  wrong: string[];
}

/** Together 20,000 requests in a minute of the clock. The limiter has its turn with a key of one permission. */
const FULL_KEYS = 200;
const ASSISTANTS = 30;

export async function makeKeys(
  database: TestDatabase,
  services: Services,
  own: OrganizationWithEverything,
  stranger: OrganizationWithEverything,
  appUrl: string,
): Promise<Keys> {
  const full: string[] = [];
  for (let made = 0; made < FULL_KEYS; made++)
    full.push((await own.addKey(ALL_PERMISSIONS, `full ${made}`)).text);
  const single: string[] = [];
  for (const permission of singlePermissions(own)) {
    single.push((await own.addKey([permission], permission.type)).text);
  }
  const revoked = await own.addKey(ALL_PERMISSIONS, "revoked");
  await revokeApiKey(services, { ...own.owner, now: systemClock.now() }, revoked.id);
  return {
    full,
    single,
    tokens: await connectAssistants(database, own, appUrl),
    wrong: [revoked.text, newKeyText(), stranger.key.text.slice(0, -1), "sluice_", "x".repeat(200), "\xff"],
  };
}

function singlePermissions(own: OrganizationWithEverything): PermissionInput[] {
  return ALL_PERMISSIONS.flatMap(({ type }) =>
    (["all", "listed", "unlisted"] as const).flatMap((reach) => permissionOf(type, reach, own.ids) ?? []),
  );
}

/** Of the owner: an assistant may what its member's role may. */
async function connectAssistants(
  database: TestDatabase,
  { organizationId, owner }: OrganizationWithEverything,
  appUrl: string,
): Promise<string[]> {
  const of = { organizationId, userId: owner.actor.id, resource: `${appUrl}/mcp`, now: systemClock.now() };
  const tokens: string[] = [];
  for (let made = 0; made < ASSISTANTS; made++) {
    tokens.push(
      (await connectAssistantWithToken(database, { ...of, name: `Assistant ${made}` })).accessToken,
    );
  }
  return tokens;
}
