import { expireProposals } from "@/lib/core/approvals/expire-proposals";
import { watchKeys } from "@/lib/core/keys/watch-keys";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { askTransfer, createTestApi, moveAnything } from "@/lib/testing/api";
import type { TestDatabase } from "@/lib/testing/database";
import { createTestMcp } from "@/lib/testing/mcp";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, makeActive, runAllRules, writeRule } from "@/lib/testing/rules/rules";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";

/** The most that the agent may move in a day without a person. */
export const CAP_IN_CENTS = 500_000;
const LIMIT_IN_CENTS = 100_000;

/**
 * An organization with an agent that moves money without approval, on some routes and by one rule, within a daily cap;
 * rules that its money starts, in a circle; a pod and a key outside its permissions; and another organization.
 */
export async function createAgentWorld(database: TestDatabase) {
  const { services, clock } = createTestServices(database);
  const bank = createSandboxBank(database.pool);
  const own = await createTestOrganization(database, services, "Northwind");
  const stranger = await createTestOrganization(database, services, "Halden");
  const pod = (name: string, balanceInCents: number, floorInCents?: number) =>
    own.addAccount({
      name,
      type: "POD",
      balanceInCents,
      ...(floorInCents !== undefined && { floorInCents }),
    });
  const accounts = {
    operating: await pod("Operating", 50_000_000, 1_000_000),
    taxes: await pod("Taxes", 2_000_000),
    reserve: await pod("Reserve", 2_000_000),
    payroll: await pod("Payroll", 2_000_000),
    supplier: await own.addAccount({ name: "Supplier", type: "EXTERNAL_ACCOUNT", balanceInCents: 9_000_000 }),
  };
  const vault = await pod("Vault", 70_000_000);
  const theirs = await stranger.addAccount({ name: "Theirs", type: "POD", balanceInCents: 1_000_000 });
  const theirKey = await stranger.addKey([moveAnything(false), ...anythingWithRules(false)], "their-key");
  const theirRule = await writeRule(services, theirKey.context, {
    trigger: { type: "MANUAL", accountId: theirs },
    steps: [
      {
        conditions: null,
        actions: [fixed(theirs, await stranger.addAccount({ name: "B", type: "POD" }), 100)],
      },
    ],
  });
  const rules = await writeRules(database, own, services, accounts, vault);
  const neighbor = await own.addKey([moveAnything(true)], "bookkeeping");
  const neighbors = await askTransfer(services, neighbor.context, {
    sourceAccountId: vault,
    destinationAccountId: accounts.operating,
    amountInCents: 4_000,
  });
  const entry = (source: string, target: string) => ({ source, target, max_amount: LIMIT_IN_CENTS });
  const key = await own.addKey(
    [
      {
        type: "MANUAL_TRANSFER",
        approval: { required: false },
        entries: [
          entry(accounts.operating, accounts.taxes),
          entry(accounts.taxes, accounts.operating),
          entry(accounts.taxes, accounts.reserve),
          entry(accounts.operating, accounts.supplier),
          entry(accounts.supplier, accounts.operating),
        ],
      },
      { type: "TRIGGER_RULES", rules: [rules.spread], approval: { required: false } },
      { type: "CREATE_AND_EDIT_RULES", rules: "ALL" },
      { type: "READ_TRANSFERS", accounts: Object.values(accounts) },
      { type: "READ_RULES", rules: "ALL" },
    ],
    "agent",
    CAP_IN_CENTS,
  );

  /** Everything that the product's worker does until the bank has what was accepted. */
  async function work(): Promise<void> {
    await bookDueTransfers(services, 64);
    await runAllRules(services);
    clock.advance(BANK_WINDOW_MS);
    await submitDueTransfers(services, bank, 64);
    await collectBankNotices(services, bank, 64);
    await expireProposals(services, 200);
    await watchKeys(services, 32);
    await sendNotices(services, { isSandboxBank: true }, 50);
  }

  return {
    database,
    services,
    clock,
    bank,
    own,
    stranger,
    accounts,
    vault,
    theirs,
    theirRule,
    rules,
    neighbors,
    key,
    work,
    call: createTestApi(services),
    mcp: createTestMcp(services),
  };
}

export type AgentWorld = Awaited<ReturnType<typeof createAgentWorld>>;

function fixed(sourceAccountId: string, destinationAccountId: string, amountInCents: number) {
  return { type: "FIXED", group: 0, sourceAccountId, destinationAccountId, amountInCents };
}

function passOn(sourceAccountId: string, destinationAccountId: string) {
  const action = { type: "PERCENTAGE", group: 0, sourceAccountId, destinationAccountId };
  return { ...action, percentage: 100, of: "INCOMING_AMOUNT" };
}

/** A rule that the agent may run, and three that pass money on in a circle as it arrives, activated by people. */
async function writeRules(
  database: TestDatabase,
  own: Awaited<ReturnType<typeof createTestOrganization>>,
  services: Parameters<typeof writeRule>[0],
  accounts: Record<"operating" | "taxes" | "reserve" | "payroll", string>,
  vault: string,
) {
  const writer = await own.addKey(anythingWithRules(true), "rules-of-people");
  const write = async (
    trigger: Parameters<typeof writeRule>[2]["trigger"],
    actions: { [field: string]: unknown }[],
  ) => {
    const id = await writeRule(services, writer.context, { trigger, steps: [{ conditions: null, actions }] });
    await makeActive(database, id);
    return id;
  };
  const { operating, taxes, reserve, payroll } = accounts;
  const arrives = (accountId: string) =>
    ({ type: "ON_FUNDS_TRANSFERRED", accountId, minimumAmountInCents: null }) as const;
  return {
    spread: await write({ type: "MANUAL", accountId: operating }, [
      fixed(operating, taxes, 7_000),
      fixed(operating, reserve, 3_000),
    ]),
    onTaxes: await write(arrives(taxes), [passOn(taxes, reserve)]),
    onReserve: await write(arrives(reserve), [passOn(reserve, payroll)]),
    onPayroll: await write(arrives(payroll), [passOn(payroll, taxes)]),
    /** Not one that the agent may run. */
    forbidden: await write({ type: "MANUAL", accountId: vault }, [fixed(vault, operating, 1_000_000)]),
  };
}
