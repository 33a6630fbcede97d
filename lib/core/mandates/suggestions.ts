import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import { permissionsSchema } from "@/lib/contract/permissions";
import {
  type DecidedTransfer,
  type SuggestedAmounts,
  suggestAmounts,
} from "@/lib/core/mandates/suggest-amounts";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide, permissionIn, transferGrant } from "@/lib/core/shared/permits";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

const DAY_MS = 86_400_000;
const COUNTED_DAYS = 90;
/** A proposal may wait for a week. */
const LONGEST_WAIT_DAYS = 8;
const COUNTED_PROPOSALS = 1_000;
/** On one route. */
const SHOWN_EVERY_DAYS = 30;

/** A route of a key. */
export const suggestionRouteSchema = z.strictObject({
  apiKeyId: z.uuid(),
  sourceAccountId: z.uuid(),
  destinationAccountId: z.uuid(),
});
export type SuggestionRoute = z.infer<typeof suggestionRouteSchema>;

/** What a member is offered to sign once, instead of each proposal on a route. */
export interface SuggestedMandate extends SuggestionRoute, SuggestedAmounts {}

/**
 * A mandate for the route of a waiting proposal of a key, where people approved nearly all of its proposals; null: none is
 * suggested. It is shown on one proposal's page in 30 days (`noteSuggestionShown`), and only to who may sign it. Nothing is
 * applied by itself.
 */
export async function suggestMandate(
  { pool }: Pick<Services, "pool">,
  context: Context<MemberActor>,
  proposalId: string,
  timeZone: string,
): Promise<SuggestedMandate | null> {
  if (!mayDecide(context.actor)) return null;
  const asked = await readAskedRoute(pool, context, proposalId);
  if (!asked) return null;
  const { permissions, ...route } = asked;
  const permission = permissionIn(permissions, "MANUAL_TRANSFER");
  const grant = permission && transferGrant(permission, route.sourceAccountId, route.destinationAccountId);
  if (!grant) return null;
  const amounts = suggestAmounts(await readDecided(pool, context, route), {
    timeZone,
    maximumInCents: grant.maximumAmountInCents,
  });
  if (!amounts || !(await mayShowHere(pool, context, route, proposalId))) return null;
  return { ...route, ...amounts };
}

/** Null: it does not wait, is a line of a batch, is not of a key, or the key has a mandate here already. */
async function readAskedRoute(
  database: Queryable,
  { organizationId }: Pick<Context, "organizationId">,
  proposalId: string,
) {
  const { rows } = await database.query<SuggestionRoute & { permissions: unknown }>({
    name: "read_route_to_suggest",
    text: `
      select k.id as "apiKeyId", t.source_account_id as "sourceAccountId",
          t.destination_account_id as "destinationAccountId", k.permissions
        from proposals p
        join transfers t on t.organization_id = $1 and t.id = p.id
        join api_keys k on k.organization_id = $1 and k.id = p.api_key_id and k.client_id is null and k.revoked_at is null
        join accounts s on s.organization_id = $1 and s.id = t.source_account_id and s.type <> 'EXTERNAL_ACCOUNT'
       where p.organization_id = $1 and p.id = $2 and p.kind = 'TRANSFER' and p.state = 'WAITING' and p.batch_id is null
         and t.destination_account_id is not null
         and not exists (select from mandates m where m.organization_id = $1 and m.api_key_id = k.id
           and m.state in ('WAITING', 'IN_FORCE')
           and m.terms -> 'sourceAccountIds' ? t.source_account_id::text
           and m.terms -> 'destinationAccountIds' ? t.destination_account_id::text)`,
    values: [organizationId, proposalId],
  });
  const [row] = rows;
  return row && { ...row, permissions: permissionsSchema.parse(row.permissions) };
}

/** What people decided of this key on this route lately, newest first. */
async function readDecided(
  database: Queryable,
  { organizationId, now }: Pick<Context, "organizationId" | "now">,
  { apiKeyId, sourceAccountId, destinationAccountId }: SuggestionRoute,
): Promise<DecidedTransfer[]> {
  const since = new Date(now.getTime() - COUNTED_DAYS * DAY_MS);
  const { rows } = await database.query<DecidedTransfer>({
    name: "read_decided_on_route",
    text: `
      select p.state = 'APPROVED' as "isApproved", t.amount_in_cents as "amountInCents", p.decided_at as "decidedAt"
        from proposals p join transfers t on t.organization_id = $1 and t.id = p.id
       where p.organization_id = $1 and p.api_key_id = $2 and p.id >= first_id_at($3::timestamptz)
         and p.kind = 'TRANSFER' and p.state in ('APPROVED', 'DENIED') and p.decided_by is not null
         and p.decided_at >= $4 and p.batch_id is null
         and t.source_account_id = $5 and t.destination_account_id = $6
       order by p.id desc limit ${COUNTED_PROPOSALS}`,
    values: [
      organizationId,
      apiKeyId,
      new Date(since.getTime() - LONGEST_WAIT_DAYS * DAY_MS),
      since,
      sourceAccountId,
      destinationAccountId,
    ],
  });
  return rows;
}

