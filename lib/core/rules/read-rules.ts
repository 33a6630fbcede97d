import { AppError } from "@/lib/contract/error";
import { type NamedAlike, toLookAlike } from "@/lib/contract/input/look-alike";
import { type Page, type PageRequest, toPage } from "@/lib/contract/page";
import type { ResourceList } from "@/lib/contract/permissions";
import {
  type Rule,
  type RuleDefinition,
  type RuleSummary,
  storedRuleDefinitionSchema,
  storedRuleOutlineSchema,
} from "@/lib/contract/rules/rule";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { readLookAlikeRules } from "@/lib/core/shared/look-alikes";
import { covers, permissionOf, requirePermission } from "@/lib/core/shared/permits";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** From `rules r` joined with its latest version `v`. */
const RULE_COLUMNS = `
  r.id, r.latest_version as "latestVersion", r.versions_made as "versionsMade", r.active_version as "activeVersion",
  r.paused_at as "pausedAt", r.created_at as "createdAt", r.updated_at as "updatedAt", r.deleted_at as "deletedAt",
  case when r.active_version is not null then r.name end as "activeName"`;

const RULE_JOIN = `
  join rule_versions v on v.organization_id = r.organization_id and v.rule_id = r.id and v.version = r.latest_version`;

export interface RuleRow {
  id: string;
  latestVersion: number;
  /** The highest number ever used, because the latest version may have been discarded. */
  versionsMade: number;
  activeVersion: number | null;
  /** The name of the active version. */
  activeName: string | null;
  /** When a return paused it; it keeps its active version but does not run live. */
  pausedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
  definition: unknown;
}

/** A rule before it is compared with others. */
type ReadableRule = Omit<Rule, "lookAlike">;

/** @returns null for a stored rule that this version of Sluice cannot represent (`INVALID_RULE`). */
function toRule(row: RuleRow, appUrl: string): ReadableRule | null {
  const definition = storedRuleDefinitionSchema.safeParse(row.definition);
  if (!definition.success) return null;
  return { ...describe(row, definition.data, appUrl), steps: definition.data.steps };
}

/** @param row with the definition's outline. @returns null for one that this version of Sluice cannot represent. */
function toRuleSummary(row: RuleRow, appUrl: string, alike: NamedAlike | undefined): RuleSummary | null {
  const outline = storedRuleOutlineSchema.safeParse(row.definition);
  if (!outline.success) return null;
  return { ...describe(row, outline.data, appUrl), lookAlike: toLookAlike(alike) };
}

function describe(
  row: RuleRow,
  { name, description, trigger, limits }: Omit<RuleDefinition, "steps">,
  appUrl: string,
): Omit<RuleSummary, "lookAlike"> {
  const runsLive = row.activeVersion !== null && row.pausedAt === null;
  return {
    id: row.id,
    name,
    description,
    status: runsLive ? "ACTIVE" : "INACTIVE",
    version: row.latestVersion,
    activeVersion: row.activeVersion,
    activeName: row.activeName,
    activationUrl: runsLive && row.activeVersion === row.latestVersion ? null : `${appUrl}/rules/${row.id}`,
    trigger,
    limits,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    deletedAt: row.deletedAt?.toISOString() ?? null,
  };
}

/**
 * One rule's row, if the caller's permission includes it.
 * @throws AppError `RULE_NOT_FOUND` (also for another organization's), `ACCESS_DENIED` outside the list.
 */
export async function findRule(
  database: Queryable,
  context: Context,
  rules: ResourceList,
  ruleId: string,
): Promise<RuleRow> {
  const { rows } = await database.query<RuleRow>({
    name: "find_rule",
    text: `select ${RULE_COLUMNS}, v.definition from rules r ${RULE_JOIN} where r.organization_id = $1 and r.id = $2`,
    values: [context.organizationId, ruleId],
  });
  const row = rows[0];
  if (!row) throw new AppError("RULE_NOT_FOUND", `There is no rule ${ruleId}.`);
  if (!covers(rules, ruleId)) {
    throw new AppError("ACCESS_DENIED", "This rule is outside the list of this key's permission.");
  }
  return row;
}

/** @throws AppError `INVALID_RULE` for a deleted rule, and for one that this version cannot represent. */
export function requireReadable(row: RuleRow, appUrl: string): ReadableRule {
  if (row.deletedAt) throw new AppError("INVALID_RULE", `The rule ${row.id} was deleted.`);
  const rule = toRule(row, appUrl);
  if (!rule) {
    throw new AppError("INVALID_RULE", `This version of Sluice cannot represent the rule ${row.id}.`);
  }
  return rule;
}

/**
 * A rule in its latest version, with steps, conditions and actions.
 * @throws AppError `RULE_NOT_FOUND`, `ACCESS_DENIED`, `INVALID_RULE`.
 */
export async function getRule(
  services: Pick<Services, "pool" | "appUrl">,
  context: Context<CallerActor>,
  ruleId: string,
): Promise<Rule> {
  const { rules } = requirePermission(context.actor, "READ_RULES");
  const rule = requireReadable(await findRule(services.pool, context, rules, ruleId), services.appUrl);
  return withLookAlike(services.pool, context, rule);
}

/** With another one of the rules that the caller may read whose name looks the same. */
export async function withLookAlike<Readable extends ReadableRule>(
  database: Queryable,
  { organizationId, actor }: Context<CallerActor>,
  rule: Readable,
): Promise<Readable & Pick<Rule, "lookAlike">> {
  const readable = permissionOf(actor, "READ_RULES")?.rules ?? [];
  const among = readable === "ALL" ? null : [rule.id, ...readable];
  const alike = await readLookAlikeRules(database, organizationId, among);
  return { ...rule, lookAlike: toLookAlike(alike.get(rule.id)) };
}

interface ListRulesInput extends PageRequest {
  /** The trigger's account, or one that an action takes from. */
  sourceAccountId: string | null;
  /** Any of them; empty: all. */
  statuses: readonly ("ACTIVE" | "INACTIVE")[];
}

/** Summaries of the rules that the key may read and that are not deleted, newest first. */
export async function listRules(
  services: Pick<Services, "pool" | "appUrl">,
  context: Context<CallerActor>,
  input: ListRulesInput,
): Promise<Page<RuleSummary>> {
  const { rules } = requirePermission(context.actor, "READ_RULES");
  const { rows } = await services.pool.query<RuleRow>({
    name: "list_rules",
    text: `
      select ${RULE_COLUMNS}, v.definition - 'steps' as definition
        from rules r ${RULE_JOIN}
       where r.organization_id = $1 and r.deleted_at is null
         and ($2::uuid[] is null or r.id = any ($2))
         and ($3::uuid is null or $3 = any (r.source_account_ids))
         and ($4::text is null or (r.active_version is not null and r.paused_at is null) = ($4 = 'ACTIVE'))
       order by r.id desc
       limit $5 offset $6`,
    values: [
      context.organizationId,
      rules === "ALL" ? null : rules,
      input.sourceAccountId,
      // Both are all.
      input.statuses.length === 1 ? input.statuses[0] : null,
      input.pageSize + 1,
      (input.page - 1) * input.pageSize,
    ],
  });
  const alike = await readLookAlikeRules(
    services.pool,
    context.organizationId,
    rules === "ALL" ? null : rules,
  );
  const page = toPage(rows, input, (row) => toRuleSummary(row, services.appUrl, alike.get(row.id)));
  // A rule that this version cannot represent must not fail the whole list; read by id, it answers INVALID_RULE.
  return { ...page, items: page.items.filter((rule) => rule !== null) };
}
