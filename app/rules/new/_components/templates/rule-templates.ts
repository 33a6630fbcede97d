import { emptySchedule } from "@/lib/contract/rules/definition-to-draft";
import type { ActionDraft, RuleDraft, ScheduleDraft, TriggerDraft } from "@/lib/contract/rules/draft";
import type { Phrase } from "@/lib/contract/rules/rule-parts";
import type { EditorAccountView } from "@/lib/views/rules/read-rule-editor";
import { clockWords } from "@/lib/words/rules/number-words";
import { key, say } from "@/lib/words/rules/phrases";

/** The role of an account in a template. */
type AccountRole = "INCOME" | "OPERATING" | "TAXES" | "PROFIT" | "OWNER" | "PAYROLL" | "RENT" | "DEBT";

/** The organization's accounts by role; null if none fits and the member must choose. */
export type Cast = Readonly<Record<AccountRole, EditorAccountView | null>> & {
  debts: readonly EditorAccountView[];
};

const NAMED = {
  OPERATING: /operat|checking|main|current/i,
  TAXES: /tax/i,
  PROFIT: /profit|saving|reserve/i,
  OWNER: /owner|draw|pay yourself|salary/i,
  PAYROLL: /payroll|wage|team/i,
  RENT: /rent|bill|lease|office/i,
} as const;

const MAXIMUM_DEBTS = 20;

/** Chooses pods by name, the income source and debts by type. */
export function castAccounts(accounts: readonly EditorAccountView[]): Cast {
  const pods = accounts.filter(({ kind }) => kind === "POD");
  const debts = accounts.filter(({ kind }) => kind === "LIABILITY").slice(0, MAXIMUM_DEBTS);
  const named = (pattern: RegExp) => pods.find(({ name }) => pattern.test(name)) ?? null;
  const operating = named(NAMED.OPERATING) ?? pods[0] ?? null;
  return {
    INCOME: accounts.find(({ kind }) => kind === "INCOME_SOURCE") ?? operating,
    OPERATING: operating,
    TAXES: named(NAMED.TAXES),
    PROFIT: named(NAMED.PROFIT),
    OWNER: named(NAMED.OWNER),
    PAYROLL: named(NAMED.PAYROLL),
    RENT: named(NAMED.RENT),
    DEBT: debts[0] ?? null,
    debts,
  };
}

/** The placeholder name of a role without an account. */
const CALLED = {
  INCOME: "your income source",
  OPERATING: "Operating",
  TAXES: "Taxes",
  PROFIT: "Profit",
  OWNER: "Owner’s pay",
  PAYROLL: "Payroll",
  RENT: "Rent",
  DEBT: "a card",
} as const satisfies Record<AccountRole, string>;

function nameIn(cast: Cast, role: AccountRole): string {
  return cast[role]?.name ?? CALLED[role];
}

export const TEMPLATE_GROUPS = [
  { id: "ARRIVAL", title: "When money comes in", fact: "Runs on each deposit that settles" },
  { id: "SCHEDULE", title: "On a schedule", fact: "In your time zone, moved off bank holidays if you like" },
  { id: "BALANCE", title: "Keep a balance", fact: "Checks whenever money arrives" },
] as const;

export interface RuleTemplate {
  /** Used in the editor's URL. */
  id: string;
  group: (typeof TEMPLATE_GROUPS)[number]["id"];
  name: string;
  /** The drawing: percentages of the channel; the rest stays. */
  shares: readonly number[];
  /** Only offered if there is a debt. */
  needsDebt: boolean;
  says: (cast: Cast) => Phrase[];
  begin: (cast: Cast) => TemplateRule;
}

interface TemplateRule {
  trigger: Pick<TriggerDraft, "type"> & { of: AccountRole; schedule?: Partial<ScheduleDraft> };
  /** In order of their groups. */
  groups: TemplateAction[][];
}

type TemplateAction = Pick<ActionDraft, "type"> &
  Partial<Pick<ActionDraft, "amountInCents" | "percentage" | "of" | "keepInCents" | "upTo">> & {
    to: AccountRole | "DEBTS";
  };

