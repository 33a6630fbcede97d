import { formatCents } from "@/lib/contract/format-cents";
import { accountHref, NEW_RULE_HREF, ruleHref } from "@/lib/contract/hrefs";
import {
  FIRST_MOVE_IN_CENTS,
  type IdentityInput,
  STARTER_PODS,
  TEST_DEPOSIT_IN_CENTS,
} from "@/lib/contract/onboarding";
import { type IdentityStatus, subjectsSchema } from "@/lib/core/organizations/identity";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Reading } from "@/lib/views/reading";

export type OnboardingStepId = "YOU" | "ORGANIZATION" | "IDENTITY" | "BANK" | "PODS" | "RULE" | "KEY";

export interface OnboardingStepView {
  id: OnboardingStepId;
  isDone: boolean;
  /** What exists already, in a few words. */
  note: string | null;
  /** Null: it cannot be revisited. */
  href: string | null;
}

export type ChecklistItemId =
  | "IDENTITY"
  | "PODS"
  | "BANK"
  | "MONEY"
  | "MOVE"
  | "RULE"
  | "KEY"
  | "PASSKEY"
  | "PHONE";

export interface ChecklistItemView {
  id: ChecklistItemId;
  isDone: boolean;
  isOptional: boolean;
  /** The outcome comes without the reader: the page looks again. */
  isUnderway: boolean;
  /** What exists, or what keeps it from being done. */
  note: string | null;
  /** What its link says and opens; null: nothing to do, or not possible yet. */
  link: { label: string; href: string } | null;
}

const MAXIMUM_NAMED = 3;

/** What the server can do, which decides what a new organization is offered. */
export interface OnboardingOffers {
  /** Only simulated providers: test money is offered. */
  hasSandbox: boolean;
  /** A simulated identity check: a sample identity is offered where all else is simulated, too. */
  hasSandboxIdentity: boolean;
  /** Whether text messages can be sent. */
  hasSms: boolean;
}

interface Row {
  name: string;
  kind: "INDIVIDUAL" | "BUSINESS";
  /** Null: no verification is required. */
  status: IdentityStatus | null;
  problem: string | null;
  subjects: unknown;
  isEnded: boolean;
  connections: { id: string; institutionName: string; isActive: boolean }[] | null;
  pods: { id: string; name: string }[] | null;
  income: { id: string; name: string; availableInCents: number } | null;
  taxesPod: { id: string; name: string } | null;
  hasFlows: boolean;
  hasMoneyIn: boolean;
  isMoneyComing: boolean;
  hasMoved: boolean;
  isMoveWaiting: boolean;
  activeRule: string | null;
  inactiveRule: { id: string; name: string } | null;
  draftId: string | null;
  keyName: string | null;
  hasPasskey: boolean;
  phone: string | null;
  isPhoneVerified: boolean;
}

