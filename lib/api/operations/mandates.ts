import { z } from "zod";
import { EXAMPLE_IDS, EXAMPLE_TIMES, PAGE_OF_TEN } from "@/lib/api/operations/examples";
import { ADDS, operation, READS, TAKES_BACK } from "@/lib/api/operations/operation";
import {
  type MandateForPrograms,
  mandateForProgramsSchema,
  mandateStateForProgramsSchema,
  proposeMandateBodySchema,
} from "@/lib/contract/mandates/mandate-for-programs";
import { pageOf, pageQueryShape } from "@/lib/contract/page";
import { cancelOwnMandate } from "@/lib/core/mandates/end-mandate";
import { getOwnMandate, listOwnMandates, showToProgram } from "@/lib/core/mandates/mandates-for-programs";
import { proposeMandate } from "@/lib/core/mandates/write-mandate";

const EXAMPLE_MANDATE: MandateForPrograms = {
  id: EXAMPLE_IDS.mandate,
  state: "IN_FORCE",
  terms: {
    sourceAccountIds: [EXAMPLE_IDS.operating],
    destinationAccountIds: [EXAMPLE_IDS.payee],
    minimumInCents: null,
    maximumInCents: 30_000,
    dayInCents: null,
    weekInCents: null,
    monthInCents: 30_000,
    thirtyDaysInCents: null,
    totalInCents: null,
    maximumUses: null,
    recurrence: null,
    from: "2026-11-20",
    until: "2027-05-31",
    keepsInCents: 500_000,
    purpose: "Printing",
  },
  left: {
    dayInCents: null,
    weekInCents: null,
    monthInCents: 18_000,
    thirtyDaysInCents: null,
    totalInCents: null,
    uses: 999,
    usesInPeriod: null,
  },
  used: { uses: 1, inCents: 12_000 },
  stoppedBy: null,
  proposedBy: { kind: "API_KEY", name: "claude-bookkeeping" },
  reason: "The print shop’s invoices are under $300 a month, and a person approves each.",
  createdAt: EXAMPLE_TIMES.asked,
  expiresAt: null,
  signedAt: EXAMPLE_TIMES.settled,
  endedAt: null,
  approvalUrl: null,
};

const WAITING_MANDATE: MandateForPrograms = {
  ...EXAMPLE_MANDATE,
  state: "WAITING",
  left: { ...EXAMPLE_MANDATE.left, monthInCents: 30_000, uses: 1_000 },
  used: { uses: 0, inCents: 0 },
  signedAt: null,
  expiresAt: "2026-11-21T13:40:12.345Z",
  approvalUrl: `https://sluice.example/mandates/${EXAMPLE_IDS.mandate}`,
};

/** For agents, whose list of tools does not outline them. */
export const MANDATE_TERMS_IN_WORDS =
  "terms is the JSON of { sourceAccountIds, destinationAccountIds, maximumInCents (of one transfer), from, until (dates) } and any more limits of minimumInCents, dayInCents, weekInCents, monthInCents, thirtyDaysInCents, totalInCents, maximumUses, recurrence { period: DAY, WEEK or MONTH, atMost, daysApart }, keepsInCents (what stays in the source), purpose";

const ofMandate = z.strictObject({ id: z.guid().describe("The mandate.") });
const pathParameters = {
  schema: z.object({ id: z.guid().toLowerCase() }),
  notFound: "MANDATE_NOT_FOUND",
} as const;

