import { type LookAlike, skeletonOf } from "@/lib/contract/plain-text";
import type { Queryable } from "@/lib/db/transaction";

/** Of one kind; a person could not distinguish more. */
const MAXIMUM_NAMES = 2_000;

/** The subjects of a decision. */
interface Decided {
  accountIds: readonly string[];
  /** With the name of the version that is shown. */
  rule: { id: string; name: string } | null;
}

export interface NameRow {
  id: string;
  kind: LookAlike["kind"];
  name: string;
  isDecided: boolean;
}

/**
 * The names of an organization's open accounts and its beneficiaries, those of the decided accounts first.
 * @param accountIds SQL of an array of the decided accounts; `$1` is the organization
 */
export const namesWith = (accountIds: string): string => `
  (select id, 'ACCOUNT' as kind, name, id = any (${accountIds}) as "isDecided" from accounts
    where organization_id = $1 and (deleted_at is null or id = any (${accountIds}))
    order by "isDecided" desc, id limit ${MAXIMUM_NAMES})
  union all
  (select b.id, 'BENEFICIARY', b.name, exists (
      select from accounts a
       where a.organization_id = $1 and a.id = any (${accountIds}) and a.beneficiary_id = b.id) as "isDecided"
     from beneficiaries b where b.organization_id = $1 and b.removed_at is null
    order by "isDecided" desc, b.id limit ${MAXIMUM_NAMES})`;

/**
 * Other open accounts, rules and beneficiaries of the organization whose names could be mistaken for those of a decision,
 * the first of each. Compares beneficiaries of the decided accounts.
 */
export async function readLookAlikes(
  database: Queryable,
  organizationId: string,
  { accountIds, rule }: Decided,
): Promise<LookAlike[]> {
  const { rows } = await database.query<NameRow>({
    name: "read_names_for_look_alikes",
    text: namesWith("$2"),
    values: [organizationId, accountIds],
  });
  const rules = rule ? await readRuleNames(database, organizationId, rule) : [];
  return findLookAlikes([...rows, ...rules]);
}

/** @param rows from `namesWith` */
export function findLookAlikes(rows: readonly NameRow[]): LookAlike[] {
  const named = rows.map((row) => ({ ...row, skeleton: skeletonOf(row.name) }));
  const firsts = new Map<string, typeof named>();
  for (const row of named) {
    const same = `${row.kind} ${row.skeleton}`;
    const first = firsts.get(same) ?? [];
    // Two are enough, so that each of them finds another one.
    if (first.length < 2 && first.every(({ id }) => id !== row.id)) firsts.set(same, [...first, row]);
  }
  return named.flatMap(({ id, kind, name, skeleton, isDecided }) => {
    const other = firsts.get(`${kind} ${skeleton}`)?.find((row) => row.id !== id);
    return isDecided && other ? [{ kind, name, otherName: other.name }] : [];
  });
}

/** People know a rule by the names of its active and latest versions. */
async function readRuleNames(
  database: Queryable,
  organizationId: string,
  rule: NonNullable<Decided["rule"]>,
): Promise<NameRow[]> {
  const { rows } = await database.query<NameRow>({
    name: "read_rule_names_for_look_alikes",
    text: `
      select r.id, 'RULE' as kind, named.name, false as "isDecided" from rules r
        left join rule_versions v
          on v.organization_id = $1 and v.rule_id = r.id and v.version = r.active_version
       cross join lateral (select r.name union select v.definition ->> 'name') named (name)
       where r.organization_id = $1 and r.id <> $2 and r.deleted_at is null and named.name is not null
       order by r.id limit ${MAXIMUM_NAMES}`,
    values: [organizationId, rule.id],
  });
  return [{ ...rule, kind: "RULE", isDecided: true }, ...rows];
}
