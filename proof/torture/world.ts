import type { PermissionInput } from "@/lib/contract/permissions";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { addMember } from "@/lib/core/organizations/add-member";
import type { CallerActor, Context, MemberActor } from "@/lib/core/shared/context";
import type { WebhookSetting } from "@/lib/core/webhooks/webhook-setting";
import type { Services } from "@/lib/platform/services";
import { moveAnything } from "@/lib/testing/api";
import { createApiKey } from "@/lib/testing/as-entered";
import type { TestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { activate, anythingWithRules, writeRule } from "@/lib/testing/rules/rules";
import { addEndpoint } from "@/lib/testing/webhooks";
import type { OpenedLimit, OpenedOrganization, OpenedRule } from "@/proof/torture/checker/history";

/** An agent's proposals with one key stay far below the rate limit, repetitions included. */
export const REQUESTS_PER_KEY = 40;
const MEMBER_PASSWORD = "torture, patience and seeds";
/** Reached after some transfers, with what rules make of them. */
export const CAP_IN_CENTS = 100_000;
const POD_BALANCE_IN_CENTS = 400_000;
/** Of all pods of a party together. */
export const OPENING_IN_CENTS = 4 * POD_BALANCE_IN_CENTS;

/** An organization as the simulation knows it. */
export interface Party {
  organizationId: string;
  accounts: Record<AccountName, string>;
  /** The rule that programs trigger. */
  manualRuleId: string;
  keys: { moving: PartyKey[]; asking: PartyKey[] };
  /** It is revoked while an agent uses it. */
  doomedKey: PartyKey;
  /** It needs no approval, up to `CAP_IN_CENTS` a day. */
  cappedKey: PartyKey;
  /** It asks for everything that no mandate lets it do. */
  mandateKey: PartyKey;
  members: PartyMember[];
  opened: Pick<OpenedOrganization, "accounts" | "openingTransferIds" | "rules" | "limits" | "endpoints">;
}

export interface PartyKey {
  id: string;
  text: string;
}

export interface PartyMember {
  id: string;
  email: string;
  password: string;
}

const ACCOUNTS = {
  income: { name: "Client payments", type: "INCOME_SOURCE" },
  operating: { name: "Operating", type: "POD", balanceInCents: POD_BALANCE_IN_CENTS, floorInCents: 20_000 },
  taxes: { name: "Taxes", type: "POD", balanceInCents: POD_BALANCE_IN_CENTS },
  reserve: { name: "Reserve", type: "POD", balanceInCents: POD_BALANCE_IN_CENTS },
  vault: { name: "Vault", type: "POD", balanceInCents: POD_BALANCE_IN_CENTS },
  checking: { name: "Checking", type: "EXTERNAL_ACCOUNT", balanceInCents: 100_000_000 },
} as const;
type AccountName = keyof typeof ACCOUNTS;

/**
 * An organization with accounts connected by rules, keys that may move and keys that need approval, two people who
 * decide, and a receiver of its events. The effect of each rule is recorded for the checker, which reads no rule of the
 * product.
 * @param keyCount of each kind
 */
export async function openParty(
  database: Pick<TestDatabase, "pool" | "ownerPool">,
  services: Services,
  webhooks: WebhookSetting,
  { receiverUrl, keyCount }: { receiverUrl: string; keyCount: number },
): Promise<Party> {
  const organization = await createTestOrganization(database, services);
  const { organizationId } = organization;
  const accounts: Partial<Record<AccountName, string>> = {};
  for (const [name, account] of Object.entries(ACCOUNTS)) {
    accounts[toAccountName(name)] = await organization.addAccount(account);
  }
  const ids = requireAll(accounts);
  const author = await organization.addKey(anythingWithRules(false), "author");
  const rules = await openRules(services, { author: author.context, owner: organization.owner }, ids);
  const owner = { ...organization.owner, now: services.clock.now() };
  const makeKey = (permissions: PermissionInput[], dailyCapInCents: number | null = null) =>
    createApiKey(services, owner, { name: "agent", permissions, dailyCapInCents });
  const makeKeys = async (permissions: PermissionInput[]) => {
    const keys: PartyKey[] = [];
    for (let made = 0; made < keyCount; made++) keys.push(await makeKey(permissions));
    return keys;
  };
  return {
    organizationId,
    accounts: ids,
    manualRuleId: rules.manualRuleId,
    keys: { moving: await makeKeys(permissionsOf(false)), asking: await makeKeys(permissionsOf(true)) },
    doomedKey: await makeKey(permissionsOf(false)),
    cappedKey: await makeKey(permissionsOf(false), CAP_IN_CENTS),
    mandateKey: await makeKey(permissionsOf(true)),
    members: await addDeciders(services, organizationId),
    opened: {
      accounts: Object.entries(ACCOUNTS).map(([name, { name: shown, type }]) => ({
        id: ids[toAccountName(name)],
        name: shown,
        type,
      })),
      openingTransferIds: await readTransferIds(database, organizationId),
      rules: rules.opened,
      limits: rules.limits,
      endpoints: [await addEndpoint(services, webhooks, organizationId, receiverUrl)],
    },
  };
}

async function readTransferIds(
  { ownerPool }: Pick<TestDatabase, "ownerPool">,
  organizationId: string,
): Promise<string[]> {
  const { rows } = await ownerPool.query<{ id: string }>(
    "select id from transfers where organization_id = $1",
    [organizationId],
  );
  return rows.map(({ id }) => id);
}

function permissionsOf(asks: boolean): PermissionInput[] {
  return [
    moveAnything(asks),
    { type: "READ_TRANSFERS", accounts: "ALL" },
    { type: "READ_ACCOUNTS", accounts: "ALL" },
    { type: "CREATE_ACCOUNTS" },
    { type: "TRIGGER_RULES", rules: "ALL", approval: { required: asks } },
  ];
}

/** Two, so that they can disagree about one proposal at the same moment. */
async function addDeciders(services: Services, organizationId: string): Promise<PartyMember[]> {
  const members: PartyMember[] = [];
  for (const role of ["OWNER", "CO_OWNER"] as const) {
    const email = `${role.toLowerCase().replace("_", "-")}-${organizationId}@example.com`;
    const person = { organizationId, role, email, name: `The ${role}`, password: MEMBER_PASSWORD };
    const { userId } = await addMember(services, person);
    members.push({ id: userId, email, password: MEMBER_PASSWORD });
  }
  return members;
}

function toAccountName(text: string): AccountName {
  const name = ACCOUNT_NAMES.find((one) => one === text);
  if (!name) throw new Error(`There is no account called ${text}`);
  return name;
}

const ACCOUNT_NAMES: readonly AccountName[] = [
  "income",
  "operating",
  "taxes",
  "reserve",
  "vault",
  "checking",
];

function requireAll(accounts: Partial<Record<AccountName, string>>): Record<AccountName, string> {
  const { income, operating, taxes, reserve, vault, checking } = accounts;
  if (!income || !operating || !taxes || !reserve || !vault || !checking) {
    throw new Error("Not every account was opened");
  }
  return { income, operating, taxes, reserve, vault, checking };
}

const LIMIT_IN_CENTS = 60_000;
const AN_HOUR_MS = 3_600_000;

interface Writers {
  author: Context<CallerActor>;
  owner: Context<MemberActor>;
}

type Ids = Record<AccountName, string>;

/** The rules of a party, and what the checker learns of them: it reads no rule of the product. */
interface OpenedRules {
  manualRuleId: string;
  opened: OpenedRule[];
  limits: OpenedLimit[];
}

/**
 * Income is split; what arrives in Taxes is passed on; what arrives in Reserve is passed on up to a limit; some rules
 * run every day.
 */
async function openRules(services: Services, writers: Writers, ids: Ids): Promise<OpenedRules> {
  const open = (name: string, definition: object) => openRule(services, writers, { name, ...definition });
  const split = await open("Split income", {
    trigger: arrivalAt(ids.income),
    // Each in its own group, so that each is rounded by itself.
    steps: [
      { actions: [share(ids.income, ids.taxes, 30), share(ids.income, ids.reserve, 20, { group: 1 })] },
    ],
  });
  const onward = await open("Onward from taxes", {
    trigger: arrivalAt(ids.taxes),
    steps: [{ actions: [share(ids.taxes, ids.vault, 50, { upTo: true })] }],
  });
  const limited = await open("Onward from reserve, limited", {
    trigger: arrivalAt(ids.reserve),
    limits: [{ id: "month", period: "MONTH", amountInCents: LIMIT_IN_CENTS }],
    steps: [{ actions: [share(ids.reserve, ids.vault, 90, { upTo: true, limitId: "month" })] }],
  });
  const manualRuleId = await open("On request", {
    trigger: { type: "MANUAL", accountId: ids.operating },
    steps: [{ actions: [fixed(ids.operating, ids.vault, 1_500)] }],
  });
  await open("Every day", {
    trigger: { type: "SCHEDULED", accountId: ids.operating, schedule: everyDay(services) },
    steps: [{ actions: [fixed(ids.operating, ids.vault, 700)] }],
  });
  const shares = [
    { destinationAccountId: ids.taxes, percentage: 30 },
    { destinationAccountId: ids.reserve, percentage: 20 },
  ];
  return {
    manualRuleId,
    opened: [
      { id: split, accountId: ids.income, shares },
      { id: onward, accountId: ids.taxes, shares: [] },
      { id: limited, accountId: ids.reserve, shares: [] },
    ],
    limits: [{ ruleId: limited, limitId: "month", amountInCents: LIMIT_IN_CENTS }],
  };
}

/** Writes a rule as a program does, and activates it as a person does. @returns its id */
async function openRule(services: Services, { author, owner }: Writers, definition: object): Promise<string> {
  const now = services.clock.now();
  const id = await writeRule(services, { ...author, now }, ruleDefinitionSchema.parse(definition));
  const result = await activate(services, { ...owner, now }, id);
  if (result.kind !== "DONE") throw new Error(`A rule was not activated: ${JSON.stringify(result)}`);
  return id;
}

function arrivalAt(accountId: string) {
  return { type: "ON_FUNDS_TRANSFERRED", accountId };
}

function share(from: string, to: string, percentage: number, more: object = {}) {
  const part = { type: "PERCENTAGE", of: "INCOMING_AMOUNT", percentage, group: 0 };
  return { ...part, sourceAccountId: from, destinationAccountId: to, ...more };
}

function fixed(from: string, to: string, amountInCents: number) {
  return { type: "FIXED", sourceAccountId: from, destinationAccountId: to, amountInCents, group: 0 };
}

function everyDay({ clock }: Services) {
  const startAt = new Date(clock.now().getTime() + AN_HOUR_MS).toISOString();
  return { frequency: "DAILY", startAt, timeZone: "America/New_York" };
}
