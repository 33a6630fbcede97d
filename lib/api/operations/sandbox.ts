import { EXAMPLE_IDS, EXAMPLE_TIMES } from "@/lib/api/operations/examples";
import { ADDS, operation, type ToolHints } from "@/lib/api/operations/operation";
import {
  decideInSandboxBodySchema,
  makeSandboxDepositBodySchema,
  makeSandboxOutsideTransactionBodySchema,
  makeSandboxPurchaseBodySchema,
  makeSandboxReturnBodySchema,
  moveSandboxClockBodySchema,
  sandboxResultSchema,
} from "@/lib/contract/sandbox";
import { controlSandbox, decideInSandbox } from "@/lib/core/sandbox/control";
import { makePurchase } from "@/lib/core/sandbox/make-purchase";
import { moveClock } from "@/lib/core/sandbox/move-clock";
import { makeDeposit, sendBack } from "@/lib/core/sandbox/play-bank";
import { moveOutside } from "@/lib/core/sandbox/play-outside";

/** Changes a sandbox, which holds no real money, and cannot be undone. */
const DRIVES: ToolHints = { ...ADDS, destructive: true };

/** What the dashboard's sandbox page does, for an integrator's own tests. */
export const sandboxOperations = [
  operation({
    operationId: "moveSandboxClock",
    tag: "Sandbox",
    method: "POST",
    path: "/sandbox/clock",
    summary: "Move the clock of the sandbox",
    description:
      "Moves the organization's business time forward, never back. It stops at each moment at which something falls due (a settlement, a schedule, an expiry) and carries that out first. Only where no provider is real, with `CONTROL_SANDBOX`.",
    tool: {
      useWhen:
        "Use when a test has to see what happens later, e.g. that a transfer settles. Not for real organizations.",
      hints: DRIVES,
    },
    example: { request: { to: "2026-11-23T14:00:00Z" }, answer: { now: EXAMPLE_TIMES.asked, outcome: null } },
    permission: "CONTROL_SANDBOX",
    auditAction: null,
    pathParameters: null,
    input: moveSandboxClockBodySchema,
    listFields: [],
    output: sandboxResultSchema,
    successes: [{ status: 200, when: "Done, and what was due is carried out." }],
    errors: [],
    isIdempotent: false,
    run: async ({ services, context, sandbox: world }, { to }) => ({
      kind: "DATA",
      data: await controlSandbox(services, world, context, async (sandbox, person) => {
        await moveClock(services, sandbox, person, new Date(to));
        return null;
      }),
    }),
  }),
  operation({
    operationId: "makeSandboxDeposit",
    tag: "Sandbox",
    method: "POST",
    path: "/sandbox/deposits",
    summary: "Simulate a deposit",
    description:
      "Simulates an outside payment to a managed account: at once, or as a check that clears on the next banking day. Rules that act on arrivals start as usual. Only where no provider is real, with `CONTROL_SANDBOX`.",
    tool: {
      useWhen: "Use when a test needs money to arrive. Not to move money between accounts (createTransfer).",
      hints: DRIVES,
    },
    example: {
      request: { accountId: EXAMPLE_IDS.operating, amountInCents: 710_000, payerName: "Halden Health" },
      answer: { now: EXAMPLE_TIMES.asked, outcome: null },
    },
    permission: "CONTROL_SANDBOX",
    auditAction: null,
    pathParameters: null,
    input: makeSandboxDepositBodySchema,
    listFields: [],
    output: sandboxResultSchema,
    successes: [{ status: 200, when: "Done, and what was due is carried out." }],
    errors: ["ACCOUNT_NOT_FOUND"],
    isIdempotent: false,
    run: async ({ services, context, sandbox: world }, body) => ({
      kind: "DATA",
      data: await controlSandbox(services, world, context, async (sandbox, person) => {
        await makeDeposit(services, sandbox, person, body);
        return null;
      }),
    }),
  }),
  operation({
    operationId: "makeSandboxPurchase",
    tag: "Sandbox",
    method: "POST",
    path: "/sandbox/card-purchases",
    summary: "Simulate a card purchase",
    description:
      "Simulates a purchase with an issued card: authorized or declined now, settled later as the cents of the amount determine. `outcome` is the card's answer. Only where no provider is real, with `CONTROL_SANDBOX`.",
    tool: {
      useWhen: "Use when a test needs a card's purchase or decline. Not to pay anyone (createTransfer).",
      hints: DRIVES,
    },
    example: {
      request: { cardId: EXAMPLE_IDS.card, amountInCents: 4_900, merchant: "Harbor Cloud" },
      answer: { now: EXAMPLE_TIMES.asked, outcome: "APPROVED" },
    },
    permission: "CONTROL_SANDBOX",
    auditAction: null,
    pathParameters: null,
    input: makeSandboxPurchaseBodySchema,
    listFields: [],
    output: sandboxResultSchema,
    successes: [{ status: 200, when: "Done, and what was due is carried out." }],
    errors: ["ACCOUNT_NOT_FOUND"],
    isIdempotent: false,
    run: async ({ services, context, sandbox: world }, body) => ({
      kind: "DATA",
      data: await controlSandbox(services, world, context, async (sandbox, person) => {
        const purchase = await makePurchase(services, sandbox, person, body);
        return purchase.kind === "DECLINED" ? purchase.reason : purchase.kind;
      }),
    }),
  }),
  operation({
    operationId: "makeSandboxOutsideTransaction",
    tag: "Sandbox",
    method: "POST",
    path: "/sandbox/outside-transactions",
    summary: "Simulate an outside transaction",
    description:
      "Simulates a movement on a connected account, and refreshes its connection, so that it is listed with the external transactions. Only where no provider is real, with `CONTROL_SANDBOX`.",
    tool: {
      useWhen:
        "Use when a test needs a movement at another bank. Not for deposits to managed accounts (makeSandboxDeposit).",
      hints: DRIVES,
    },
    example: {
      request: {
        accountId: EXAMPLE_IDS.checking,
        amountInCents: 6_184,
        direction: "MONEY_OUT",
        partyName: "Juniper Market",
      },
      answer: { now: EXAMPLE_TIMES.asked, outcome: null },
    },
    permission: "CONTROL_SANDBOX",
    auditAction: null,
    pathParameters: null,
    input: makeSandboxOutsideTransactionBodySchema,
    listFields: [],
    output: sandboxResultSchema,
    successes: [{ status: 200, when: "Done, and what was due is carried out." }],
    errors: ["ACCOUNT_NOT_FOUND"],
    isIdempotent: false,
    run: async ({ services, context, sandbox: world }, body) => ({
      kind: "DATA",
      data: await controlSandbox(services, world, context, async (sandbox, person) => {
        await moveOutside(services, sandbox, person, body);
        return null;
      }),
    }),
  }),
  operation({
    operationId: "makeSandboxReturn",
    tag: "Sandbox",
    method: "POST",
    path: "/sandbox/returns",
    summary: "Simulate a return",
    description:
      "Simulates that the bank returns a transfer before it settles, a settled one, or a deposit, with a NACHA code. Only where no provider is real, with `CONTROL_SANDBOX`.",
    tool: {
      useWhen: "Use when a test needs a transfer to come back. Not to cancel one (cancelTransfer).",
      hints: DRIVES,
    },
    example: {
      request: { transferId: EXAMPLE_IDS.transfer, code: "R01" },
      answer: { now: EXAMPLE_TIMES.asked, outcome: null },
    },
    permission: "CONTROL_SANDBOX",
    auditAction: null,
    pathParameters: null,
    input: makeSandboxReturnBodySchema,
    listFields: [],
    output: sandboxResultSchema,
    successes: [{ status: 200, when: "Done, and what was due is carried out." }],
    errors: ["TRANSFER_NOT_FOUND"],
    isIdempotent: false,
    run: async ({ services, context, sandbox: world }, body) => ({
      kind: "DATA",
      data: await controlSandbox(services, world, context, async (sandbox, person) => {
        await sendBack(services, sandbox, person, body);
        return null;
      }),
    }),
  }),
  operation({
    operationId: "decideInSandbox",
    tag: "Sandbox",
    method: "POST",
    path: "/sandbox/decisions",
    summary: "Decide as a test person",
    description:
      "Approves or denies a transfer or a run that waits, as a test person. The decision, its page and the audit log say for ever that a program decided it: `decision.byTestPerson`. Only where no provider is real, with `CONTROL_SANDBOX`.",
    tool: {
      useWhen:
        "Use when a test needs a decision and no browser is there. Not for a real organization: only people decide there.",
      hints: DRIVES,
    },
    example: {
      request: { proposalId: EXAMPLE_IDS.transfer, decision: "APPROVE" },
      answer: { now: EXAMPLE_TIMES.asked, outcome: "APPROVED" },
    },
    permission: "CONTROL_SANDBOX",
    auditAction: null,
    pathParameters: null,
    input: decideInSandboxBodySchema,
    listFields: [],
    output: sandboxResultSchema,
    successes: [{ status: 200, when: "Done, and what was due is carried out." }],
    errors: [],
    isIdempotent: false,
    run: async ({ services, context, sandbox: world }, body) => ({
      kind: "DATA",
      data: await controlSandbox(services, world, context, async (_, person) =>
        decideInSandbox(services, person, body),
      ),
    }),
  }),
];
