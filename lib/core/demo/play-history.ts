import { readApprovalFacts } from "@/lib/core/approvals/approval-facts";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { approvalDigest } from "@/lib/core/approvals/digest";
import { expireProposals } from "@/lib/core/approvals/expire-proposals";
import { runChecks } from "@/lib/core/approvals/run-checks";
import type { HistoricClock } from "@/lib/core/demo/historic-clock";
import type { DemoMovement, HistoryStep } from "@/lib/core/demo/history-step";
import { ACCOUNTS, type AccountName, type KeyName, type MemberName } from "@/lib/core/demo/northwind";
import { withSignedIn } from "@/lib/core/demo/with-signed-in";
import { fingerprint } from "@/lib/core/idempotency";
import { authenticateApiKey } from "@/lib/core/keys/authenticate-api-key";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { createTransfer } from "@/lib/core/transfers/create-transfer";
import { recordDeposit } from "@/lib/core/transfers/record-deposit";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { newRequestId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import type { BankPort } from "@/lib/ports/bank/bank-port";

const TRANSFERS_PATH = "/platform/v1/transfers";

/** Who and what the steps speak of by name. */
export interface Cast {
  organizationId: string;
  accountIds: Record<AccountName, string>;
  memberIds: Record<MemberName, string>;
  keyTexts: Record<KeyName, string>;
}

interface Stage {
  services: Services;
  clock: HistoricClock;
  bank: BankPort;
  cast: Cast;
  /** What is asked for has an id once it was asked for. */
  proposalIds: Map<DemoMovement, string>;
}

/**
 * Plays steps in order, each at its own moment, through the verbs that serve requests and due work. `services` must use
 * `clock`, and nobody else may see its database meanwhile: workers of the present would expire and send what is past.
 */
export async function playHistory(
  services: Services,
  clock: HistoricClock,
  bank: BankPort,
  cast: Cast,
  steps: readonly HistoryStep[],
): Promise<void> {
  const stage: Stage = { services, clock, bank, cast, proposalIds: new Map() };
  for (const step of steps) {
    clock.set(step.at);
    await play(stage, step);
  }
  await forgetNotices(stage);
}

async function play(stage: Stage, step: HistoryStep): Promise<void> {
  const { services, bank, cast } = stage;
  switch (step.kind) {
    case "DEPOSIT": {
      const { to, ...deposit } = step.deposit;
      await recordDeposit(services, {
        ...deposit,
        organizationId: cast.organizationId,
        accountId: cast.accountIds[to],
      });
      return;
    }
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
  }
}

async function ask(stage: Stage, movement: DemoMovement): Promise<void> {
  const { services, cast } = stage;
  const isWaiting = movement.end.kind === "WAITING";
  if (isWaiting) await forgetNotices(stage);
  const authentication = await authenticateApiKey(services, cast.keyTexts[movement.key]);
  if (!authentication) throw new Error(`The demo's key ${movement.key} does not authenticate`);
  const { organizationId, actor, now } = authentication;
  const { calledReason = null, idempotencyKey = null } = movement;
  const body = {
    sourceAccountId: cast.accountIds[movement.from],
    destinationAccountId: cast.accountIds[movement.to],
    amountInCents: movement.amountInCents,
    ...(movement.label !== undefined && { description: movement.label }),
    ...(movement.reason !== null && { reasonForApproval: movement.reason }),
  };
  const result = await createTransfer(
    services,
    { organizationId, actor, now, requestId: newRequestId(), calledReason },
    {
      body,
      sent: { method: "POST", path: TRANSFERS_PATH, idempotencyKey, calledReason, body },
      auditAction: "CREATE_TRANSFER",
      idempotency: idempotencyKey === null ? null : idempotentCall(idempotencyKey, body),
    },
  );
  if (result.kind !== "CREATED") throw new Error("A transfer of the demo was asked for twice");
  stage.proposalIds.set(movement, result.body.data.id);
  if (movement.end.kind === "NOT_ASKED") await carryOut(stage, movement);
  // Told at that moment, so that the messages say what was true then; they leave when the worker starts.
  if (isWaiting) await sendNotices(services, { isSandboxBank: stage.bank.isSandbox }, 1);
}

function idempotentCall(key: string, body: unknown) {
  return { operation: "createTransfer", path: TRANSFERS_PATH, key, fingerprint: fingerprint(body) };
}

/** By somebody who has just signed in, which is the confirmation: as a member without a passkey decides. */
async function decide(stage: Stage, step: Extract<HistoryStep, { kind: "DECIDE" }>): Promise<void> {
  const { services, cast, clock } = stage;
  const proposalId = stage.proposalIds.get(step.movement);
  if (proposalId === undefined) throw new Error("The demo decides what was not asked");
  const facts = await readApprovalFacts(services.pool, cast.organizationId, proposalId, clock.now());
  if (!facts) throw new Error("A proposal of the demo has no facts");
  const result = await withSignedIn(services, cast.memberIds[step.by], (context) =>
    decideProposal(services, context, {
      proposalId,
      decision: step.note === null ? "APPROVE" : "DENY",
      digest: approvalDigest(facts, runChecks(facts)),
      note: step.note,
      confirmation: { kind: "NONE" },
    }),
  );
  if (result.kind !== "DECIDED") throw new Error(`A proposal of the demo was not decided: ${result.kind}`);
  if (step.note === null) await carryOut(stage, step.movement);
}

/** What was just accepted, and nothing else is due: handed to the bank, or booked. */
async function carryOut({ services, bank }: Stage, { from, to }: DemoMovement): Promise<void> {
  const isOutside = [from, to].some((name) => ACCOUNTS[name].type === "EXTERNAL_ACCOUNT");
  if (isOutside) await submitDueTransfers(services, bank, 1);
  else await bookDueTransfers(services, 1);
}

/** Nobody is written to about what is past. */
async function forgetNotices({ services, clock, cast }: Stage): Promise<void> {
  await services.pool.query(
    "update notices set handled_at = $2 where organization_id = $1 and handled_at is null",
    [cast.organizationId, clock.now()],
  );
}