/** A new organization's progress, derived from its data: none of it is stored. */
export async function readOnboarding(
  { services, context: { organizationId, actor } }: Reading,
  offers: OnboardingOffers,
) {
  const { rows } = await services.pool.query<Row>({
    name: "read_onboarding",
    text: `
      select o.name, o.kind, i.status, i.problem, coalesce(i.subjects, '[]') as subjects,
        i.onboarded_at is not null as "isEnded",
        (select jsonb_agg(jsonb_build_object('id', c.id, 'institutionName', c.institution_name,
             'isActive', c.status = 'ACTIVE')) from (
           select id, institution_name, status from connections
            where organization_id = $1 and status <> 'DISCONNECTED' order by id limit ${MAXIMUM_NAMED}) c) as connections,
        (select jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name)) from (
           select id, name from accounts
            where organization_id = $1 and type = 'POD' and deleted_at is null order by id limit ${MAXIMUM_NAMED}) a) as pods,
        (select jsonb_build_object('id', a.id, 'name', a.name,
             'availableInCents', l.credits_in_cents - l.debits_in_cents - l.held_in_cents)
           from accounts a join ledgers l on l.organization_id = a.organization_id and l.id = a.id
          where a.organization_id = $1 and a.type <> 'EXTERNAL_ACCOUNT' and a.deleted_at is null
          order by a.type, a.id limit 1) as income,
        (select jsonb_build_object('id', a.id, 'name', a.name) from accounts a
          where a.organization_id = $1 and a.type = 'POD' and a.deleted_at is null
          order by lower(a.name) = 'taxes' desc, a.id limit 1) as "taxesPod",
        exists (select from daily_flows where organization_id = $1) as "hasFlows",
        exists (select from daily_flows f where f.organization_id = $1 and f.debit_ledger_id = o.clearing_ledger_id
          and f.amount_in_cents > 0) as "hasMoneyIn",
        exists (select from transfers t where t.organization_id = $1 and t.next_step = 'AWAIT'
          and t.direction = 'MONEY_IN') as "isMoneyComing",
        exists (select from daily_flows f where f.organization_id = $1 and f.debit_ledger_id <> o.clearing_ledger_id
          and f.party <> 'card' and f.amount_in_cents > 0) as "hasMoved",
        exists (select from transfers t where t.organization_id = $1 and t.status = 'APPROVAL_PENDING') as "isMoveWaiting",
        (select r.name from rules r where r.organization_id = $1 and r.deleted_at is null and r.active_version is not null
          order by r.id limit 1) as "activeRule",
        (select jsonb_build_object('id', r.id, 'name', r.name) from rules r
          where r.organization_id = $1 and r.deleted_at is null and r.active_version is null
          order by r.id limit 1) as "inactiveRule",
        (select d.id from rule_drafts d where d.organization_id = $1 and d.user_id = $2 and d.rule_id is null
          order by d.updated_at desc, d.id limit 1) as "draftId",
        (select k.name from api_keys k where k.organization_id = $1 and k.client_id is null and k.revoked_at is null
          order by k.id limit 1) as "keyName",
        exists (select from passkeys p where p.user_id = $2) as "hasPasskey",
        u.phone, u.phone_verified_at is not null as "isPhoneVerified"
      from organizations o
      join users u on u.id = $2
      left join identity_checks i on i.organization_id = o.id
      where o.id = $1`,
    values: [organizationId, actor.id],
  });
  const row = rows[0];
  if (!row) throw new Error("A signed-in member's organization was not found.");
  const items = itemsOf(row, offers);
  const steps = stepsOf(row, items, actor.name);
  return {
    organization: { name: row.name, kind: row.kind },
    /** The reader. */
    memberName: actor.name,
    steps,
    identity: {
      status: row.status ?? "APPROVED",
      /** Why it is needed again; null the first time. */
      problem: row.problem,
      subjects: subjectsSchema.parse(row.subjects),
    },
    /** At most three are named. */
    connections: (row.connections ?? []).map(({ id, institutionName }) => ({ id, institutionName })),
    pods: row.pods ?? [],
    /** A draft of the first rule by this member; null without one. */
    ruleDraftHref: row.draftId && draftHref(row.draftId),
    /** A saved rule, while none is active. */
    inactiveRule:
      row.activeRule === null && row.inactiveRule
        ? { name: row.inactiveRule.name, href: ruleHref(row.inactiveRule.id) }
        : null,
    /** The first unfinished step; null once all are done. */
    nextHref: steps.find(({ isDone, href }) => !isDone && href !== null)?.href ?? null,
    /** Sandbox only: made-up details that the check approves. */
    sampleIdentity:
      offers.hasSandbox && offers.hasSandboxIdentity
        ? sampleIdentityOf(row.kind, row.name, actor.name)
        : null,
    checklist: checklistOf(row, items, offers, mayDecide(actor)),
    /** Whether Overview shows the checklist: until a member puts it away; without an identity check, until money moves. */
    isOpen: row.status === null ? !row.hasFlows : !row.isEnded,
  };
}

export type IdentitySubjectView = IdentityView["subjects"][number];
export type IdentityView = OnboardingView["identity"];

/** The first steps of a new organization, derived from its data: any browser continues where another stopped. */
export type OnboardingView = Awaited<ReturnType<typeof readOnboarding>>;

const draftHref = (draftId: string) => `${NEW_RULE_HREF}/edit?draft=${draftId}`;

/** Numbers that are never issued, so that nobody's are entered by mistake. */
const SAMPLE_SSN = "000-12-6789";
const SAMPLE_EIN = "00-1234567";
const SAMPLE_ADDRESS = { street: "1 Main Street", city: "New York", state: "NY", postalCode: "10013" };