/** False: another proposal's page showed it lately, or it is switched off. */
async function mayShowHere(
  database: Queryable,
  { organizationId, now }: Pick<Context, "organizationId" | "now">,
  { apiKeyId, sourceAccountId, destinationAccountId }: SuggestionRoute,
  proposalId: string,
): Promise<boolean> {
  const { rows } = await database.query<{ mayShow: boolean }>({
    name: "may_show_mandate_suggestion",
    text: `
      select not exists (select from mandate_suggestions
        where organization_id = $1 and api_key_id = $2 and source_account_id = $3 and destination_account_id = $4
          and (switched_off_at is not null or (proposal_id <> $5 and shown_at > $6))) as "mayShow"`,
    values: [
      organizationId,
      apiKeyId,
      sourceAccountId,
      destinationAccountId,
      proposalId,
      new Date(now.getTime() - SHOWN_EVERY_DAYS * DAY_MS),
    ],
  });
  return rows[0]?.mayShow ?? false;
}

/**
 * Notes that a member has this proposal's page with a suggestion before them. Not when the page is read: one that is loaded
 * ahead, because the pointer rested on its link, would use up the suggestion of 30 days.
 */
export async function noteSuggestionShown(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  { proposalId, timeZone }: { proposalId: string; timeZone: string },
): Promise<void> {
  const suggested = await suggestMandate(services, context, proposalId, timeZone);
  if (!suggested) return;
  await services.pool.query({
    name: "show_mandate_suggestion",
    text: `
      insert into mandate_suggestions as s
        (organization_id, api_key_id, source_account_id, destination_account_id, proposal_id, shown_at)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (organization_id, api_key_id, source_account_id, destination_account_id) do update
        set proposal_id = excluded.proposal_id, shown_at = excluded.shown_at
      where s.switched_off_at is null and s.proposal_id is distinct from excluded.proposal_id`,
    values: [
      context.organizationId,
      suggested.apiKeyId,
      suggested.sourceAccountId,
      suggested.destinationAccountId,
      proposalId,
      context.now,
    ],
  });
}

/**
 * No mandate is suggested for this route again.
 * @throws AppError `INVALID_PARAMETERS` if the organization has no such key
 */
export async function stopSuggesting(
  { pool }: Pick<Services, "pool">,
  { organizationId, now }: Context<MemberActor>,
  { apiKeyId, sourceAccountId, destinationAccountId }: SuggestionRoute,
): Promise<void> {
  const { rowCount } = await pool.query({
    name: "stop_mandate_suggestion",
    text: `
      insert into mandate_suggestions
        (organization_id, api_key_id, source_account_id, destination_account_id, switched_off_at)
      select $1, k.id, $3, $4, $5 from api_keys k
       where k.organization_id = $1 and k.id = $2 and k.client_id is null
      on conflict (organization_id, api_key_id, source_account_id, destination_account_id) do update
        set switched_off_at = coalesce(mandate_suggestions.switched_off_at, excluded.switched_off_at)`,
    values: [organizationId, apiKeyId, sourceAccountId, destinationAccountId, now],
  });
  if (rowCount === 0)
    throw new AppError("INVALID_PARAMETERS", "This key does not exist. Nothing was changed.");
}

/** A mandate may be suggested for this route again, on the page that showed it last or after the 30 days. */
export async function suggestAgain(
  { pool }: Pick<Services, "pool">,
  { organizationId }: Context<MemberActor>,
  { apiKeyId, sourceAccountId, destinationAccountId }: SuggestionRoute,
): Promise<void> {
  await pool.query({
    name: "suggest_mandate_again",
    text: `
      update mandate_suggestions set switched_off_at = null
       where organization_id = $1 and api_key_id = $2 and source_account_id = $3 and destination_account_id = $4
         and shown_at is not null`,
    values: [organizationId, apiKeyId, sourceAccountId, destinationAccountId],
  });
}

/** Whether what was suggested for this route is so again; null: no page showed it. */
export async function readSuggestionSwitch(
  database: Queryable,
  organizationId: string,
  { apiKeyId, sourceAccountId, destinationAccountId }: SuggestionRoute,
): Promise<"ON" | "OFF" | null> {
  const { rows } = await database.query<{ isOff: boolean }>({
    name: "read_mandate_suggestion_switch",
    text: `
      select switched_off_at is not null as "isOff" from mandate_suggestions
       where organization_id = $1 and api_key_id = $2 and source_account_id = $3 and destination_account_id = $4
         and shown_at is not null`,
    values: [organizationId, apiKeyId, sourceAccountId, destinationAccountId],
  });
  const [row] = rows;
  if (!row) return null;
  return row.isOff ? "OFF" : "ON";
}
