import { findLookAlikes, type LookAlike, type Named, type NamedAlike } from "@/lib/contract/input/look-alike";
import type { Queryable } from "@/lib/db/transaction";

/** Of one kind; a person could not distinguish more. */
const MAXIMUM_NAMES = 2_000;

/** The subjects of a decision. */
interface Decided {
  accountIds: readonly string[];
  /** With the name of the version that is shown. */
  rule: { id: string; name: string } | null;
}

export interface NameRow extends Named {
  isDecided: boolean;
}

/**
 * The names of an organization's open accounts and its beneficiaries, those of the decided accounts first.
 * @param accountIds SQL of an array of the decided accounts
 * @param organizationId SQL
 */
export const namesWith = (accountIds: string, organizationId = "$1"): string => `
  (select id, case when is_payee then 'PAYEE' else 'ACCOUNT' end as kind, name, id = any (${accountIds}) as "isDecided"
     from accounts
    where organization_id = ${organizationId} and (deleted_at is null or id = any (${accountIds}))
    order by "isDecided" desc, id limit ${MAXIMUM_NAMES})
  union all
  (select b.id, 'BENEFICIARY', b.name, exists (
      select from accounts a
       where a.organization_id = ${organizationId} and a.id = any (${accountIds}) and a.beneficiary_id = b.id) as "isDecided"
     from beneficiaries b where b.organization_id = ${organizationId} and b.removed_at is null
    order by "isDecided" desc, b.id limit ${MAXIMUM_NAMES})`;

/**
 * Other open accounts, payees, rules and beneficiaries of the organization whose names could be mistaken for those of a
 * decision, the first of each. Compares beneficiaries of the decided accounts.
 */
export async function readDecidedLookAlikes(
  database: Queryable,
  organizationId: string,
  { accountIds, rule }: Decided,
): Promise<LookAlike[]> {
  const { rows } = await database.query<NameRow>({
    name: "read_names_for_look_alikes",
    text: namesWith("$2"),
    values: [organizationId, accountIds],
  });
  const rules = rule ? await readOtherRuleNames(database, organizationId, rule) : [];
  return decidedLookAlikes([...rows, ...rules]);
}

/** @param rows from `namesWith` */
export function decidedLookAlikes(rows: readonly NameRow[]): LookAlike[] {
  const alike = findLookAlikes(rows);
  return rows.flatMap(({ id, isDecided }) => {
    const found = isDecided ? alike.get(id) : undefined;
    return found ? [{ kind: found.kind, name: found.name, otherName: found.otherName }] : [];
  });
}

/** The names of accounts and payees; `$1` is the organization. */
const PARTIES = `
  (select p.id, 'PAYEE' as kind, named.name from payees p
    cross join lateral (
      select p.name union select d.name from payee_details d
       where d.organization_id = $1 and d.payee_id = p.id and d.state = 'WAITING') named
   where p.organization_id = $1 and p.removed_at is null order by p.id limit ${MAXIMUM_NAMES})
  union all
  (select id, 'ACCOUNT', name from accounts
    where organization_id = $1 and deleted_at is null and not is_payee order by id limit ${MAXIMUM_NAMES})`;

/**
 * A column with the names of all accounts and payees, for reads that must take one statement: `alikeIn` reads it.
 * @param isCarrier SQL that is true for one row of the answer, so that it carries them once
 */
export const partyNamesOn = (isCarrier: string): string =>
  `case when ${isCarrier} then (select jsonb_agg(party) from (${PARTIES}) party) end as "partyNames"`;

export interface WithPartyNames {
  partyNames: Named[] | null;
}

/** As `readLookAlikeParties`. @param rows with the column of `partyNamesOn` */
export function alikeIn(rows: readonly WithPartyNames[]): ReadonlyMap<string, NamedAlike> {
  return findLookAlikes(rows.flatMap(({ partyNames }) => partyNames ?? []));
}

