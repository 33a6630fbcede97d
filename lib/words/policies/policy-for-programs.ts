import { writeCents } from "@/lib/contract/format-cents";
import type { Policy, PolicyWhen, Requirement } from "@/lib/contract/policies/policy";
import { daysWords, hoursWords } from "@/lib/words/policies/policy-sentence";

/** `New payee: to a payee that is NEW or CHANGED: 2 of OWNER and CO_OWNER; the requester does not count; within 72 hours` */
export function ruleForPrograms({ name, when, ...requirement }: Policy["rules"][number]): string {
  return `${name}: ${conditionsForPrograms(when)}: ${requirementForPrograms(requirement)}`;
}

function conditionsForPrograms({ window, requesters, ...when }: PolicyWhen): string {
  const parts = [
    when.kinds?.join(" or "),
    requesters?.kinds && `asked by ${requesters.kinds.join(" or ")}`,
    requesters?.ids ? "asked by one of those that it names" : null,
    when.directions?.join(" or "),
    when.payee && `to a payee that is ${when.payee.join(" or ")}`,
    when.sourceAccountIds ? "from accounts that it names" : null,
    when.destinationAccountIds ? "to accounts that it names" : null,
    when.amountOver === undefined ? null : `more than ${writeCents(when.amountOver)}`,
    window && `within ${daysWords(window.days)} per ${window.by.join(" and ")}`,
  ];
  return parts.filter(Boolean).join(", ");
}

/** Without names: any key may read it. */
export function requirementForPrograms({ stages, requesterCounts, expiresAfterHours }: Requirement): string {
  const signers = stages.map(
    ({ of, atLeast }) =>
      `${atLeast} of ${"roles" in of ? of.roles.join(" and ") : "the people that it names"}`,
  );
  const requester = requesterCounts ? "the requester counts" : "the requester does not count";
  return `${signers.join(", then ")}; ${requester}; within ${hoursWords(expiresAfterHours)}`;
}
