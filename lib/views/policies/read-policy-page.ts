import { policyVersionHref } from "@/lib/contract/hrefs";
import { type MemberRole, ROLE_WORD } from "@/lib/contract/members";
import type { Policy } from "@/lib/contract/policies/policy";
import { readKeyAccounts } from "@/lib/core/keys/read-key-accounts";
import { lintDraft } from "@/lib/core/policies/lint-draft";
import { type PolicyPerson, readPolicyPeople } from "@/lib/core/policies/read-people";
import { readPolicyInForce, readPolicyVersion } from "@/lib/core/policies/read-policy";
import { type PolicySigning, readPolicyDraft, readPolicySigning } from "@/lib/core/policies/read-signing";
import { mayDecide } from "@/lib/core/shared/permits";
import { freshSignInUntil } from "@/lib/core/sign-in/confirmation";
import { hasPasskey } from "@/lib/core/sign-in/second-factors";
import type { Queryable } from "@/lib/db/transaction";
import type { PolicyLint } from "@/lib/engine/policies/lint-policy";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import { checkPolicy, lintPolicy, readKeptTest } from "@/lib/views/policies/check-policy";
import { describeSigners } from "@/lib/views/policies/describe-signers";
import { listWaitingChanges } from "@/lib/views/policies/read-asked-change";
import type { TimedReading } from "@/lib/views/reading";
import { ruleLabel } from "@/lib/words/policies/finding-words";
import { diffPolicies, summarizeDiff } from "@/lib/words/policies/policy-diff";
import { callPeople, type PolicyNames, personName } from "@/lib/words/policies/policy-names";
import { otherwiseSentence, ruleSentence, stagesPhrases } from "@/lib/words/policies/policy-sentence";
import { dateWords } from "@/lib/words/rules/number-words";
import { joinWords, phrasesText } from "@/lib/words/rules/phrases";

/** Keys, assistants and rules that a policy can name, newest first. */
const MAXIMUM_REQUESTERS = 300;
/** Published versions that are listed. */
const LISTED_VERSIONS = 50;
const SHOWN_CHANGES = 20;

/** Who and what a policy can name. */
export interface PolicyChoices {
  people: { id: string; name: string; role: MemberRole }[];
  accounts: { id: string; name: string; isClosed: boolean }[];
  requesters: { id: string; name: string; under: string }[];
}

async function readChoices(
  database: Queryable,
  organizationId: string,
  people: readonly PolicyPerson[],
): Promise<{ choices: PolicyChoices; names: PolicyNames }> {
  const accounts = await readKeyAccounts(database, organizationId);
  const { rows } = await database.query<{ id: string; name: string; under: string; isOver: boolean }>({
    name: "read_policy_requesters",
    // A rule that names a replaced key goes on for the key that replaced it, under the same name.
    text: `(select id, name, case when client_id is null then 'API keys' else 'Assistants' end as under,
                revoked_at is not null as "isOver" from api_keys
              where organization_id = $1 and (revoked_at is null or replaced_by is not null)
              order by revoked_at is not null, id desc limit ${MAXIMUM_REQUESTERS})
           union all
           (select id, name, 'Rules', false from rules where organization_id = $1 and deleted_at is null
             order by id desc limit ${MAXIMUM_REQUESTERS})`,
    values: [organizationId],
  });
  const members = people.map(({ id, name, role }) => ({ id, name, role }));
  const called = callPeople(people);
  return {
    choices: {
      people: members,
      accounts: accounts.map(({ id, name, isClosed }) => ({ id, name, isClosed })),
      requesters: [
        ...rows.filter(({ isOver }) => !isOver).map(({ id, name, under }) => ({ id, name, under })),
        ...members.map(({ id, name }) => ({ id, name, under: "Members" })),
      ],
    },
    names: {
      people: called,
      accounts: Object.fromEntries(accounts.map(({ id, name }) => [id, name])),
      requesters: Object.fromEntries(rows.map(({ id, name }) => [id, name])),
    },
  };
}

/** Names for sentences of a policy, also outside of these pages. */
async function readPolicyNames(database: Queryable, organizationId: string): Promise<PolicyNames> {
  const people = await readPolicyPeople(database, organizationId);
  return (await readChoices(database, organizationId, people)).names;
}

/**
 * Who must approve, as it is in force or was.
 * @param asked an earlier version; null: the one in force
 * @returns null if there is no such published version
 */
