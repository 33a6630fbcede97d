import { type Rule, type RuleSummary, ruleDefinitionSchema } from "@/lib/contract/rules/rule";

/** The columns of every reader of rules, from `rules r` joined with its latest version `v`. */
export const RULE_COLUMNS = `
  r.id, r.latest_version, r.versions_made, r.active_version, r.paused_at, r.created_at, r.updated_at, r.deleted_at,
  case when r.active_version is not null then r.name end as active_name, v.definition`;

export const RULE_JOIN = `
  join rule_versions v on v.organization_id = r.organization_id and v.rule_id = r.id and v.version = r.latest_version`;

export interface RuleRow {
  id: string;
  latest_version: number;
  /** The highest number ever given: the latest version may have been discarded. */
  versions_made: number;
  active_version: number | null;
  /** What people call the rule while it runs. */
  active_name: string | null;
  /** A return paused it: it keeps its active version and does not run live. */
  paused_at: Date | null;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
  definition: unknown;
}

/** @returns null for a stored rule that this version of Sluice cannot represent (`INVALID_RULE`). */
export function toRule(row: RuleRow, appUrl: string): Rule | null {
  const definition = ruleDefinitionSchema.safeParse(row.definition);
  if (!definition.success) return null;
  const { name, description, trigger, steps, limits } = definition.data;
  const runsLive = row.active_version !== null && row.paused_at === null;
  return {
    id: row.id,
    name,
    description,
    status: runsLive ? "ACTIVE" : "INACTIVE",
    version: row.latest_version,
    activeVersion: row.active_version,
    activeName: row.active_name,
    activationUrl: runsLive && row.active_version === row.latest_version ? null : `${appUrl}/rules/${row.id}`,
    trigger,
    limits,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    deletedAt: row.deleted_at?.toISOString() ?? null,
    steps,
  };
}

export function toRuleSummary({ steps: _, ...summary }: Rule): RuleSummary {
  return summary;
}
