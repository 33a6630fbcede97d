import { ruleHref } from "@/lib/contract/hrefs";
import { type HandlersOf, noticeKind, type Reading } from "@/lib/core/notifications/notice-kind";
import { parsedDefinition } from "@/lib/core/rules/activation";
import { readAccountNames } from "@/lib/core/rules/read-account-names";
import { ruleInWords } from "@/lib/core/rules/rule-in-words";
import { callerKind } from "@/lib/core/shared/subject-columns";
import type { Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";
import { requesterInWords } from "@/lib/words/messages/proposal";
import { isolatedName } from "@/lib/words/messages/untrusted-text";
import { FORMER_MEMBER } from "@/lib/words/names";

interface ProposedRow {
  id: string;
  /** Of the active version, if there is one: a key that proposes another name must not appear to rename what runs. */
  name: string;
  version: number;
  /** The version that runs until a person activates this one; null: none does. */
  activeVersion: number | null;
  definition: string;
  /** The proposer's own words. */
  reason: string | null;
  proposedAt: Date;
  proposerKind: "API_KEY" | "ASSISTANT";
  proposerName: string;
  connectedByName: string | null;
}

interface ProposedRule extends Omit<ProposedRow, "definition" | "proposedAt"> {
  /** What it does, with marked names; null in a digest, or if this version of Sluice cannot represent it. */
  sentence: string | null;
}

/**
 * A version that was activated, discarded or followed by another one meanwhile is left out: the later one has its own
 * notice.
 */
async function readProposed({ client, organizationId, ids, notices }: Reading): Promise<ProposedRule[]> {
  const rows = await readUndecided(client, organizationId, ids);
  const [notice, ...others] = notices;
  if (others.length > 0) return rows.map((row) => ({ ...row, sentence: null }));
  const [row] = rows;
  if (row?.proposedAt.getTime() !== notice?.createdAt.getTime()) return [];
  return row ? [{ ...row, sentence: await readSentence(client, organizationId, row.definition) }] : [];
}

/** Those of these rules whose latest version waits for its first activation. */
async function readUndecided(
  client: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<ProposedRow[]> {
  const { rows } = await client.query<ProposedRow>({
    name: "read_proposed_rules",
    text: `
      select r.id, r.name, v.version, r.active_version as "activeVersion",
          v.definition::text as definition, v.reason, v.created_at as "proposedAt",
          ${callerKind("v.created_by_kind", "v.created_by_id")} as "proposerKind", v.created_by_name as "proposerName",
          connector.name as "connectedByName"
        from rules r
        join rule_versions v on v.organization_id = $1 and v.rule_id = r.id and v.version = r.latest_version
        left join api_keys k on k.organization_id = $1 and k.id = v.created_by_id
        left join users connector on connector.id = k.created_by
       where r.organization_id = $1 and r.id = any ($2) and r.deleted_at is null
         and v.created_by_kind <> 'MEMBER' and r.latest_version is distinct from r.active_version
         and not exists (select from rule_events e where e.organization_id = $1 and e.rule_id = r.id
           and e.kind = 'ACTIVATED' and e.version = r.latest_version)
       order by v.created_at, r.id`,
    values: [organizationId, ids],
  });
  return rows;
}

async function readSentence(
  client: Queryable,
  organizationId: string,
  stored: string,
): Promise<string | null> {
  const definition = parsedDefinition(stored);
  if (!definition) return null;
  const names = await readAccountNames(client, organizationId, accountsOf(definition));
  return ruleInWords(definition, (id) => isolatedName(names[id]?.name ?? ""));
}

const NOT_YET = "Nothing runs until an owner or co-owner activates it.";

/** A key or an assistant wrote a rule, or a new version of one; in a digest per key. */
export const ruleProposed = noticeKind({
  kind: "RULE_PROPOSED",
  read: readProposed,
  say: {
    headline: (rule) =>
      `${requesterOf(rule)} proposes ${rule.version === 1 ? "the rule" : `version ${rule.version} of the rule`} ${isolatedName(rule.name)}`,
    lines: ({ sentence, reason, activeVersion }) => [
      sentence,
      reason === null ? null : { wrote: reason },
      activeVersion === null
        ? "It is not active: nothing runs until an owner or co-owner activates it."
        : `Version ${activeVersion} keeps running until an owner or co-owner activates this one.`,
    ],
    action: ({ id, version }) => ({ label: "Review the rule", href: ruleHref(id, version) }),
    note: "You confirm an activation with your passkey or password; this email alone cannot activate anything.",
    sms: `a rule was proposed. ${NOT_YET}`,
    digest: {
      headline: countProposed,
      sentence: NOT_YET,
      line: (rule) => `${isolatedName(rule.name)}, version ${rule.version}, by ${requesterOf(rule)}`,
      action: () => ({ label: "See the rules", href: "/rules" }),
      sms: (all) => `${countProposed(all)}. ${NOT_YET}`,
    },
  },
});

function requesterOf({
  proposerKind,
  proposerName,
  connectedByName,
}: Pick<ProposedRule, "proposerKind" | "proposerName" | "connectedByName">): string {
  const connectedBy = proposerKind === "ASSISTANT" ? (connectedByName ?? FORMER_MEMBER) : null;
  return requesterInWords({ name: proposerName, connectedBy });
}

function countProposed({ length }: readonly ProposedRule[]): string {
  return length === 1 ? "1 more rule was proposed" : `${length} more rules were proposed`;
}

interface StopRow {
  id: string;
  ruleId: string;
  version: number;
  name: string;
  reason: string | null;
  proposerKind: "API_KEY" | "ASSISTANT";
  proposerName: string;
  connectedByName: string | null;
}

/** One that was decided or ended meanwhile is left out. */
async function readStops({ client, organizationId, ids }: Reading): Promise<StopRow[]> {
  const { rows } = await client.query<StopRow>({
    name: "read_rule_deactivation_proposals",
    text: `
      select p.id, r.id as "ruleId", p.version, r.name, p.reason, ${callerKind("'API_KEY'", "p.api_key_id")} as "proposerKind",
          p.api_key_name as "proposerName", connector.name as "connectedByName"
        from rule_deactivation_proposals p
        join rules r on r.organization_id = $1 and r.id = p.rule_id
        left join api_keys k on k.organization_id = $1 and k.id = p.api_key_id
        left join users connector on connector.id = k.created_by
       where p.organization_id = $1 and p.id = any ($2) and p.state = 'WAITING'
       order by p.id`,
    values: [organizationId, ids],
  });
  return rows;
}

const STILL_RUNS = "It keeps running until an owner or co-owner deactivates it.";

/** A key or an assistant proposes that a rule stops; in a digest per key. */
const ruleDeactivationProposed = noticeKind({
  kind: "RULE_DEACTIVATION_PROPOSED",
  read: readStops,
  say: {
    headline: (stop) => `${requesterOf(stop)} proposes to deactivate the rule ${isolatedName(stop.name)}`,
    lines: ({ reason }) => [reason === null ? null : { wrote: reason }, STILL_RUNS],
    action: ({ ruleId, version }) => ({ label: "Review the rule", href: ruleHref(ruleId, version) }),
    note: "You deactivate it on its page; this email alone changes nothing.",
    sms: `a program proposes to deactivate a rule. ${STILL_RUNS}`,
    digest: {
      headline: countStops,
      sentence: "They keep running until an owner or co-owner deactivates them.",
      line: (stop) => `${isolatedName(stop.name)}, by ${requesterOf(stop)}`,
      action: () => ({ label: "See the rules", href: "/rules" }),
      sms: (all) => `${countStops(all)}.`,
    },
  },
});

function countStops({ length }: readonly StopRow[]): string {
  return length === 1
    ? "1 more rule should stop, a program proposes"
    : `${length} more rules should stop, programs propose`;
}

interface AskedRow {
  id: string;
  name: string;
  version: number;
  byName: string;
  at: Date;
}

/** What was activated, discarded or followed by another version meanwhile waits for nobody. */
async function readAsked({ client, organizationId, ids }: Reading): Promise<AskedRow[]> {
  const { rows } = await client.query<AskedRow>({
    name: "read_rules_to_sign",
    text: `
      select r.id, r.name, e.version, u.name as "byName", e.at
        from rules r
        join lateral (select version, by_user_id, at, kind from rule_events e
                       where e.organization_id = $1 and e.rule_id = r.id order by e.id desc limit 1) e on e.kind = 'SIGNED'
        join users u on u.id = e.by_user_id
       where r.organization_id = $1 and r.id = any ($2) and r.deleted_at is null and r.latest_version = e.version
       order by r.id`,
    values: [organizationId, ids],
  });
  return rows;
}

/** Who must approve asks for several people, and one of them has signed. */
export const ruleSignatureAsked = noticeKind({
  kind: "RULE_SIGNATURE_ASKED",
  read: readAsked,
  say: {
    headline: ({ version, name }) =>
      `Version ${version} of the rule ${isolatedName(name)} waits for your signature`,
    lines: ({ byName, at }, moment) => [
      `${isolatedName(byName)} signed for it ${moment(at)}.`,
      "It becomes active with the last signature. Once active it moves money without asking.",
    ],
    action: ({ id, version }) => ({ label: "Review the rule", href: ruleHref(id, version) }),
    note: "You sign with your passkey or password; this email alone signs nothing.",
    sms: "a rule waits for your signature before it may move money.",
    digest: null,
  },
});

export const ruleProposalNotices: HandlersOf<"RULE_PROPOSALS"> &
  Pick<HandlersOf<"APPROVALS">, "RULE_SIGNATURE_ASKED"> = {
  RULE_SIGNATURE_ASKED: ruleSignatureAsked,
  RULE_PROPOSED: ruleProposed,
  RULE_DEACTIVATION_PROPOSED: ruleDeactivationProposed,
};
