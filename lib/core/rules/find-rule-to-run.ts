import { AppError } from "@/lib/contract/error";
import type { ResourceList } from "@/lib/contract/permissions";
import { type RuleDefinition, storedRuleDefinitionSchema } from "@/lib/contract/rules/rule";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { groupStatements } from "@/lib/core/shared/group-statements";
import { covers } from "@/lib/core/shared/permits";
import { type DeniedRequest, deniedRequest } from "@/lib/core/shared/repeated-denial";
import type { Queryable } from "@/lib/db/transaction";

/** A rule in the version that a run uses: the active one; for dry runs otherwise the latest, or the requested one. */
export interface RuleToRun {
  id: string;
  name: string;
  version: number;
  isActive: boolean;
  isPaused: boolean;
  definition: RuleDefinition;
  /** Of the organization. */
  timeZone: string;
  /** A person denied the same run of this caller and does not want it again now. */
  denied: DeniedRequest | null;
}

interface RuleToRunRow {
  /** Null: the organization has no such rule. */
  id: string | null;
  name: string;
  version: number;
  /** False: the rule does not have the requested version. */
  hasVersion: boolean;
  latestVersion: number;
  isActive: boolean;
  isPaused: boolean;
  isDeleted: boolean;
  timeZone: string;
  denied: DeniedRequest | null;
}

interface AskedRule {
  organizationId: string;
  ruleId: string;
  callerId: string;
  /** Of the run; null: none was given. */
  incomingAmountInCents: number | null;
  now: Date;
  /** Null: the active one, otherwise the latest. */
  version: number | null;
  isLatest: boolean;
}

const findRule = groupStatements<AskedRule, RuleToRunRow>({
  name: "find_rules_to_run",
  text: `
    select r.id, r.name, taken.version, v.version is not null as "hasVersion", r.latest_version as "latestVersion",
        r.active_version is not null as "isActive", r.paused_at is not null as "isPaused",
        r.deleted_at is not null as "isDeleted", o.time_zone as "timeZone",
        ${deniedRequest("asked.organization_id", "asked.caller_id", "concat_ws(' ', asked.rule_id, coalesce(asked.in_cents::text, '-'))", "asked.now")} as denied
      from rows from (jsonb_to_recordset($1::jsonb)
             as ("organizationId" uuid, "ruleId" uuid, version integer, "isLatest" boolean, "callerId" uuid,
               "incomingAmountInCents" bigint, now timestamptz))
           with ordinality as asked (organization_id, rule_id, version, is_latest, caller_id, in_cents, now, place)
      -- Each found by its key (limit): a join might read the rules of all organizations.
      left join lateral (select * from rules
        where organization_id = asked.organization_id and id = asked.rule_id limit 1) r on true
      left join organizations o on o.id = r.organization_id
      cross join lateral (select case when asked.is_latest then r.latest_version
          else coalesce(asked.version, r.active_version, r.latest_version) end as version) taken
      left join lateral (select version from rule_versions
        where organization_id = r.organization_id and rule_id = r.id and version = taken.version limit 1) v on true
     order by asked.place`,
  // It locks nothing.
  compare: () => 0,
});

interface WantedRun {
  ruleId: string;
  /** Of a dry run; null: the active one, otherwise the latest. */
  version: number | "latest" | null;
  incomingAmountInCents: number | null;
}

/**
 * In a round trip shared with concurrent requests.
 * @throws AppError `RULE_NOT_FOUND` (also for another organization's), `ACCESS_DENIED` outside the list, `INVALID_RULE`
 * for a deleted rule and for one that this version cannot represent, `INVALID_PARAMETERS` for an unknown version.
 */
