import { newKeySchema } from "@/lib/contract/api-key";
import type { PermissionInput } from "@/lib/contract/permissions";
import { readApprovalFacts } from "@/lib/core/approvals/approval-facts";
import { runChecks } from "@/lib/core/approvals/checks";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { approvalDigest } from "@/lib/core/approvals/digest";
import { expireProposals } from "@/lib/core/approvals/expire-proposals";
import { asKey, withSignedIn } from "@/lib/core/demo/act-as";
import { askTransfer } from "@/lib/core/demo/ask-transfer";
import type { HistoricClock } from "@/lib/core/demo/historic-clock";
import type { DemoDeposit, DemoMovement, HistoryStep } from "@/lib/core/demo/history-step";
import {
  ACCOUNTS,
  type AccountName,
  ASSISTANT,
  type DemoKey,
  KEYS,
  type KeyName,
  type MemberName,
} from "@/lib/core/demo/northwind";
import { CardPlayer } from "@/lib/core/demo/play-cards";
import { QueuePlayer } from "@/lib/core/demo/play-queue";
import { RulePlayer } from "@/lib/core/demo/play-rules";
import { createApiKey } from "@/lib/core/keys/create-api-key";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import type { Services } from "@/lib/platform/services";
import type { BankPort } from "@/lib/ports/bank/bank-port";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import {
  createSandboxBankDriver,
  type SandboxBankDriver,
} from "@/lib/ports/bank/sandbox/sandbox-bank-driver";

/** The reason a client's bank returns a payment: ACH R10. */
const NOT_AUTHORIZED = "R10";

/** The IDs behind the names in the steps. */
export interface Cast {
  organizationId: string;
  accountIds: Record<AccountName, string>;
  memberIds: Record<MemberName, string>;
}

/** What the history leaves for users of the demo. */
export interface Played {
  keyTexts: ReadonlyMap<KeyName, string>;
}

interface Stage {
  services: Services;
  clock: HistoricClock;
  bank: BankPort;
  bankDriver: SandboxBankDriver;
  cards: CardPlayer;
  rules: RulePlayer;
  queue: QueuePlayer;
  cast: Cast;
  keyTexts: Map<KeyName, string>;
  /** Proposal IDs of requested movements. */
  proposalIds: Map<DemoMovement, string>;
  /** The bank's references of deposits. */
  depositReferences: Map<DemoDeposit, string>;
}

/**
 * Plays steps in order, each at its own time, through the commands that serve requests and due work. `services` must
 * use `clock` and a transaction's pool: until the commit no one else may see the database, because workers in the
 * present would expire and send past items, and the sandbox's orders must not outlive a demo that was never committed.
 */
export async function playHistory(
  services: Services,
  clock: HistoricClock,
  cast: Cast,
  steps: readonly HistoryStep[],
): Promise<Played> {
  const bank = createSandboxBank(services.pool);
  const stage: Stage = {
    services,
    clock,
    bank,
    bankDriver: createSandboxBankDriver(services.pool),
    cards: new CardPlayer(services, cast),
    rules: new RulePlayer(services, cast),
    queue: new QueuePlayer(services, bank, cast),
    cast,
    keyTexts: new Map(),
    proposalIds: new Map(),
    depositReferences: new Map(),
  };
  for (const step of steps) {
    clock.set(step.at);
    await play(stage, step);
    await stage.rules.runDue();
  }
  await forgetNotices(stage);
  return { keyTexts: stage.keyTexts };
}

