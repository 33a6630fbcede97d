import { ruleHref } from "@/lib/contract/hrefs";
import {
  type NoticeContext,
  type NoticeHandler,
  settingOf,
  subjectsOf,
} from "@/lib/core/notifications/notice-handler";
import { parsedDefinition } from "@/lib/core/rules/activation";
import { readAccountNames } from "@/lib/core/rules/read-account-names";
import { ruleInWords } from "@/lib/core/rules/rule-in-words";
import { callerKind } from "@/lib/core/shared/subject-columns";
import type { Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";
import { MAX_LISTED_LINES, renderDigest } from "@/lib/words/messages/digest";
import { type Requester, requesterInWords } from "@/lib/words/messages/proposal";
import { renderRuleProposed } from "@/lib/words/messages/rule-proposed";
import { isolatedName } from "@/lib/words/messages/untrusted-text";
import { FORMER_MEMBER } from "@/lib/words/names";

const KIND = "RULE_PROPOSED";

/**
 * Rules and versions that keys and assistants wrote, in a digest per key. A version that was activated, discarded or
 * followed by another one meanwhile is left out: the later one has its own notice.
 */
export const ruleProposedHandler: NoticeHandler = {
  one: async (context, notice) => {
    const { organizationId, subjectId, createdAt } = notice;
    const [rule] = await readProposed(context.client, organizationId, [subjectId]);
    if (rule?.proposedAt.getTime() !== createdAt.getTime()) return null;
    const rendered = renderRuleProposed(
      {
        name: rule.name,
        version: rule.version,
        activeVersion: rule.activeVersion,
        proposedBy: requesterOf(rule),
        sentence: await sentenceOf(context, organizationId, rule.definition),
        reason: rule.reason,
        ruleUrl: `${context.appUrl}${ruleHref(rule.id, rule.version)}`,
      },
      settingOf(context, notice),
    );
    return { kind: KIND, proposalIds: [], exceptUserId: null, ...rendered };
  },

  digest: async (context, notices) => {
    const [first] = notices;
    const { organizationId, ids } = subjectsOf(notices);
    const rules = await readProposed(context.client, organizationId, [...new Set(ids)]);
    if (!first || rules.length === 0) return null;
    const count = rules.length === 1 ? "1 more rule was" : `${rules.length} more rules were`;
    const digest = {
      count: rules.length,
      subject: `${count} proposed`,
      sentence: "Nothing runs until an owner or co-owner activates it.",
      lines: rules
        .slice(0, MAX_LISTED_LINES)
        .map(
          (rule) =>
            `${isolatedName(rule.name)}, version ${rule.version}, by ${requesterInWords(requesterOf(rule))}`,
        ),
      action: { label: "See the rules", url: `${context.appUrl}/rules` },
      why: "CHOSEN" as const,
      smsSentence: `Sluice: ${count} proposed. Nothing runs until an owner or co-owner activates it.`,
    };
    return {
      kind: KIND,
      proposalIds: [],
      exceptUserId: null,
      ...renderDigest(digest, settingOf(context, first)),
    };
  },
};

interface ProposedRow {
  id: string;
  /** Of the active version, if there is one: a key that proposes another name must not appear to rename what runs. */
  name: string;
  version: number;
  activeVersion: number | null;
  definition: string;
  reason: string | null;
  proposedAt: Date;
  proposerKind: "API_KEY" | "ASSISTANT";
  proposerName: string;
  connectedByName: string | null;
}

/** Those of these rules whose latest version waits for its first activation. */
async function readProposed(
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

function requesterOf({ proposerKind, proposerName, connectedByName }: ProposedRow): Requester {
  const connectedBy = proposerKind === "ASSISTANT" ? (connectedByName ?? FORMER_MEMBER) : null;
  return { name: proposerName, isPerson: false, connectedBy };
}

/** Isolates each name: a right-to-left name must not reorder the amounts next to it. */
async function sentenceOf(
  { client }: NoticeContext,
  organizationId: string,
  stored: string,
): Promise<string | null> {
  const definition = parsedDefinition(stored);
  if (!definition) return null;
  const names = await readAccountNames(client, organizationId, accountsOf(definition));
  return ruleInWords(definition, (id) => isolatedName(names[id]?.name ?? ""));
}
