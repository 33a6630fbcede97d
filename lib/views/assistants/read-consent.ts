import { formatShown } from "@/lib/contract/shown";
import { nameOnPage } from "@/lib/core/keys/assistant-facts";
import type { ConnectionRequest } from "@/lib/core/keys/authorization-requests";
import { listDeciders } from "@/lib/core/organizations/list-deciders";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { ASKING, readLookAlikeCallers } from "@/lib/core/shared/look-alikes";
import { mayDecide } from "@/lib/core/shared/permits";
import type { CurrentSession } from "@/lib/core/sign-in/read-session";
import type { Queryable } from "@/lib/db/transaction";
import { firstName } from "@/lib/views/approvals/build-history";
import type { TimedReading } from "@/lib/views/reading";

/** Other organizations offered here; members of more can switch in the account menu. */
const MAXIMUM_OFFERED = 20;

/** Everything a member needs to know before authorizing a program. Reading it connects nothing. */
export async function readConsent(
  { services, context, time }: TimedReading<"pool" | "clock">,
  request: ConnectionRequest,
  { organization, organizations }: Pick<CurrentSession, "organization" | "organizations">,
) {
  const { organizationId, actor } = context;
  const asking = { host: request.redirectHost, name: request.clientName };
  const [counts, before, deciders, lookAlikes] = await Promise.all([
    countWhatThereIs(services.pool, organizationId),
    findBefore(services.pool, context, request.clientId),
    listDeciders(services.pool, organizationId),
    readLookAlikeCallers(services.pool, organizationId, asking),
  ]);
  const alike = lookAlikes.get(ASKING);
  return {
    /** The member and organization this page showed (lib/contract/shown.ts). */
    shown: formatShown({ userId: actor.id, organizationId, proposalId: null }),
    /** Of the request. */
    uid: request.uid,
    client: {
      /** Its self-declared, unverified name, made safe to show. */
      name: nameOnPage(request.clientName),
      /** Where the browser returns; with its port on this machine. */
      redirectHost: request.redirectHost,
      isLoopback: request.isLoopback,
      knownBy: request.knownBy,
      /** Host of its metadata document, which is verified; null without one. */
      idHost: request.clientIdHost,
      askedAt: request.askedAt.toISOString(),
      /** Until someone ends it, not only for the lifetime of one token. */
      keepsAccess: request.keepsAccess,
    },
    /** A key, or an assistant of another program, whose name looks the same; null: none. */
    lookAlike: alike
      ? { kind: alike.kind, name: nameOnPage(alike.name), otherName: nameOnPage(alike.otherName) }
      : null,
    /** The last time a member of this organization connected this client; null: never. */
    before,
    /** The organization it would be connected to. */
    organization: { id: organizationId, name: organization.name, ...counts },
    /** The member's other organizations, which they may choose instead. */
    otherOrganizations: organizations.filter(({ id }) => id !== organizationId).slice(0, MAXIMUM_OFFERED),
    member: { name: actor.name, role: actor.role },
    /** From the member's current role. */
    power: mayDecide(actor) ? ("ASKS" as const) : ("READS" as const),
    /** First names of the other people who approve. */
    otherDeciders: deciders.filter(({ id }) => id !== actor.id).map(({ name }) => firstName(name)),
    // The request time is real time, as everything in the authorization server.
    time: { ...time, nowAt: services.clock.now().toISOString() },
  };
}

/** A program that asks to be connected, as far as known. */
export type AskingClientView = ConsentView["client"];

/** The page on which a member consents to an assistant. */
export type ConsentView = Awaited<ReturnType<typeof readConsent>>;

async function countWhatThereIs(
  database: Queryable,
  organizationId: string,
): Promise<{ accountCount: number; ruleCount: number }> {
  const { rows } = await database.query<{ accounts: number; rules: number }>({
    name: "count_for_consent",
    text: `
      select (select count(*) from accounts where organization_id = $1 and deleted_at is null)::int as accounts,
          (select count(*) from rules where organization_id = $1 and deleted_at is null)::int as rules`,
    values: [organizationId],
  });
  return { accountCount: rows[0]?.accounts ?? 0, ruleCount: rows[0]?.rules ?? 0 };
}

interface BeforeRow {
  createdBy: string;
  byName: string;
  createdAt: Date;
  isConnected: boolean;
}

/** By client ID: anyone can register a name. */
async function findBefore(
  database: Queryable,
  { organizationId, actor }: Context<MemberActor>,
  clientId: string,
) {
  const { rows } = await database.query<BeforeRow>({
    name: "find_connection_before",
    text: `
      select k.created_by as "createdBy", u.name as "byName", k.created_at as "createdAt",
          k.revoked_at is null as "isConnected"
        from api_keys k join users u on u.id = k.created_by
       where k.organization_id = $1 and k.client_id = $2
       order by k.id desc limit 1`,
    values: [organizationId, clientId],
  });
  const row = rows[0];
  if (!row) return null;
  return {
    byName: row.byName,
    isByViewer: row.createdBy === actor.id,
    at: row.createdAt.toISOString(),
    isConnected: row.isConnected,
  };
}
