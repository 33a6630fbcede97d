import type { PoolClient } from "pg";
import { addBankingDays, bankingInstant } from "@/lib/contract/banking-days";
import type { DemoDescription } from "@/lib/contract/demo";
import { connectOutside, linkOutside } from "@/lib/core/demo/connect-outside";
import { describeAddresses, writeDemoFile } from "@/lib/core/demo/demo-file";
import { CYCLE_DAYS, PAID_AT, PAYERS, paymentInCents } from "@/lib/core/demo/draft-cycle";
import { HistoricClock } from "@/lib/core/demo/historic-clock";
import type { DemoDeposit } from "@/lib/core/demo/history-step";
import {
  ACCOUNT_NAMES,
  ACCOUNTS,
  type DemoMember,
  MEMBER_NAMES,
  MEMBERS,
  type MemberName,
  ORGANIZATION,
} from "@/lib/core/demo/northwind";
import { openAccounts } from "@/lib/core/demo/open-accounts";
import { planHistory } from "@/lib/core/demo/plan-history";
import { playDeliveries } from "@/lib/core/demo/play-deliveries";
import { type Cast, playHistory } from "@/lib/core/demo/play-history";
import { seededNumbers } from "@/lib/core/demo/seeded-numbers";
import { addMember } from "@/lib/core/organizations/add-member";
import { createOrganization, wouldBeFirst } from "@/lib/core/organizations/create-organization";
import { newReadableSecret } from "@/lib/core/sign-in/recovery-codes";
import type { WebhookSetting } from "@/lib/core/webhooks/webhook-setting";
import type { Ports } from "@/lib/core/work/due-work";
import { allowLongStatements } from "@/lib/db/running-statements";
import { inTransaction, joinTransaction } from "@/lib/db/transaction";
import type { Config } from "@/lib/platform/config";
import type { Services } from "@/lib/platform/services";
import { createSandboxBankDriver } from "@/lib/ports/bank/sandbox/sandbox-bank-driver";

const SEED = 20_261_120;

/** A year: enough for moving the demo's clock to see what its rules do. */
const CYCLES_AHEAD = 52;

type DemoConfig = Pick<Config, "appUrl" | "dataDirectory">;

/** How long a process that starts at the same time waits for the other one's demo. */
const WAIT_FOR_OTHER = "300s";

/**
 * Creates the demo organization in an empty database, with twelve months of history up to now, and `demo.json` with its
 * credentials.
 *
 * All of it is one transaction, so a demo is never partial: not after a crash, and not for another process's worker,
 * which would expire and send past items. The file is written last, just before the commit, so every demo has its file.
 * A crash between the two leaves a file without a demo, which the next start replaces.
 * @returns null if an organization exists, or if the bank or the provider of outside accounts is real.
 */
export async function createDemo(
  services: Services,
  ports: Pick<Ports, "bank" | "aggregator" | "webhooks">,
  config: DemoConfig,
): Promise<DemoDescription | null> {
  // Invented money must never be next to real money.
  if (!ports.bank.isSandbox || !ports.aggregator.isSandbox) return null;
  return inTransaction(services.pool, async (client) => {
    await client.query(
      "select set_config('lock_timeout', $1, true), set_config('statement_timeout', $1, true)",
      [WAIT_FOR_OTHER],
    );
    allowLongStatements(client);
    if (!(await wouldBeFirst(client))) return null;
    const description = await write(services, ports.webhooks, client, config);
    await writeDemoFile(config.dataDirectory, description);
    return description;
  });
}

async function write(
  services: Services,
  webhooks: WebhookSetting,
  client: PoolClient,
  config: DemoConfig,
): Promise<DemoDescription> {
  const now = services.clock.now();
  const history = planHistory(now);
  const clock = new HistoricClock(history.foundedAt);
  const pool = joinTransaction(services.pool, client);
  // Workers find due work after the commit; before it, nothing is visible.
  const past: Services = { ...services, pool, clock, wake: () => undefined };
  const passwords = {
    MARA: newReadableSecret(),
    JONAS: newReadableSecret(),
    TOMAS: newReadableSecret(),
    PRIYA: newReadableSecret(),
  };
  const { organizationId, beneficiaryId, memberIds } = await found(past, passwords);
  const outside = await linkOutside(client, { organizationId, memberId: memberIds.MARA }, now);
  const accountIds = await openAccounts(client, { organizationId, beneficiaryId }, outside, history);
  const cast = { organizationId, accountIds, memberIds };
  const { keyTexts } = await playHistory(past, clock, cast, history.steps);
  const apiKey = keyTexts.get("demo-key");
  if (apiKey === undefined) throw new Error("The demo's history did not create the demo key");
  clock.set(now);
  await announcePayments(past, cast, now);
  await connectOutside(past, organizationId, outside, history.foundedAt);
  // Last: with an endpoint in place, everything written above would have been events due now.
  if (webhooks.allowsPrivate) await playDeliveries(past, webhooks, cast, history.webhooks);
  const member = (name: MemberName) => ({
    email: MEMBERS[name].email,
    password: passwords[name],
    role: MEMBERS[name].role,
  });
  return {
    ...describeAddresses(config.appUrl),
    members: MEMBER_NAMES.map(member),
    apiKey,
    accounts: ACCOUNT_NAMES.map((name) => ({ id: accountIds[name], name, type: ACCOUNTS[name].type })),
  };
}

/** Announces future client payments, which only the bank knows in advance. */
async function announcePayments(
  { pool }: Services,
  { organizationId, accountIds }: Cast,
  now: Date,
): Promise<void> {
  const bank = createSandboxBankDriver(pool);
  for (const { to, madeAt, ...deposit } of planAhead(now)) {
    await bank.deposit({ ...deposit, organizationId, accountId: accountIds[to], businessNow: madeAt });
  }
}

/** Creates the organization and its members. */
async function found(services: Services, passwords: Record<MemberName, string>) {
  const { organizationId, ownerId, defaultBeneficiaryId } = await createOrganization(services, {
    ...ORGANIZATION,
    owner: person(MEMBERS.MARA, passwords.MARA),
    onlyAsFirst: true,
  });
  const add = async (name: MemberName) => {
    const { role } = MEMBERS[name];
    const input = { ...person(MEMBERS[name], passwords[name]), organizationId, role };
    return (await addMember(services, input)).userId;
  };
  const memberIds = {
    MARA: ownerId,
    JONAS: await add("JONAS"),
    TOMAS: await add("TOMAS"),
    PRIYA: await add("PRIYA"),
  };
  return { organizationId, beneficiaryId: defaultBeneficiaryId, memberIds };
}

function person({ name, email, phone }: DemoMember, password: string) {
  return { name, email, phone, isPhoneVerified: phone !== null, password };
}

/**
 * What the demo's clients pay after `now`, once per cycle as before, so that rules, card, and owner do not run out of
 * money. Pure.
 */
function planAhead(now: Date): DemoDeposit[] {
  const number = seededNumbers(SEED);
  return Array.from({ length: CYCLES_AHEAD }, (_, cycle) => ({
    to: "Client payments",
    amountInCents: paymentInCents(number),
    payerName: PAYERS[cycle % PAYERS.length] ?? "",
    origin: "DIRECT_DEPOSIT",
    madeAt: bankingInstant(addBankingDays(now, 1 + cycle * CYCLE_DAYS), PAID_AT),
  }));
}