async function play(stage: Stage, step: HistoryStep): Promise<void> {
  const { services, bank, cards, rules, queue, cast } = stage;
  switch (step.kind) {
    case "MAKE_KEY":
      stage.keyTexts.set(step.key, await makeKey(services, cast, queue, step.key));
      return;
    case "DEPOSIT":
      return await deposit(stage, step.deposit);
    case "RETURN_DEPOSIT":
      return await returnDeposit(stage, step.deposit);
    case "ASK":
      return await ask(stage, step.movement);
    case "DECIDE":
      return await decide(stage, step);
    case "EXPIRE":
      await expireProposals(services, 1);
      return;
    case "BANK_MORNING":
      await collectBankNotices(services, bank, 1);
      return;
    case "ISSUE_CARD":
      return await cards.issue(step.card);
    case "FREEZE_CARD":
      return await cards.freeze(step.card, step.by);
    case "PURCHASE":
      return await cards.purchase(step.purchase);
    case "CARD_CREDIT":
      return await cards.credit(step.credit);
    case "CARD_MORNING":
      return await cards.collect();
    case "WRITE_RULE":
      return await rules.write(step, "key" in step.author ? stage.keyTexts.get(step.author.key) : undefined);
    case "ACTIVATE_RULE":
      return await rules.activate(step);
    case "FIRE_SCHEDULES":
      return await rules.fire();
    case "ASK_RUN":
      return await askRun(stage, step);
    case "ADD_PAYEE":
      return await queue.addPayee(step.payee);
    case "CONNECT_ASSISTANT":
      return await queue.connect();
    case "ASK_QUEUED": {
      const { by } = step.asked;
      return await queue.ask(step.asked, by === ASSISTANT.name ? undefined : stage.keyTexts.get(by));
    }
    case "ASK_BATCH":
      return await queue.askTogether(step.batch);
  }
}

/** Announces the deposit to the bank; a deposit without delay is booked at once. */
async function deposit(stage: Stage, made: DemoDeposit): Promise<void> {
  const { services, bank, bankDriver, cast, clock } = stage;
  const { to, amountInCents, origin, payerName } = made;
  const { reference } = await bankDriver.deposit({
    organizationId: cast.organizationId,
    accountId: cast.accountIds[to],
    amountInCents,
    origin,
    payerName,
    businessNow: clock.now(),
  });
  stage.depositReferences.set(made, reference);
  if (origin === "DIRECT_DEPOSIT") await collectBankNotices(services, bank, 1);
}

async function returnDeposit(stage: Stage, made: DemoDeposit): Promise<void> {
  const { services, bank, bankDriver, cast, clock } = stage;
  const depositReference = stage.depositReferences.get(made);
  if (depositReference === undefined) throw new Error("The demo returns a deposit that does not exist");
  await bankDriver.returnDeposit({
    organizationId: cast.organizationId,
    depositReference,
    code: NOT_AUTHORIZED,
    businessNow: clock.now(),
  });
  await collectBankNotices(services, bank, 1);
}

async function ask(stage: Stage, movement: DemoMovement): Promise<void> {
  const { services, cast } = stage;
  const isWaiting = movement.end.kind === "WAITING";
  if (isWaiting) await forgetNotices(stage);
  const { calledReason = null, idempotencyKey = null } = movement;
  const context = await asKey(services, stage.keyTexts.get(movement.key), calledReason);
  const body = {
    sourceAccountId: cast.accountIds[movement.from],
    destinationAccountId: cast.accountIds[movement.to],
    amountInCents: movement.amountInCents,
    ...(movement.label !== undefined && { description: movement.label }),
    ...(movement.reason !== null && { reasonForApproval: movement.reason }),
  };
  stage.proposalIds.set(movement, await askTransfer(services, context, body, idempotencyKey));
  if (movement.end.kind === "NOT_ASKED") await carryOut(stage, movement);
  if (isWaiting) await notify(stage);
}

async function askRun(stage: Stage, { run }: Extract<HistoryStep, { kind: "ASK_RUN" }>): Promise<void> {
  await forgetNotices(stage);
  await stage.rules.askRun(run, stage.keyTexts.get(run.key));
  await notify(stage);
}

/** Sent at that time, so that messages say what was true then; they leave when the worker starts. */
async function notify({ services, bank }: Stage): Promise<void> {
  await sendNotices(services, { isSandboxBank: bank.isSandbox }, 1);
}