export const mandateOperations = [
  operation({
    operationId: "getMandates",
    tag: "Mandates",
    method: "GET",
    path: "/mandates",
    summary: "List your mandates",
    description:
      "What people let this key do without asking, and what it asked for, newest first: the limits, what is used and what is left of each. A transfer inside one that is `IN_FORCE` is accepted at once, and its `mandateId` says under which; any other waits for a person as before, with a check that says which part it broke. A key sees its own alone. Not for assistants, whose transfers always wait.",
    tool: {
      useWhen: "Use when you plan transfers: inside one, nobody is asked. Not for proposals (listProposals).",
      hints: READS,
      isOutlined: false,
    },
    isForKeys: true,
    example: {
      request: { state: "IN_FORCE" },
      answer: { items: [EXAMPLE_MANDATE], pagination: PAGE_OF_TEN },
    },
    permission: "MANUAL_TRANSFER",
    auditAction: null,
    pathParameters: null,
    input: z.strictObject({
      ...pageQueryShape,
      state: mandateStateForProgramsSchema.optional().describe("Only mandates in this state."),
    }),
    listFields: [],
    output: pageOf(mandateForProgramsSchema),
    successes: [{ status: 200, when: "A page of mandates." }],
    errors: [],
    isIdempotent: false,
    run: async ({ services, context }, { state, page, pageSize }) => ({
      kind: "DATA",
      data: await listOwnMandates(services, context, { page, pageSize, state: state ?? null }),
    }),
  }),
  operation({
    operationId: "getMandate",
    tag: "Mandates",
    method: "GET",
    path: "/mandates/:id",
    summary: "Read one mandate",
    description:
      "A mandate of this key with what is left of it now. Another key's is answered as if there were none. Not for assistants.",
    tool: { useWhen: "Use when you follow one. Not for all (getMandates).", hints: READS },
    isHttpOnly: true,
    isForKeys: true,
    example: { request: { id: EXAMPLE_IDS.mandate }, answer: EXAMPLE_MANDATE },
    permission: "MANUAL_TRANSFER",
    auditAction: null,
    pathParameters,
    input: ofMandate,
    listFields: [],
    output: mandateForProgramsSchema,
    successes: [{ status: 200, when: "The mandate." }],
    errors: ["MANDATE_NOT_FOUND"],
    isIdempotent: false,
    run: async ({ services, context }, { id }) => ({
      kind: "DATA",
      data: await getOwnMandate(services, context, id),
    }),
  }),
  operation({
    operationId: "proposeMandate",
    tag: "Mandates",
    method: "POST",
    path: "/mandates",
    summary: "Propose a mandate",
    description:
      "Asks people to let this key make some transfers without asking: between these accounts, within these amounts, until a day. Nothing changes until those who must approve such transfers sign it at `approvalUrl`; they may narrow it first, never widen it. It can cover no more than the key's own `MANUAL_TRANSFER` permission: its routes, and an amount up to the limit of each. Not for a key whose transfers need no approval, nor for assistants, whose transfers always wait.",
    tool: {
      useWhen: "Use when people approve the same thing often. Not to move money now. First: getMandates.",
      hints: ADDS,
      isOutlined: false,
      asText: { terms: MANDATE_TERMS_IN_WORDS },
    },
    isForKeys: true,
    example: {
      request: {
        terms: {
          sourceAccountIds: [EXAMPLE_IDS.operating],
          destinationAccountIds: [EXAMPLE_IDS.payee],
          maximumInCents: 30_000,
          monthInCents: 30_000,
          keepsInCents: 500_000,
          from: "2026-11-20",
          until: "2027-05-31",
          purpose: "Printing",
        },
        reason: "The print shop’s invoices are under $300 a month, and a person approves each.",
      },
      answer: WAITING_MANDATE,
    },
    permission: "MANUAL_TRANSFER",
    auditAction: null,
    pathParameters: null,
    input: proposeMandateBodySchema,
    listFields: [],
    output: mandateForProgramsSchema,
    successes: [{ status: 202, when: "Waiting for signatures." }],
    errors: [
      "TRANSFER_SOURCE_NOT_FOUND",
      "TRANSFER_DESTINATION_NOT_FOUND",
      "IDEMPOTENCY_KEY_MISMATCH",
      "MAXIMUM_AMOUNT_EXCEEDED",
    ],
    isIdempotent: true,
    run: async ({ services, context, sent, idempotency }, body) =>
      proposeMandate(
        services,
        context,
        body,
        { sent, idempotency, auditAction: null, status: 202 },
        (mandate) => showToProgram(mandate, services.appUrl),
      ),
  }),
  operation({
    operationId: "cancelMandate",
    tag: "Mandates",
    method: "POST",
    path: "/mandates/:id/cancel",
    summary: "Withdraw or end a mandate",
    description:
      "Withdraws a mandate of this key while it waits, and ends one that is in force: later transfers wait for a person again, and one that is on its way finishes. Repeating it, and a mandate that has ended otherwise, answers the mandate as it is. Not for assistants.",
    tool: {
      useWhen: "Use when one of yours is no longer needed. Not to cancel a transfer (cancelTransfer).",
      hints: TAKES_BACK,
    },
    isHttpOnly: true,
    isForKeys: true,
    example: {
      request: { id: EXAMPLE_IDS.mandate },
      answer: { ...EXAMPLE_MANDATE, state: "ENDED", endedAt: "2026-12-04T09:12:00.000Z" },
    },
    permission: "MANUAL_TRANSFER",
    auditAction: null,
    pathParameters,
    input: ofMandate,
    listFields: [],
    output: mandateForProgramsSchema,
    successes: [{ status: 200, when: "Withdrawn or ended, now or before." }],
    errors: ["MANDATE_NOT_FOUND"],
    isIdempotent: false,
    run: async ({ services, context, sent }, { id }) =>
      cancelOwnMandate(
        services,
        context,
        id,
        { sent, idempotency: null, auditAction: null, status: 200 },
        (mandate) => showToProgram(mandate, services.appUrl),
      ),
  }),
];