function sampleIdentityOf(kind: Row["kind"], organizationName: string, personName: string): IdentityInput {
  const isBusiness = kind === "BUSINESS";
  const address = SAMPLE_ADDRESS;
  return {
    business: isBusiness ? { name: organizationName, taxId: SAMPLE_EIN, address } : null,
    people: [
      {
        name: personName,
        taxId: SAMPLE_SSN,
        bornOn: "1988-04-02",
        /** Null for the business itself and for an individual. */
        ownsPercent: isBusiness ? 100 : null,
        address,
      },
    ],
  };
}

const IDENTITY_NOTE = {
  NEEDED: null,
  SUBMITTING: "Checking",
  CHECKING: "Checking",
  NEEDS_DOCUMENT: "Needs a document",
  APPROVED: "Approved",
  REFUSED: "Refused",
} as const satisfies Record<IdentityStatus, string | null>;

const IDENTITY_LABEL = {
  NEEDED: "Verify identity",
  SUBMITTING: "See its progress",
  CHECKING: "See its progress",
  NEEDS_DOCUMENT: "Add the document",
  APPROVED: "See the result",
  REFUSED: "See why",
} as const satisfies Record<IdentityStatus, string>;

type Item = Pick<ChecklistItemView, "id" | "isDone"> & Partial<ChecklistItemView>;

/** In the order in which they can be done. */
function itemsOf(row: Row, { hasSandbox, hasSms }: OnboardingOffers): ChecklistItemView[] {
  const status = row.status ?? "APPROVED";
  const items: Item[] = [
    ...(row.status === null ? [] : [identityItem(row.status)]),
    podsItem(row, status === "APPROVED"),
    bankItem(row),
    moneyItem(row),
    moveItem(row, hasSandbox),
    ruleItem(row),
    { id: "KEY", isDone: row.keyName !== null, isOptional: true, note: row.keyName, link: KEY_LINK },
    {
      id: "PASSKEY",
      isDone: row.hasPasskey,
      isOptional: true,
      link: { label: "Add a passkey", href: "/settings/security" },
    },
    ...(hasSms || row.isPhoneVerified ? [phoneItem(row)] : []),
  ];
  return items.map((item) => ({ isOptional: false, isUnderway: false, note: null, link: null, ...item }));
}

const KEY_LINK = { label: "Create a key", href: "/settings/api-keys/new" };

function identityItem(status: IdentityStatus): Item {
  return {
    id: "IDENTITY",
    isDone: status === "APPROVED",
    isUnderway: status === "SUBMITTING" || status === "CHECKING",
    note: IDENTITY_NOTE[status],
    link: { label: IDENTITY_LABEL[status], href: "/welcome/identity" },
  };
}

function podsItem({ pods }: Row, isIdentified: boolean): Item {
  const names = (pods ?? []).map(({ name }) => name);
  return {
    id: "PODS",
    isDone: names.length > 0,
    note: names.length > 0 ? names.join(", ") : isIdentified ? null : "After the identity check",
    link: isIdentified ? { label: "Choose your own", href: "/welcome/pods" } : null,
  };
}

/** Optional: money also arrives by account number. */
function bankItem({ connections }: Row): Item {
  const connection = connections?.find(({ isActive }) => isActive) ?? connections?.[0];
  return {
    id: "BANK",
    isDone: connection?.isActive === true,
    isOptional: true,
    note: connection
      ? `${connection.institutionName}${connection.isActive ? "" : " needs a new sign-in"}`
      : null,
    link:
      connection && !connection.isActive
        ? { label: "Sign in again", href: `/connections/${connection.id}` }
        : { label: "Connect a bank", href: "/accounts/connect" },
  };
}

function moneyItem({ income, hasMoneyIn, isMoneyComing }: Row): Item {
  return {
    id: "MONEY",
    isDone: hasMoneyIn,
    isUnderway: isMoneyComing,
    note: hasMoneyIn ? null : isMoneyComing ? "On its way" : income ? null : "After the first pods",
    link: income ? { label: `Open ${income.name}`, href: accountHref(income.id) } : null,
  };
}