/** Decided by a member who has just signed in, which confirms it: as a member without a passkey decides. */
async function decide(stage: Stage, step: Extract<HistoryStep, { kind: "DECIDE" }>): Promise<void> {
  const { services, cast, clock } = stage;
  const proposalId = stage.proposalIds.get(step.movement);
  if (proposalId === undefined) throw new Error("The demo decides a proposal that does not exist");
  const facts = await readApprovalFacts(services.pool, cast.organizationId, proposalId, clock.now());
  if (!facts) throw new Error("A demo proposal has no facts");
  const result = await withSignedIn(services, cast.memberIds[step.by], (context) =>
    decideProposal(services, context, {
      proposalId,
      decision: step.note === null ? "APPROVE" : "DENY",
      digest: approvalDigest(facts, runChecks(facts)),
      note: step.note,
      confirmation: { kind: "NONE" },
    }),
  );
  if (result.kind !== "DECIDED") throw new Error(`A demo proposal was not decided: ${result.kind}`);
  if (step.note === null) await carryOut(stage, step.movement);
}

/** Carries out what was just accepted, the only due work: submits it to the bank at its next window, or books it. */
async function carryOut({ services, bank, cast }: Stage, { from, to }: DemoMovement): Promise<void> {
  const isOutside = [from, to].some((name) => ACCOUNTS[name].type === "EXTERNAL_ACCOUNT");
  if (!isOutside) {
    await bookDueTransfers(services, 1);
    return;
  }
  const { rows } = await services.pool.query<{ windowAt: Date }>(
    `select due_at as "windowAt" from transfers where organization_id = $1 and next_step = 'SUBMIT'`,
    [cast.organizationId],
  );
  const windowAt = rows[0]?.windowAt;
  if (!windowAt) throw new Error("The demo submits a transfer that was not accepted");
  await submitDueTransfers({ ...services, clock: { now: () => windowAt } }, bank, 1);
}

/** No one is notified of the past. */
async function forgetNotices({ services, clock, cast }: Stage): Promise<void> {
  await services.pool.query(
    "update notices set handled_at = $2 where organization_id = $1 and handled_at is null",
    [cast.organizationId, clock.now()],
  );
}

/** Creates a demo key as its member. @returns the key's text. */
async function makeKey(
  services: Services,
  ids: { memberIds: Record<MemberName, string> },
  queue: QueuePlayer,
  name: KeyName,
): Promise<string> {
  const key = KEYS[name];
  const permissions = permissionsOf(key, queue);
  const { text } = await withSignedIn(services, ids.memberIds[key.createdBy], (context) =>
    createApiKey(
      services,
      context,
      newKeySchema.parse({ name, permissions, dailyCapInCents: key.dailyCapInCents ?? null }),
    ),
  );
  return text;
}

function permissionsOf(key: DemoKey, queue: QueuePlayer): PermissionInput[] {
  return [
    {
      type: "MANUAL_TRANSFER",
      entries:
        key.routes === "ANY"
          ? [{ source: "ANY", target: "ANY" }]
          : key.routes.map(({ from, to, maximumInCents }) => ({
              source: queue.idOf(from),
              target: queue.idOf(to),
              max_amount: maximumInCents,
            })),
      approval: { required: key.asks },
    },
    ...key.reads.map(readPermission),
    ...(key.opensAccounts ? [{ type: "CREATE_ACCOUNTS" } as const] : []),
    ...(key.changesRules ? [{ type: "CREATE_AND_EDIT_RULES", rules: "ALL" } as const] : []),
    ...(key.runsRules
      ? [{ type: "TRIGGER_RULES", rules: "ALL", approval: { required: true } } as const]
      : []),
  ];
}

function readPermission(what: DemoKey["reads"][number]): PermissionInput {
  switch (what) {
    case "ACCOUNTS":
      return { type: "READ_ACCOUNTS", accounts: "ALL" };
    case "TRANSFERS":
      return { type: "READ_TRANSFERS", accounts: "ALL" };
    case "RULES":
      return { type: "READ_RULES", rules: "ALL" };
    case "AUDIT_LOGS":
      return { type: "READ_AUDIT_LOGS" };
  }
}