const share = (percentage: number, to: AccountRole): TemplateAction => ({
  type: "PERCENTAGE",
  percentage,
  to,
});
const fill = (to: AccountRole, amountInCents: number): TemplateAction => ({
  type: "TOP_UP",
  amountInCents,
  to,
});
const rest = (to: AccountRole, keepInCents = 0): TemplateAction => ({ type: "REMAINDER", keepInCents, to });

export const RULE_TEMPLATES: readonly RuleTemplate[] = [
  {
    id: "profit-first",
    group: "ARRIVAL",
    name: "Profit First",
    shares: [5, 50, 15, 30],
    needsDebt: false,
    says: (cast) => [
      say("Send "),
      key("5%"),
      say(` to ${nameIn(cast, "PROFIT")}, `),
      key("50%"),
      say(` to ${nameIn(cast, "OWNER")}, `),
      key("15%"),
      say(` to ${nameIn(cast, "TAXES")} and `),
      key("the rest"),
      say(` to ${nameIn(cast, "OPERATING")}.`),
    ],
    begin: () => ({
      trigger: { type: "ON_FUNDS_TRANSFERRED", of: "INCOME" },
      groups: [[share(5, "PROFIT"), share(50, "OWNER"), share(15, "TAXES")], [rest("OPERATING")]],
    }),
  },
  {
    id: "set-tax-aside",
    group: "ARRIVAL",
    name: "Set tax aside",
    shares: [27],
    needsDebt: false,
    says: (cast) => [
      say("Send "),
      key("27%"),
      say(` of each deposit to ${nameIn(cast, "TAXES")}. The rest stays where it arrived.`),
    ],
    begin: () => ({
      trigger: { type: "ON_FUNDS_TRANSFERRED", of: "INCOME" },
      groups: [[share(27, "TAXES")]],
    }),
  },
  {
    id: "fill-in-order",
    group: "ARRIVAL",
    name: "Fill in order",
    shares: [40, 35, 25],
    needsDebt: false,
    says: (cast) => [
      say(`Fill ${nameIn(cast, "RENT")} up to `),
      key("$2,400.00"),
      say(`, then ${nameIn(cast, "PAYROLL")} up to `),
      key("$8,000.00"),
      say(", then send "),
      key("the rest"),
      say(` to ${nameIn(cast, "OPERATING")}.`),
    ],
    begin: () => ({
      trigger: { type: "ON_FUNDS_TRANSFERRED", of: "INCOME" },
      groups: [[fill("RENT", 240_000)], [fill("PAYROLL", 800_000)], [rest("OPERATING")]],
    }),
  },
  {
    id: "pay-yourself",
    group: "SCHEDULE",
    name: "Pay yourself on Fridays",
    shares: [100],
    needsDebt: false,
    says: (cast) => [
      say("Every "),
      key(`Friday at ${clockWords("17:00")}`),
      say(", send "),
      key("$620.00"),
      say(` from ${nameIn(cast, "OPERATING")} to ${nameIn(cast, "OWNER")}.`),
    ],
    begin: () => ({
      trigger: {
        type: "SCHEDULED",
        of: "OPERATING",
        schedule: { frequency: "WEEKLY", dayOfWeek: 5, time: "17:00" },
      },
      groups: [[{ type: "FIXED", amountInCents: 62_000, to: "OWNER" }]],
    }),
  },
  {
    id: "pay-off-card",
    group: "SCHEDULE",
    name: "Pay off the card",
    shares: [60],
    needsDebt: true,
    says: (cast) => [
      say("On the "),
      key("1st of each month"),
      say(", or the banking day before, pay "),
      key("the last statement"),
      say(` of ${nameIn(cast, "DEBT")} from ${nameIn(cast, "OPERATING")}.`),
    ],
    begin: () => ({
      trigger: {
        type: "SCHEDULED",
        of: "OPERATING",
        schedule: { frequency: "MONTHLY", daysOfMonth: [1], onNonBankingDay: "PREVIOUS_BANKING_DAY" },
      },
      groups: [[{ type: "LAST_STATEMENT_BALANCE", to: "DEBT" }]],
    }),
  },
  {
    id: "debt-snowball",
    group: "SCHEDULE",
    name: "Debt snowball",
    shares: [55, 30],
    needsDebt: true,
    says: () => budgetSays("smallest balance first"),
    begin: () => budget("SNOWBALL"),
  },
  {
    id: "debt-avalanche",
    group: "SCHEDULE",
    name: "Debt avalanche",
    shares: [30, 55],
    needsDebt: true,
    says: () => budgetSays("highest rate first"),
    begin: () => budget("AVALANCHE"),
  },
  {
    id: "keep-a-pod-full",
    group: "BALANCE",
    name: "Keep a pod full",
    shares: [70],
    needsDebt: false,
    says: (cast) => [
      say(`When money arrives in ${nameIn(cast, "OPERATING")}, fill ${nameIn(cast, "PAYROLL")} up to `),
      key("$6,500.00"),
      say(`, never taking ${nameIn(cast, "OPERATING")} below its floor.`),
    ],
    begin: () => ({
      trigger: { type: "ON_FUNDS_TRANSFERRED", of: "OPERATING" },
      groups: [[fill("PAYROLL", 650_000)]],
    }),
  },
  {
    id: "sweep",
    group: "BALANCE",
    name: "Sweep the excess",
    shares: [35],
    needsDebt: false,
    says: (cast) => [
      say(`When ${nameIn(cast, "OPERATING")} holds more than `),
      key("$20,000.00"),
      say(`, send the excess to ${nameIn(cast, "PROFIT")}.`),
    ],
    begin: () => ({
      trigger: { type: "ON_FUNDS_TRANSFERRED", of: "OPERATING" },
      groups: [[rest("PROFIT", 2_000_000)]],
    }),
  },
];

