import { describer } from "@/lib/api/mcp/describe/answer-describer";
import { describePage } from "@/lib/api/mcp/describe/list-page";
import { asSentence, describeLookAlike, quote, utcMoment } from "@/lib/api/mcp/describe/text";
import { type Page, pageOf } from "@/lib/contract/page";
import { type Payee, type PayeeState, payeeSchema } from "@/lib/contract/payee";

const STATE: Record<PayeeState, string> = {
  NEEDS_DETAILS: "cannot be paid yet: an owner or co-owner must enter its account, or send it a link",
  WAITING: "cannot be paid yet: an owner or co-owner must confirm its account",
  ACTIVE: "can be paid",
  REMOVED: "was removed and cannot be paid",
};

/** A page of payees. */
export const describePayees = describer(pageOf(payeeSchema), (page: Page<Payee>) =>
  describePage(
    page,
    {
      one: "payee",
      many: "payees",
      empty: "No payees in these states. proposePayee proposes one; a person must confirm it.",
      next: "Pass the id of one that can be paid to createTransfer as destinationAccountId.",
    },
    (payee) => [quote(payee.name), ...describePayee(payee)].join("; "),
  ),
);

/** A payee that was just proposed. */
export const describeProposedPayee = describer(payeeSchema, (payee, { appUrl }) =>
  [
    `Proposed: ${quote(payee.name)}, id ${payee.id}. It ${STATE[payee.state]}.`,
    ...describeLookAlike(payee.lookAlike).map(asSentence),
    `Next: ask the person to do that, here: ${appUrl}/payees/${payee.id}`,
  ].join("\n"),
);

function describePayee({ id, kind, state, changeIsWaiting, coolsOffUntil, lookAlike }: Payee): string[] {
  return [
    kind === "BUSINESS" ? "a business" : "a person",
    STATE[state],
    ...(changeIsWaiting
      ? ["a change of its account waits for a person; the earlier one is paid until then"]
      : []),
    ...(coolsOffUntil === null ? [] : [`larger transfers wait until ${utcMoment(coolsOffUntil)}`]),
    ...describeLookAlike(lookAlike),
    `id ${id}`,
  ];
}
