import { NEW_RULE_HREF, ruleHref } from "@/lib/contract/hrefs";
import type { RuleAction } from "@/lib/contract/rules/action";
import { toDraft } from "@/lib/contract/rules/definition-to-draft";
import {
  MAXIMUM_NEW_RULE_DRAFTS,
  type RuleDraft,
  type RuleWork,
  ruleWorkSchema,
} from "@/lib/contract/rules/draft";
import type { RuleFacts, UsageByPeriod } from "@/lib/contract/rules/facts";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { TimeContext } from "@/lib/contract/time-context";
import { type KeyAccount, readKeyAccounts } from "@/lib/core/keys/read-key-accounts";
import { readOtherActiveRules } from "@/lib/core/rules/activation";
import { readAccountFacts, readUsageByPeriod } from "@/lib/core/rules/read-rule-facts";
import { findRule, requireReadable } from "@/lib/core/rules/read-rules";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import type { Reading, TimedReading } from "@/lib/views/reading";
import { namesToChoose } from "@/lib/words/names-to-choose";

/** The rule whose next version is being written. */
export interface EditedRuleView {
  id: string;
  name: string;
  href: string;
  /** The version this edit started from. */
  baseVersion: number;
  latestVersion: number;
  /** The author of the latest version; for a program, its key's name. */
  latestByName: string;
  activeVersion: number | null;
  /** The version number after saving. */
  nextVersion: number;
}

export interface RuleEditorView {
  /** The id under which this edit is saved; nothing is saved yet if `keptAt` is null. */
  draftId: string;
  /** Null: a new rule. */
  rule: EditedRuleView | null;
  keptAt: string | null;
  work: RuleWork;
  accounts: EditorAccountView[];
  /** All open accounts and those named by the rule, so that choosing another needs no server; without limits. */
  facts: RuleFacts;
  /** Of every limit that any version of the rule had, so that changing a limit needs no server. */
  limitsUsed: UsageByPeriod;
  /** Every other active rule, to show how money connects them. */
  otherActiveRules: JoinedRuleView[];
  time: TimeContext;
}

/** Another rule: its trigger, and where it sends money. */
export interface JoinedRuleView {
  id: string;
  name: string;
  trigger: Pick<RuleDefinition["trigger"], "type" | "accountId">;
  steps: readonly { actions: readonly RuleAction[] }[];
}

/** Open accounts whose facts are sent to the browser; a rule on other accounts is drawn by its own page. */
const MAXIMUM_ACCOUNTS = 300;
/** Activation itself checks all of them. */
const MAXIMUM_JOINED_RULES = 200;

type Needs = Pick<Services, "pool" | "appUrl">;

/** What a new rule can start from. */
export async function readRuleTemplates({ services, context, time }: TimedReading<"pool" | "appUrl">) {
  const [accounts, drafts] = await Promise.all([
    readKeyAccounts(services.pool, context.organizationId),
    listNewDrafts({ services, context }),
  ]);
  return {
    accounts: toAccounts(accounts.filter(({ isClosed }) => !isClosed)),
    /** The reader's own, latest first. */
    drafts,
    time,
  };
}

/** Data for the templates page. */
export type RuleTemplatesView = Awaited<ReturnType<typeof readRuleTemplates>>;

/**
 * The editor of a rule that does not exist yet.
 * @param draftId a draft of this member; null: a new one
 * @param begin creates the draft if there is none
 * @returns null if there is no such draft
 */
export async function readNewRuleEditor(
  { services, context, time }: TimedReading<"pool" | "appUrl">,
  draftId: string | null,
  begin: (accounts: EditorAccountView[]) => RuleDraft,
): Promise<RuleEditorView | null> {
  const [accounts, kept] = await Promise.all([
    readKeyAccounts(services.pool, context.organizationId),
    draftId === null ? null : readDraft(services.pool, context, { draftId }),
  ]);
  if (draftId !== null && !kept?.work) return null;
  const offered = toAccounts(accounts);
  const work = kept?.work ?? { draft: begin(offered.filter(({ isClosed }) => !isClosed)), jsonText: null };
  const draftOrNewId = kept?.id ?? newId(context.now);
  const [facts, otherActiveRules] = await Promise.all([
    readFacts(services, context, time, { accounts, work }),
    readJoinedRules(services, context, draftOrNewId),
  ]);
  return {
    draftId: draftOrNewId,
    rule: null,
    keptAt: kept?.keptAt.toISOString() ?? null,
    work,
    accounts: offered,
    facts,
    limitsUsed: { DAY: {}, WEEK: {}, MONTH: {}, YEAR: {} },
    otherActiveRules,
    time,
  };
}

/**
 * The editor of a rule, with the member's draft or its latest version.
 * @throws AppError `RULE_NOT_FOUND`, `INVALID_RULE`
 */
export async function readRuleEditor(
  { services, context, time }: TimedReading<"pool" | "appUrl">,
  ruleId: string,
): Promise<RuleEditorView> {
  const row = await findRule(services.pool, context, "ALL", ruleId);
  const rule = requireReadable(row, services.appUrl);
  const [accounts, kept, latestByName, limitsUsed] = await Promise.all([
    readKeyAccounts(services.pool, context.organizationId),
    readDraft(services.pool, context, { ruleId }),
    readAuthor(services, context, ruleId, rule.version),
    readUsageByPeriod(
      services.pool,
      { organizationId: context.organizationId, now: context.now, timeZone: time.timeZone },
      ruleId,
    ),
  ]);
  const draft = kept?.work ? { ...kept, work: kept.work } : null;
  const { name, description, trigger, steps, limits } = rule;
  const work = draft?.work ?? {
    draft: toDraft({ name, description, trigger, steps, limits }, time.timeZone),
    jsonText: null,
  };
  const edited: EditedRuleView = {
    id: ruleId,
    name: rule.activeName ?? name,
    href: ruleHref(ruleId),
    baseVersion: draft?.baseVersion ?? rule.version,
    latestVersion: rule.version,
    latestByName,
    activeVersion: rule.activeVersion,
    nextVersion: row.versionsMade + 1,
  };
  const [facts, otherActiveRules] = await Promise.all([
    readFacts(services, context, time, { accounts, work }),
    readJoinedRules(services, context, ruleId),
  ]);
  return {
    draftId: kept?.id ?? newId(context.now),
    rule: edited,
    keptAt: draft?.keptAt.toISOString() ?? null,
    work,
    accounts: toAccounts(accounts),
    facts,
    limitsUsed,
    otherActiveRules,
    time,
  };
}

