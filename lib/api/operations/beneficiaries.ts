import { z } from "zod";
import { EXAMPLE_IDS, PAGE_OF_TEN } from "@/lib/api/operations/examples";
import { operation } from "@/lib/api/operations/operation";
import { READS } from "@/lib/api/operations/tool-hints";
import { beneficiarySchema } from "@/lib/contract/beneficiary";
import { pageOf, pageQueryShape } from "@/lib/contract/page";
import { listBeneficiaries } from "@/lib/core/ledger/list-beneficiaries";

export const beneficiaryOperations = [
  operation({
    operationId: "listBeneficiaries",
    tag: "Accounts",
    method: "GET",
    path: "/beneficiaries",
    summary: "List who may own an account",
    description:
      "The people and businesses under whom accounts of this organization are opened, oldest first. Pass an `id` as `beneficiaryId` when you create an account. Needs no permission.",
    tool: {
      useWhen:
        "Use when you are about to open an account with createAccount and it is to belong to somebody in particular. Not to add one: addBusinessBeneficiary says how a person does that.",
      hints: READS,
    },
    example: {
      request: { pageSize: "10" },
      answer: {
        items: [{ id: EXAMPLE_IDS.beneficiary, name: "Northwind Studio", beneficiaryType: "BUSINESS" }],
        pagination: PAGE_OF_TEN,
      },
    },
    permission: null,
    auditAction: "LIST_BENEFICIARIES",
    pathParameters: null,
    input: z.strictObject(pageQueryShape),
    listFields: [],
    output: pageOf(beneficiarySchema),
    successes: [{ status: 200, when: "A page of beneficiaries." }],
    errors: [],
    isIdempotent: false,
    run: async ({ services, context }, input) => ({
      kind: "DATA",
      data: await listBeneficiaries(services, context, input),
    }),
  }),
];