export async function readPolicyPage(reading: TimedReading<"pool" | "clock">, asked: number | null) {
  const { services, context, time } = reading;
  const { organizationId, actor, now } = context;
  const { pool } = services;
  const [inForce, people, versions, draft] = await Promise.all([
    readPolicyInForce(pool, organizationId),
    readPolicyPeople(pool, organizationId),
    listVersions(pool, organizationId),
    readPolicyDraft(pool, organizationId),
  ]);
  const isPast = asked !== null && asked !== inForce.version;
  if (isPast && !versions.some(({ version }) => version === asked)) return null;
  const shown = isPast ? await readPolicyVersion(pool, organizationId, asked) : inForce;
  if (shown === null) return null;
  const { names } = await readChoices(pool, organizationId, people);
  const today = calendarDate(now, time.timeZone);
  const lint = await lintDraft(pool, shown.policy, { organizationId, people, today });
  const tested = await readKeptTest(
    reading,
    { policy: shown.policy, inForce: shown, names },
    `policy version ${shown.version}`,
  );
  const { policy } = shown;
  return {
    version: shown.version,
    isPast,
    facts: versions.find(({ version }) => version === shown.version) ?? null,
    sentences: [
      ...policy.rules.map((rule) => ({ name: rule.name, ...ruleSentence(rule, policy, names) })),
      { name: null, ...otherwiseSentence(policy, names) },
    ].map((sentence, at) => ({ ...sentence, matchCount: tested.rows[at]?.after ?? 0 })),
    proposalCount: tested.proposalCount,
    isCut: tested.isCut,
    people: people.map((person) => ({
      ...person,
      about: aboutPerson(person, { policy, lint, names, today }),
    })),
    versions,
    /** What waits for signatures to let more through, or to make a key. */
    changes: await listWaitingChanges(pool, context, SHOWN_CHANGES),
    nextVersion: draft?.version ?? (await readNextVersion(pool, organizationId)),
    draft: draft && { version: draft.version, state: draft.state },
    viewer: { mayEdit: mayDecide(actor) },
    time,
  };
}

export type PolicyPageView = NonNullable<Awaited<ReturnType<typeof readPolicyPage>>>;

/** Published versions, newest first, with who signed them. */
async function listVersions(database: Queryable, organizationId: string) {
  const { rows } = await database.query<{
    version: number;
    publishedAt: Date;
    isInForce: boolean;
    signedBy: string[];
  }>({
    name: "list_policy_versions",
    text: `
        select p.version, p.published_at as "publishedAt", p.state = 'IN_FORCE' as "isInForce",
            array(select u.name from signatures s join users u on u.id = s.user_id
                   where s.organization_id = $1 and s.subject_kind = 'POLICY' and s.subject_id = p.version::text
                     and s.withdrawn_at is null order by s.signed_at, s.id limit 20) as "signedBy"
          from approval_policies p
         where p.organization_id = $1 and p.state in ('IN_FORCE', 'REPLACED')
         order by p.version desc limit ${LISTED_VERSIONS}`,
    values: [organizationId],
  });
  return rows.map(({ publishedAt, ...row }) => ({
    ...row,
    publishedAt: publishedAt.toISOString(),
    href: policyVersionHref(row.version),
  }));
}

async function readNextVersion(database: Queryable, organizationId: string): Promise<number> {
  const { rows } = await database.query<{ next: number }>({
    name: "read_next_policy_version",
    text: "select coalesce(max(version), 0) + 1 as next from approval_policies where organization_id = $1",
    values: [organizationId],
  });
  return rows[0]?.next ?? 1;
}

/** `Co-owner. Must sign under 2`; `Viewer. Cannot sign`. */
function aboutPerson(
  { id, role }: PolicyPerson,
  { policy, lint, names, today }: { policy: Policy; lint: PolicyLint; names: PolicyNames; today: string },
): string {
  if (role !== "OWNER" && role !== "CO_OWNER") return `${ROLE_WORD[role]}. Cannot sign`;
  const needed = lint.findings.flatMap((finding) =>
    finding.kind === "NOBODY_WHEN_AWAY" && finding.awayIds.includes(id) ? [ruleLabel(finding.rule)] : [],
  );
  const deputy = [...policy.rules, policy.otherwise].flatMap(({ stages }) =>
    stages.flatMap(({ of, deputies }) =>
      deputies
        .filter(({ member, until }) => member === id && until >= today)
        .map(({ until }) => {
          const whose =
            "members" in of
              ? joinWords(
                  of.members.map((one) => personName(names, one)),
                  "or",
                )
              : "others";
          return `Deputy of ${whose} until ${dateWords(until)}`;
        }),
    ),
  );
  const must = needed.length === 0 ? [] : [`Must sign under ${joinWords(needed.map(lowerFirst))}`];
  return [ROLE_WORD[role], ...must, ...new Set(deputy)].join(". ");
}