/**
 * By account and payee, another one whose name looks the same as its own, or as the one that waits: a person who chooses,
 * pays or confirms one may mean the other.
 */
export async function readLookAlikeParties(
  database: Queryable,
  organizationId: string,
): Promise<ReadonlyMap<string, NamedAlike>> {
  const { rows } = await database.query<Named>({
    name: "read_names_of_parties",
    text: PARTIES,
    values: [organizationId],
  });
  return findLookAlikes(rows);
}

/**
 * By rule, another one whose name looks the same.
 * @param ruleIds only among these; null: all
 */
export async function readLookAlikeRules(
  database: Queryable,
  organizationId: string,
  ruleIds: readonly string[] | null,
): Promise<ReadonlyMap<string, NamedAlike>> {
  return findLookAlikes(await readRuleNames(database, organizationId, ruleIds));
}

/** The id of a program that asks to be connected. */
export const ASKING = "asking";

/**
 * By key and assistant, another working key or connected assistant whose name looks the same: a person who reads who asks
 * may take one for the other. The same program, connected by several members, is one.
 * @param asking a program that asks to be connected, under `ASKING`
 */
export async function readLookAlikeCallers(
  database: Queryable,
  organizationId: string,
  asking: { host: string; name: string } | null = null,
): Promise<ReadonlyMap<string, NamedAlike>> {
  const { rows } = await database.query<{ id: string; name: string; host: string | null }>({
    name: "read_names_of_callers",
    // A key that is being replaced has the name of its successor.
    text: `select id, name, client_host as host from api_keys
            where organization_id = $1 and revoked_at is null and ends_at is null
            order by id limit ${MAXIMUM_NAMES}`,
    values: [organizationId],
  });
  const callers = asking ? [{ id: ASKING, ...asking }, ...rows] : rows;
  const identityOf = ({ id, name, host }: (typeof callers)[number]) =>
    host === null ? id : assistantIdentity({ host, name });
  const alike = findLookAlikes(
    callers.map((caller): Named => {
      const kind = caller.host === null ? "KEY" : "ASSISTANT";
      return { id: identityOf(caller), kind, name: caller.name };
    }),
  );
  return new Map(
    callers.flatMap((caller) => {
      const found = alike.get(identityOf(caller));
      return found ? [[caller.id, found] as const] : [];
    }),
  );
}

/** What distinguishes a program from others: its name alone does not, nor the port at which a program of a person's own listens. */
const assistantIdentity = ({ host, name }: { host: string; name: string }) =>
  `${host.replace(/:[0-9]+$/, "")} ${name}`;

/** The decided rule is known by the name of the version that is shown. */
async function readOtherRuleNames(
  database: Queryable,
  organizationId: string,
  rule: NonNullable<Decided["rule"]>,
): Promise<NameRow[]> {
  const names = await readRuleNames(database, organizationId, null);
  const others = names.filter(({ id }) => id !== rule.id).map((row) => ({ ...row, isDecided: false }));
  return [{ ...rule, kind: "RULE", isDecided: true }, ...others];
}

/** People know a rule by the names of its active and latest versions. */
async function readRuleNames(
  database: Queryable,
  organizationId: string,
  ruleIds: readonly string[] | null,
): Promise<Named[]> {
  const { rows } = await database.query<Named>({
    name: "read_rule_names_for_look_alikes",
    text: `
      select r.id, 'RULE' as kind, named.name from rules r
        -- Where one version is active and another one waits; else the rule's own name is the only one.
        left join rule_versions v on v.organization_id = $1 and v.rule_id = r.id
          and r.active_version <> r.latest_version and v.version in (r.active_version, r.latest_version)
       cross join lateral (select r.name union select v.definition ->> 'name') named (name)
       where r.organization_id = $1 and ($2::uuid[] is null or r.id = any ($2)) and r.deleted_at is null
         and named.name is not null
       order by r.id limit ${2 * MAXIMUM_NAMES}`,
    values: [organizationId, ruleIds],
  });
  return rows;
}
