import { readSearchQuery, type SearchQuery } from "@/lib/contract/search-query";
import type { FoundTransferView, SearchView } from "@/lib/contract/views/search-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";
import { findThings } from "@/lib/views/search/find-things";

/** What one group of the palette shows. */
const MAXIMUM_FOUND = 8;

/** Columns and joins of both; what waits carries its deadline. */
const SELECT_FOUND = `
  select t.id, t.amount_in_cents, t.status, t.execution_mode = 'SIMULATION' as is_dry_run, t.created_at,
      coalesce(s.name, t.counterparty_name, 'Outside Sluice') as source_name,
      coalesce(d.name, t.counterparty_name, 'Outside Sluice') as destination_name,
      p.expires_at
    from found t
    left join accounts s on s.organization_id = t.organization_id and s.id = t.source_account_id
    left join accounts d on d.organization_id = t.organization_id and d.id = t.destination_account_id
    left join proposals p on p.organization_id = t.organization_id and p.id = t.id and p.state = 'WAITING'`;

/**
 * What the palette finds of the organization for a text: transfers by amount, anything by its id or the beginning of
 * it, and what has a name by a part of that. Every member reads all of it on the pages that it leads to.
 * @param text as typed; only its first 100 characters count
 */
export async function findAnything(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  text: string,
  time: TimeContext,
): Promise<SearchView> {
  const query = readSearchQuery(text);
  const [ofThisAmount, transfersOfThisId, things] = await Promise.all([
    byAmount(services, context, query),
    query.ids ? findTransfersById(services, context, query.ids) : [],
    query.name === "" ? [] : findThings(services, context, query),
  ]);
  return { ofThisAmount, transfersOfThisId, things, time };
}

function byAmount(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  { amountInCents }: SearchQuery,
) {
  return amountInCents === null ? [] : findTransfersByAmount(services, context, amountInCents);
}

interface FoundRow {
  id: string;
  amount_in_cents: number;
  status: FoundTransferView["status"];
  is_dry_run: boolean;
  created_at: Date;
  source_name: string;
  destination_name: string;
  expires_at: Date | null;
}

/** The newest transfers of exactly this amount, those that wait before the others. */
async function findTransfersByAmount(
  services: Pick<Services, "pool">,
  context: Context,
  amountInCents: number,
): Promise<FoundTransferView[]> {
  const { rows } = await services.pool.query<FoundRow>({
    name: "find_transfers_by_amount",
    text: `
      with found as (
        select * from transfers where organization_id = $1 and amount_in_cents = $2 order by id desc limit ${MAXIMUM_FOUND})
      ${SELECT_FOUND} order by p.expires_at is null, t.id desc`,
    values: [context.organizationId, amountInCents],
  });
  return rows.map(toFound);
}

/** The newest transfers whose ids lie between these two, both included. */
async function findTransfersById(
  services: Pick<Services, "pool">,
  context: Context,
  ids: { first: string; last: string },
): Promise<FoundTransferView[]> {
  const { rows } = await services.pool.query<FoundRow>({
    name: "find_transfers_by_id",
    text: `
      with found as (
        select * from transfers where organization_id = $1 and id between $2 and $3 order by id desc limit ${MAXIMUM_FOUND})
      ${SELECT_FOUND} order by t.id desc`,
    values: [context.organizationId, ids.first, ids.last],
  });
  return rows.map(toFound);
}

function toFound(row: FoundRow): FoundTransferView {
  return {
    kind: "TRANSFER",
    id: row.id,
    href: row.expires_at ? proposalHref(row.id) : `/transfers/${row.id}`,
    sourceName: row.source_name,
    destinationName: row.destination_name,
    amountInCents: row.amount_in_cents,
    status: row.status,
    isDryRun: row.is_dry_run,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
  };
}
