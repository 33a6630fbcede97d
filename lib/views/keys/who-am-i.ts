import { MAXIMUM_WAITING_PROPOSALS, REQUESTS_PER_MINUTE } from "@/lib/contract/limits";
import type { Permission } from "@/lib/contract/permissions";
import { MAXIMUM_LISTED_RESOURCES, type Whoami, type WhoamiPermission } from "@/lib/contract/whoami";
import { readClosedGates } from "@/lib/core/keys/gates";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { permissionOf } from "@/lib/core/shared/permits";
import { onePerBatch } from "@/lib/core/shared/subject-columns";
import { type OutgoingRoom, readOutgoingRoom } from "@/lib/core/transfers/outgoing-cap";
import type { Queryable } from "@/lib/db/transaction";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import type { Services } from "@/lib/platform/services";
import { countThisMinute, readKeyUsed } from "@/lib/views/keys/key-use";

/** As counted by `authenticate_api_keys`. */
const WINDOW_SECONDS = 60;

interface CallerRow {
  organizationName: string;
  timeZone: string;
  dailyCapInCents: number | null;
  memberName: string | null;
  waiting: number;
  mandatesInForce: number;
  bankName: string | null;
  isRealMoney: boolean;
}

/**
 * The caller, its permissions and what limits it now. It needs no permission, so it names only the accounts and rules
 * that the caller's own permissions list, by id.
 */
export async function whoAmI(
  { pool, clock }: Pick<Services, "pool" | "clock">,
  context: Context<CallerActor>,
): Promise<Whoami> {
  const { actor, organizationId, now } = context;
  const realNow = clock.now();
  const [row, usedInCents, room, requests, closed] = await Promise.all([
    readCaller(pool, context),
    readKeyUsed(pool, context, actor.id),
    movesMoney(actor) ? readOutgoingRoom(pool, organizationId, now) : null,
    countThisMinute(pool, actor.id, realNow),
    readClosedGates(pool, organizationId),
  ]);
  return {
    organization: {
      name: row.organizationName,
      timeZone: row.timeZone,
      now: now.toISOString(),
      businessDate: calendarDate(now, row.timeZone),
    },
    caller: {
      kind: actor.kind,
      id: actor.id,
      name: actor.name,
      memberName: row.memberName,
      role: actor.kind === "ASSISTANT" ? actor.role : null,
    },
    permissions: actor.permissions.map(toReach),
    dailyCap: toCap(row.dailyCapInCents, usedInCents),
    outgoingCap: toOutgoing(actor, room),
    proposals: { waiting: row.waiting, maximum: MAXIMUM_WAITING_PROPOSALS },
    mandates: { inForce: row.mandatesInForce },
    rateLimit: {
      limit: REQUESTS_PER_MINUTE,
      windowSeconds: WINDOW_SECONDS,
      remaining: Math.max(0, REQUESTS_PER_MINUTE - requests),
      resetsInSeconds: WINDOW_SECONDS - realNow.getUTCSeconds(),
    },
    gates: { areOpen: closed === null, closedAt: closed?.closedAt.toISOString() ?? null },
    bank: { isSandbox: !row.isRealMoney, name: row.bankName },
  };
}

async function readCaller(
  database: Queryable,
  { organizationId, actor }: Context<CallerActor>,
): Promise<CallerRow> {
  const { rows } = await database.query<CallerRow>({
    name: "read_caller",
    // Counts as has_too_many_waiting does, which refuses further proposals.
    text: `
      select o.name as "organizationName", o.time_zone as "timeZone", k.daily_cap_in_cents as "dailyCapInCents",
          member.name as "memberName", waiting.count as waiting,
          (select count(*)::int from mandates m where m.organization_id = o.id and m.api_key_id = k.id
            and m.state = 'IN_FORCE') as "mandatesInForce", bank.name as "bankName",
          coalesce(bank.is_production, false) as "isRealMoney"
        from organizations o
        join api_keys k on k.organization_id = o.id and k.id = $2
        left join users member on member.id = k.created_by and k.client_id is not null
        left join bank_in_use bank on true
        cross join lateral (
          select count(*)::int from (
            select from proposals p where p.organization_id = $1 and p.api_key_id = $2 and p.state = 'WAITING'
             and ${onePerBatch("p")}
             limit ${MAXIMUM_WAITING_PROPOSALS}) w) waiting
       where o.id = $1`,
    values: [organizationId, actor.id],
  });
  if (!rows[0]) throw new Error("The key of an authenticated caller was not found.");
  return rows[0];
}

function movesMoney(actor: CallerActor): boolean {
  return permissionOf(actor, "MANUAL_TRANSFER") !== null || permissionOf(actor, "TRIGGER_RULES") !== null;
}

function toCap(capInCents: number | null, usedInCents: number): Whoami["dailyCap"] {
  if (capInCents === null) return { capInCents, usedInCents: null, leftInCents: null };
  return { capInCents, usedInCents, leftInCents: Math.max(0, capInCents - usedInCents) };
}

/** What is used adds up transfers of every account, so a caller that may not read all of them gets the cap alone. */
function toOutgoing(actor: CallerActor, room: OutgoingRoom | null): Whoami["outgoingCap"] {
  if (room === null) return { capInCents: null, usedInCents: null, leftInCents: null };
  const { capInCents, leftInCents } = room;
  return permissionOf(actor, "READ_TRANSFERS")?.accounts === "ALL"
    ? { capInCents, usedInCents: capInCents - leftInCents, leftInCents }
    : { capInCents, usedInCents: null, leftInCents: null };
}

function toReach(permission: Permission): WhoamiPermission {
  const reach = {
    permission: permission.type,
    requiresApproval: "approval" in permission && permission.approval.required,
    reach: "ALL" as const,
    accountIds: [],
    ruleIds: [],
    routes: [],
    count: 0,
  };
  const listed = <T>(list: readonly T[]) => list.slice(0, MAXIMUM_LISTED_RESOURCES);
  if ("accounts" in permission && permission.accounts !== "ALL") {
    const { accounts } = permission;
    return { ...reach, reach: "LISTED", accountIds: listed(accounts), count: accounts.length };
  }
  if ("rules" in permission && permission.rules !== "ALL") {
    const { rules } = permission;
    return { ...reach, reach: "LISTED", ruleIds: listed(rules), count: rules.length };
  }
  if (permission.type !== "MANUAL_TRANSFER") return reach;
  const orAny = (id: string) => (id === "ANY" ? null : id);
  const routes = listed(permission.entries).map(({ source, target, max_amount }) => ({
    sourceAccountId: orAny(source),
    destinationAccountId: orAny(target),
    maximumAmountInCents: max_amount ?? null,
  }));
  return { ...reach, reach: "LISTED", routes, count: permission.entries.length };
}