export async function findRuleToRun(
  database: Queryable,
  { organizationId, actor, now }: Pick<Context<CallerActor>, "organizationId" | "actor" | "now">,
  rules: ResourceList,
  { ruleId, version, incomingAmountInCents }: WantedRun,
): Promise<RuleToRun> {
  const isLatest = version === "latest";
  const asked = {
    organizationId,
    ruleId,
    version: isLatest ? null : version,
    isLatest,
    callerId: actor.id,
    incomingAmountInCents,
    now,
  };
  const { id, ...row } = await findRule(database, asked);
  if (id === null) throw new AppError("RULE_NOT_FOUND", `There is no rule ${ruleId}.`);
  if (!covers(rules, ruleId)) {
    throw new AppError("ACCESS_DENIED", "This rule is outside the list of this key's permission.");
  }
  if (row.isDeleted) throw new AppError("INVALID_RULE", `The rule ${ruleId} was deleted.`);
  if (!row.hasVersion) {
    const message = `the rule has no version ${row.version}; its latest is ${row.latestVersion}`;
    throw new AppError("INVALID_PARAMETERS", `version: ${message}.`, [{ field: "version", message }]);
  }
  const key = { organizationId, ruleId, version: row.version };
  const [definition] = await readRuleVersions(database, [key]);
  if (!definition) {
    throw new AppError("INVALID_RULE", `This version of Sluice cannot represent the rule ${ruleId}.`);
  }
  return {
    id,
    name: row.name,
    version: row.version,
    isActive: row.isActive,
    isPaused: row.isPaused,
    definition,
    timeZone: row.timeZone,
    denied: row.denied,
  };
}

/** @throws AppError `RULE_DEACTIVATED` if no version of the rule is active, or it is paused. */
export function requireActive(rule: Pick<RuleToRun, "isActive" | "isPaused">): void {
  if (!rule.isActive) {
    throw new AppError(
      "RULE_DEACTIVATED",
      "This rule is not active. An owner or co-owner activates it in the dashboard; until then only dry runs are possible. Nothing moved.",
    );
  }
  if (rule.isPaused) {
    throw new AppError(
      "RULE_DEACTIVATED",
      "This rule is paused because money that it routed was returned. An owner or co-owner resumes it in the dashboard. Nothing moved.",
    );
  }
}

/** Versions never change, so cached ones stay valid; the bound limits memory. */
const MAXIMUM_KEPT = 1_000;
const kept = new Map<string, RuleDefinition | null>();

interface RuleVersionKey {
  organizationId: string;
  ruleId: string;
  version: number;
}

/**
 * The definitions of rule versions, in the requested order; null for one that this version of Sluice cannot represent
 * (`INVALID_RULE`). Queries only those that this process has not cached.
 * @throws Error for a version that does not exist, which is an internal error.
 */
export async function readRuleVersions(
  database: Queryable,
  keys: readonly RuleVersionKey[],
): Promise<(RuleDefinition | null)[]> {
  const missing = keys.filter((key) => !kept.has(nameOf(key)));
  const found = missing.length > 0 ? await readMissing(database, missing) : kept;
  return keys.map((key) => {
    const name = nameOf(key);
    // Not `??`: a cached null means that the version cannot be represented, not that it is missing.
    const definition = kept.has(name) ? kept.get(name) : found.get(name);
    if (definition === undefined) throw new Error(`There is no version ${key.version} of rule ${key.ruleId}`);
    return definition;
  });
}

async function readMissing(database: Queryable, keys: readonly RuleVersionKey[]) {
  const { rows } = await database.query<RuleVersionKey & { definition: unknown }>({
    name: "read_rule_versions",
    text: `
      select v.organization_id as "organizationId", v.rule_id as "ruleId", v.version, v.definition
        from unnest($1::uuid[], $2::uuid[], $3::integer[]) as asked (organization_id, rule_id, version)
        join rule_versions v using (organization_id, rule_id, version)`,
    values: [
      keys.map((key) => key.organizationId),
      keys.map((key) => key.ruleId),
      keys.map((key) => key.version),
    ],
  });
  const found = new Map<string, RuleDefinition | null>();
  for (const row of rows) {
    found.set(nameOf(row), storedRuleDefinitionSchema.safeParse(row.definition).data ?? null);
  }
  keep(found);
  return found;
}

/** Caches only committed versions: a transaction that writes one does not read it back through this. */
function keep(found: ReadonlyMap<string, RuleDefinition | null>): void {
  for (const [name, definition] of found) {
    if (kept.size >= MAXIMUM_KEPT) kept.delete(kept.keys().next().value ?? "");
    kept.set(name, definition);
  }
}

const nameOf = ({ organizationId, ruleId, version }: RuleVersionKey) =>
  `${organizationId} ${ruleId} ${version}`;
