import { describer } from "@/lib/api/mcp/describe/answer-describer";
import { accountOf, counted, quote, utcMoment } from "@/lib/api/mcp/describe/text";
import { formatCents } from "@/lib/contract/format-cents";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import { type Whoami, type WhoamiPermission, whoamiSchema } from "@/lib/contract/whoami";

/** Of one permission; the structured content has more. */
const NAMED = 10;

/** The caller, what it may do, and what limits it now. */
export const describeCaller = describer(whoamiSchema, (whoami, { names, appUrl }) =>
  [
    `${describeWho(whoami)} It is ${whoami.organization.businessDate} in ${whoami.organization.timeZone}.`,
    whoami.bank.isSandbox
      ? "This is a sandbox: no real money moves."
      : `Money is real, at ${quote(whoami.bank.name ?? "")}.`,
    ...describeGates(whoami),
    ...describeCaps(whoami),
    `Requests left in this minute: ${whoami.rateLimit.remaining} of ${whoami.rateLimit.limit}.`,
    ...(whoami.proposals.waiting === 0
      ? []
      : [
          `Of yours, ${counted(whoami.proposals.waiting, "proposal")} of at most ${whoami.proposals.maximum} wait.`,
        ]),
    ...(whoami.mandates.inForce === 0
      ? []
      : [
          `You have ${counted(whoami.mandates.inForce, "mandate")} in force: what falls inside needs no person (getMandates).`,
        ]),
    whoami.permissions.length === 0
      ? `You have no permission. An owner or co-owner can create a key with some at ${appUrl}/settings/api-keys.`
      : "You may, and nothing else:",
    ...whoami.permissions.map((permission) => `- ${describePermission(permission, names)}`),
  ].join("\n"),
);

function describeWho({ caller, organization }: Whoami): string {
  const of = quote(organization.name);
  if (caller.kind === "API_KEY") return `You are the API key ${quote(caller.name)} of ${of}.`;
  const member = `${quote(caller.memberName ?? "")}${caller.role === null ? "" : `, role ${caller.role}`}`;
  return `You are the assistant ${quote(caller.name)} of ${of}, connected by ${member}.`;
}

function describeGates({ gates }: Whoami): string[] {
  if (gates.areOpen) return [];
  const since = gates.closedAt === null ? "" : ` since ${utcMoment(gates.closedAt)}`;
  return [`All gates are closed${since}: nothing moves until an owner or co-owner opens them.`];
}

function describeCaps({ dailyCap, outgoingCap }: Whoami): string[] {
  const left = (cents: number | null) => (cents === null ? "" : `, of which ${formatCents(cents)} is left`);
  return [
    ...(dailyCap.capInCents === null
      ? []
      : [
          `Without approval you may move ${formatCents(dailyCap.capInCents)} within 24 hours${left(dailyCap.leftInCents)}. What exceeds it waits for a person.`,
        ]),
    ...(outgoingCap.capInCents === null
      ? []
      : [
          `The whole organization may send ${formatCents(outgoingCap.capInCents)} out of Sluice within 24 hours${left(outgoingCap.leftInCents)}.`,
        ]),
  ];
}

function describePermission(permission: WhoamiPermission, names: AccountNames): string {
  const approval = permission.requiresApproval ? ", always waiting for approval" : "";
  return `${permission.permission}${approval}${describeReach(permission, names)}`;
}

function describeReach({ reach, accountIds, ruleIds, routes, count }: WhoamiPermission, names: AccountNames) {
  if (reach === "ALL") return "";
  const account = (id: string | null) => (id === null ? "any account" : accountOf(id, names));
  const listed = [
    ...accountIds.map(account),
    ...ruleIds.map((id) => `rule ${id}`),
    ...routes.map(
      ({ sourceAccountId, destinationAccountId, maximumAmountInCents: maximum }) =>
        `from ${account(sourceAccountId)} to ${account(destinationAccountId)}${maximum === null ? "" : `, at most ${formatCents(maximum)} each`}`,
    ),
  ].slice(0, NAMED);
  const more = count > listed.length ? [`and ${count - listed.length} more`] : [];
  return `: ${[...listed, ...more].join("; ")}`;
}