const lowerFirst = (label: string) => label.replace(/^Rule /, "");

/** The editor: the draft, or what the first change begins with. Null: only owners and co-owners edit. */
export async function readPolicyEditor(reading: TimedReading<"pool" | "clock">) {
  const { services, context, time } = reading;
  const { organizationId } = context;
  const { pool } = services;
  const [inForce, people, draft] = await Promise.all([
    readPolicyInForce(pool, organizationId),
    readPolicyPeople(pool, organizationId),
    readPolicyDraft(pool, organizationId),
  ]);
  const { choices, names } = await readChoices(pool, organizationId, people);
  const version = draft?.version ?? (await readNextVersion(pool, organizationId));
  const policy = draft?.policy ?? inForce.policy;
  return {
    /** Null: not saved yet. */
    saved: draft && {
      version: draft.version,
      revision: draft.revision,
      at: draft.updatedAt.toISOString(),
      isSigning: draft.state === "SIGNING",
    },
    version,
    inForceVersion: inForce.version,
    policy,
    choices,
    names,
    checked: {
      ...(await lintPolicy(reading, { version, policy, names, people })),
      tested: await readKeptTest(reading, { policy, inForce, names }, "policy draft"),
    },
    today: calendarDate(context.now, time.timeZone),
    time,
  };
}

export type PolicyEditorView = Awaited<ReturnType<typeof readPolicyEditor>>;

/** What a changed draft would ask, for the editor. */
export async function checkPolicyDraft(reading: TimedReading, draft: { version: number; policy: Policy }) {
  const { services, context } = reading;
  const inForce = await readPolicyInForce(services.pool, context.organizationId);
  const names = await readPolicyNames(services.pool, context.organizationId);
  return checkPolicy(reading, { ...draft, inForce, names });
}

/** The draft before its publication: what changes, what it would have asked, who has signed. Null: there is none. */
export async function readPolicyPublication(reading: TimedReading<"pool" | "clock">) {
  const { services, context, time } = reading;
  const { organizationId, actor, now } = context;
  const { pool } = services;
  const today = calendarDate(now, time.timeZone);
  const signing = await readPolicySigning(pool, { organizationId, memberId: actor.id, today });
  if (!signing) return null;
  const { draft, inForce, people } = signing;
  const { names } = await readChoices(pool, organizationId, people);
  const isPasskeyHolder = await hasPasskey(pool, actor.id);
  const diff = diffPolicies(inForce.policy, draft.policy, names);
  return {
    version: draft.version,
    state: draft.state,
    hash: signing.hash,
    inForceVersion: inForce.version,
    draftedBy: people.find(({ id }) => id === draft.createdBy)?.name ?? null,
    savedAt: draft.updatedAt.toISOString(),
    diff,
    summary: summarizeDiff(diff, inForce.version),
    checked: await checkPolicy(reading, { version: draft.version, policy: draft.policy, inForce, names }),
    signing: describeSigning(signing, names, actor.id),
    confirms: {
      hasPasskey: isPasskeyHolder,
      freshUntil: freshSignInUntil(services, context, isPasskeyHolder),
      time,
    },
    viewer: { mayEdit: mayDecide(actor) },
    time,
  };
}

export type PolicyPublicationView = NonNullable<Awaited<ReturnType<typeof readPolicyPublication>>>;

function describeSigning(signing: PolicySigning, names: PolicyNames, viewerId: string) {
  const { draft, requirements, inForce } = signing;
  const { viewer, ...signers } = describeSigners(signing, viewerId);
  const asks = requirements.map(({ requirement }) => phrasesText(stagesPhrases(requirement.stages, names)));
  const [ofInForce = "", ofDraft] = asks;
  const isSame = ofDraft === undefined;
  const before = inForce.version === 0 ? "The default" : `Version ${inForce.version}`;
  return {
    ...signers,
    demand: isSame
      ? `${before} and version ${draft.version} both ask: ${ofInForce}. If they differed, the stricter would count.`
      : `${before} asks: ${ofInForce}. Version ${draft.version} asks: ${ofDraft}. Both count.`,
    isRaised: requirements.some(({ isRaised }) => isRaised),
    expiresAt: draft.expiresAt?.toISOString() ?? null,
    signingSince: draft.signingSince?.toISOString() ?? null,
    hours: signing.hours,
    viewer: {
      ...viewer,
      /** They ask, and others sign. */
      onlyAsks: draft.state === "DRAFT" && !viewer.maySign,
    },
  };
}