/** In the sandbox the form opens filled in, as soon as there is enough to move. */
function moveItem(row: Row, hasSandbox: boolean): Item {
  const { income, taxesPod, hasMoneyIn, hasMoved, isMoveWaiting } = row;
  const suggested =
    hasSandbox && income && taxesPod && income.id !== taxesPod.id ? { income, taxesPod } : null;
  const isAfforded = suggested !== null && suggested.income.availableInCents >= FIRST_MOVE_IN_CENTS;
  return {
    id: "MOVE",
    isDone: hasMoved,
    note: hasMoved
      ? null
      : isMoveWaiting
        ? "Waiting for approval"
        : hasMoneyIn
          ? null
          : "After money has arrived",
    link: !hasMoneyIn
      ? null
      : isMoveWaiting
        ? { label: "Approvals", href: "/approvals" }
        : isAfforded && suggested
          ? firstMove(suggested.income.id, suggested.taxesPod)
          : { label: "Move money", href: "/transfers/new" },
  };
}

function firstMove(from: string, to: { id: string; name: string }) {
  const query = new URLSearchParams({ from, to: to.id, amountInCents: String(FIRST_MOVE_IN_CENTS) });
  return {
    label: `Move ${formatCents(FIRST_MOVE_IN_CENTS)} to ${to.name}`,
    href: `/transfers/new?${query}`,
  };
}

/** Done when one is active: a saved rule does nothing. */
function ruleItem({ activeRule, inactiveRule, draftId }: Row): Item {
  const item = { id: "RULE" as const, isDone: activeRule !== null };
  if (activeRule !== null) return { ...item, note: activeRule, link: { label: "See rules", href: "/rules" } };
  if (inactiveRule) {
    const link = { label: "Review and activate it", href: ruleHref(inactiveRule.id) };
    return { ...item, note: `${inactiveRule.name} is not active`, link };
  }
  if (draftId !== null) {
    return { ...item, note: "Draft", link: { label: "Review your draft", href: draftHref(draftId) } };
  }
  return { ...item, link: { label: "Start from a template", href: NEW_RULE_HREF } };
}

function phoneItem({ phone, isPhoneVerified }: Row): Item {
  return {
    id: "PHONE",
    isDone: isPhoneVerified,
    isOptional: true,
    note: phone !== null && !isPhoneVerified ? "Not verified" : null,
    link: {
      label: phone !== null && !isPhoneVerified ? "Verify it" : "Add a phone number",
      href: "/settings/notifications",
    },
  };
}

function checklistOf(
  row: Row,
  items: ChecklistItemView[],
  { hasSandbox }: OnboardingOffers,
  canDecide: boolean,
) {
  const isIdentified = (row.status ?? "APPROVED") === "APPROVED";
  const canOpen = canDecide && isIdentified && row.income === null;
  const canDeposit = canDecide && hasSandbox && row.income !== null && !row.hasMoneyIn;
  return {
    items,
    /** Whether the reader may do these; for others the list only informs. */
    canDecide,
    /** Names of the pods that one press opens; null once there are any, and before the identity check is approved. */
    starterPods: canOpen ? STARTER_PODS.map(({ name }) => name) : null,
    /** Sandbox only: what one press deposits. Null without an account, and once money has arrived. */
    testDepositInCents: canDeposit ? TEST_DEPOSIT_IN_CENTS : null,
    /** Whether it can be put away: from an approved identity check on. */
    canEnd: canDecide && row.status === "APPROVED" && !row.isEnded,
  };
}

/** Shown on Overview and at /welcome. Each item follows from the organization's data, none from a flag. */
export type ChecklistView = ReturnType<typeof checklistOf>;

const STEP_HREF = {
  IDENTITY: "/welcome/identity",
  BANK: "/welcome/bank",
  PODS: "/welcome/pods",
  RULE: "/welcome/rule",
  KEY: "/welcome/key",
} as const;

/** The items of the checklist that have a page of their own, after what signing up has done. */
function stepsOf(row: Row, items: readonly ChecklistItemView[], memberName: string): OnboardingStepView[] {
  const kind = row.kind === "BUSINESS" ? "A business" : "An individual";
  const of = (id: keyof typeof STEP_HREF): OnboardingStepView => {
    const item = items.find((one) => one.id === id);
    // Only an organization that needs no identity check has no such item.
    const note = item ? (item.note ?? (item.isOptional ? "Optional" : null)) : IDENTITY_NOTE.APPROVED;
    return { id, isDone: item?.isDone ?? true, note, href: STEP_HREF[id] };
  };
  return [
    { id: "YOU", isDone: true, note: memberName, href: null },
    { id: "ORGANIZATION", isDone: true, note: kind, href: null },
    of("IDENTITY"),
    of("BANK"),
    of("PODS"),
    of("RULE"),
    of("KEY"),
  ];
}