function budgetSays(order: string): Phrase[] {
  return [say("Every month, pay "), key("$800.00"), say(" toward your debts, "), key(order), say(".")];
}

function budget(type: "SNOWBALL" | "AVALANCHE"): TemplateRule {
  return {
    trigger: { type: "SCHEDULED", of: "OPERATING", schedule: { frequency: "MONTHLY", daysOfMonth: [1] } },
    groups: [[{ type, amountInCents: 80_000, upTo: true, to: "DEBTS" }]],
  };
}

/** The templates that this organization can use. */
export function offeredTemplates(cast: Cast): RuleTemplate[] {
  return RULE_TEMPLATES.filter(({ needsDebt }) => !needsDebt || cast.DEBT !== null);
}

interface Beginning {
  cast: Cast;
  /** The organization's time zone. */
  timeZone: string;
  /** The schedule's start: the start of today, ISO 8601. */
  startAt: string;
}

/** A new rule's draft. @param templateId an unknown id gives a blank rule */
export function beginDraft(templateId: string | null, { cast, timeZone, startAt }: Beginning): RuleDraft {
  const template = RULE_TEMPLATES.find(({ id }) => id === templateId);
  const schedule = { ...emptySchedule(timeZone), startAt };
  if (!template) {
    return {
      name: "",
      description: "",
      trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: null, minimumAmountInCents: null, schedule },
      steps: [{ key: 1, conditions: null, actions: [] }],
      limits: [],
      reason: "",
    };
  }
  const { trigger, groups } = template.begin(cast);
  const sourceAccountId = cast[trigger.of]?.id ?? null;
  const actions = groups.flatMap((members, group) => members.map((action) => ({ action, group })));
  return {
    name: template.name,
    description: "",
    trigger: {
      type: trigger.type,
      accountId: sourceAccountId,
      minimumAmountInCents: null,
      schedule: { ...schedule, ...trigger.schedule },
    },
    steps: [
      {
        key: 1,
        conditions: null,
        actions: actions.map(({ action: { to, ...action }, group }, index) => ({
          key: index + 2,
          sourceAccountId,
          destinationAccountIds: destinations(cast, to).filter((id) => id !== sourceAccountId),
          amountInCents: null,
          percentage: null,
          of: "INCOMING_AMOUNT" as const,
          keepInCents: 0,
          upTo: false,
          limitId: null,
          description: null,
          ...action,
          group,
        })),
      },
    ],
    limits: [],
    reason: "",
  };
}

function destinations(cast: Cast, to: AccountRole | "DEBTS"): string[] {
  if (to === "DEBTS") return cast.debts.map(({ id }) => id);
  const account = cast[to];
  return account ? [account.id] : [];
}
