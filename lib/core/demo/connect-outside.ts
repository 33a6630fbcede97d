import { refreshDueConnections } from "@/lib/core/connections/refresh-due-connections";
import { ACCOUNTS, OUTSIDE_NAMES } from "@/lib/core/demo/northwind";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import { createSandboxAggregator } from "@/lib/ports/aggregator/sandbox/create-sandbox-aggregator";
import { openItem } from "@/lib/ports/aggregator/sandbox/open-item";

type OutsideName = (typeof OUTSIDE_NAMES)[number];

interface OutsideLink {
  connectionId: string;
  providerAccountId: string;
}

/** By account name. */
export type OutsideLinks = ReadonlyMap<string, OutsideLink>;

/** Each account's institution and template there. */
const AT: Record<OutsideName, { institutionId: string; template: string }> = {
  "First Harbor Checking": { institutionId: "sbx_first_harbor", template: "first_harbor_checking" },
  "Summit Visa": { institutionId: "sbx_summit", template: "summit_visa" },
};

/** Inserts the connections of the demo's outside accounts, due for refresh. */
export async function linkOutside(
  client: Queryable,
  { organizationId, memberId }: { organizationId: string; memberId: string },
  now: Date,
): Promise<OutsideLinks> {
  const links = new Map<string, OutsideLink>();
  for (const name of OUTSIDE_NAMES) {
    const link = { connectionId: newId(now), providerAccountId: newId(now) };
    await client.query(
      `insert into connections (organization_id, id, provider, provider_item_id, institution_id, institution_name,
          status, created_by, created_at, refresh_due_at)
       values ($1, $2::uuid, 'SANDBOX', $2::text, $3, $4, 'ACTIVE', $5, $6, $6)`,
      [
        organizationId,
        link.connectionId,
        AT[name].institutionId,
        ACCOUNTS[name].institutionName,
        memberId,
        now,
      ],
    );
    links.set(name, link);
  }
  return links;
}

/**
 * Creates the customer at the institutions, with what Sluice moved there and a year of other transactions, and fetches
 * it all for the first time. The clock of `services` must be at the end of the history, and no one else may see the
 * database yet.
 */
export async function connectOutside(
  services: Services,
  organizationId: string,
  links: OutsideLinks,
  servedSince: Date,
): Promise<void> {
  const aggregator = createSandboxAggregator(services.pool);
  for (const name of OUTSIDE_NAMES) {
    const link = links.get(name);
    const { numberEnding, balanceInCents } = ACCOUNTS[name];
    if (!link || numberEnding === undefined) throw new Error(`The demo's ${name} has no connection`);
    await openItem(
      services.pool,
      { organizationId, itemId: link.connectionId },
      {
        institutionId: AT[name].institutionId,
        connectedAt: services.clock.now(),
        accounts: [
          {
            accountId: link.providerAccountId,
            template: AT[name].template,
            numberLast4: numberEnding,
            servedSince,
            endsAtInCents: balanceInCents,
          },
        ],
      },
    );
  }
  // Sequential: the demo has one database connection.
  for (const _ of OUTSIDE_NAMES) await refreshDueConnections(services, aggregator, 1);
}