/** Without conditions, which do not link rules: keeps the browser's data small. */
async function readJoinedRules(services: Needs, context: Context, ruleId: string): Promise<JoinedRuleView[]> {
  const rules = await readOtherActiveRules(services.pool, context.organizationId, ruleId);
  return rules.slice(0, MAXIMUM_JOINED_RULES).map(({ id, name, trigger, steps }) => ({
    id,
    name,
    trigger,
    steps: steps.map(({ actions }) => ({ actions })),
  }));
}

/** Named here for its lists of choices: the letters that look alike are too much for the browser's budget. */
function toAccounts(accounts: readonly KeyAccount[]) {
  const nameOf = namesToChoose(accounts.filter(({ isClosed }) => !isClosed));
  return accounts.map(({ id, name, kind, canBeSource, isClosed }) => ({
    id,
    name,
    nameToChoose: isClosed ? name : nameOf(id),
    kind,
    canBeSource,
    isClosed,
  }));
}

/** An account to choose in the editor. */
export type EditorAccountView = ReturnType<typeof toAccounts>[number];

async function readAuthor(services: Needs, context: Context, ruleId: string, version: number) {
  const { rows } = await services.pool.query<{ createdByName: string }>({
    name: "read_version_author",
    text: `select created_by_name as "createdByName" from rule_versions
            where organization_id = $1 and rule_id = $2 and version = $3`,
    values: [context.organizationId, ruleId, version],
  });
  return rows[0]?.createdByName ?? "";
}

interface FactsOf {
  accounts: readonly KeyAccount[];
  work: RuleWork;
}

async function readFacts(
  services: Needs,
  context: Context,
  time: TimeContext,
  { accounts, work }: FactsOf,
): Promise<RuleFacts> {
  const open = accounts.filter(({ isClosed }) => !isClosed).slice(0, MAXIMUM_ACCOUNTS);
  // Rules may name accounts closed since then; unknown IDs match nothing.
  const text = JSON.stringify(work.draft);
  const named = accounts.filter(({ id }) => text.includes(id));
  const ids = [...new Set([...open, ...named].map(({ id }) => id))];
  return {
    at: context.now.toISOString(),
    date: calendarDate(context.now, time.timeZone),
    incomingAmountInCents: null,
    isApprovedByPerson: false,
    accounts: await readAccountFacts(services.pool, context, ids),
    limitsUsedInCents: {},
  };
}

/** This member's drafts of new rules, latest first. */
export async function listNewDrafts({ services, context: { organizationId, actor } }: Reading) {
  const { rows } = await services.pool.query<{ id: string; name: string | null; updatedAt: Date }>({
    name: "list_new_rule_drafts",
    text: `select id, definition -> 'draft' ->> 'name' as name, updated_at as "updatedAt" from rule_drafts
            where organization_id = $1 and user_id = $2 and rule_id is null
            order by updated_at desc, id limit ${MAXIMUM_NEW_RULE_DRAFTS}`,
    values: [organizationId, actor.id],
  });
  return rows.map((row) => ({
    id: row.id,
    /** Null while it has none. */
    name: row.name?.trim() || null,
    keptAt: row.updatedAt.toISOString(),
    href: `${NEW_RULE_HREF}/edit?draft=${row.id}`,
  }));
}

interface DraftRow {
  id: string;
  baseVersion: number | null;
  definition: unknown;
  updatedAt: Date;
}

interface KeptDraft {
  id: string;
  baseVersion: number | null;
  /** Business time. */
  keptAt: Date;
  /** Null: stored by another version of Sluice that this one cannot read. */
  work: RuleWork | null;
}

/**
 * This member's draft; other members' drafts are not visible.
 * @param of the ID of a new rule's draft, or of the rule
 */
export async function readDraft(
  database: Queryable,
  { organizationId, actor }: Context<MemberActor>,
  of: { draftId: string } | { ruleId: string },
): Promise<KeptDraft | null> {
  const { rows } =
    "ruleId" in of
      ? await database.query<DraftRow>({
          name: "read_draft_of_rule",
          text: `select id, base_version as "baseVersion", definition, updated_at as "updatedAt" from rule_drafts
                  where organization_id = $1 and user_id = $2 and rule_id = $3`,
          values: [organizationId, actor.id, of.ruleId],
        })
      : await database.query<DraftRow>({
          name: "read_new_rule_draft",
          text: `select id, base_version as "baseVersion", definition, updated_at as "updatedAt" from rule_drafts
                  where organization_id = $1 and user_id = $2 and id = $3 and rule_id is null`,
          values: [organizationId, actor.id, of.draftId],
        });
  const row = rows[0];
  if (!row) return null;
  return {
    id: row.id,
    baseVersion: row.baseVersion,
    keptAt: row.updatedAt,
    work: ruleWorkSchema.safeParse(row.definition).data ?? null,
  };
}
