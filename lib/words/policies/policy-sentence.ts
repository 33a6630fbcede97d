import { writeCents } from "@/lib/contract/format-cents";
import {
  MOVES_NOTHING,
  type Policy,
  type PolicyKind,
  type PolicyRequesterKind,
  type PolicyRule,
  type PolicyWhen,
  type Requirement,
  type Stage,
} from "@/lib/contract/policies/policy";
import type { Phrase } from "@/lib/contract/rules/rule-parts";
import {
  type PolicyNames,
  personName,
  policyAccountName,
  requesterName,
} from "@/lib/words/policies/policy-names";
import { dateWords } from "@/lib/words/rules/number-words";
import { asSentence, joinWords, key, say } from "@/lib/words/rules/phrases";

/** One rule in words: its sentence, and what else holds. */
export interface PolicySentence {
  says: Phrase[];
  /** Who does not count, how long it stays open, deputies: a sentence each. */
  notes: string[];
}

/** `If money goes to a payee that is new or changed, 2 of Mara, Jonas and Priya approve.` */
export function ruleSentence(rule: PolicyRule, policy: Policy, names: PolicyNames): PolicySentence {
  const { otherwise } = policy;
  const requester = rule.requesterCounts === otherwise.requesterCounts && rule.requesterCounts;
  return {
    says: asSentence([
      ...conditionPhrases(rule.when, names),
      say(", "),
      ...stagesPhrases(rule.stages, names),
      say("."),
    ]),
    notes: [
      ...(requester ? [] : [requesterNote(rule)]),
      ...(rule.expiresAfterHours === otherwise.expiresAfterHours ? [] : [openNote(rule)]),
      ...deputyNotes(rule, names),
    ],
  };
}

/** `1 owner or co-owner approves, also the requester.` */
export function otherwiseSentence({ otherwise }: Policy, names: PolicyNames): PolicySentence {
  const also = otherwise.requesterCounts ? ", also the requester" : "";
  return {
    says: asSentence([...stagesPhrases(otherwise.stages, names), say(`${also}.`)]),
    notes: [
      ...(otherwise.requesterCounts ? [] : [requesterNote(otherwise)]),
      openNote(otherwise),
      ...deputyNotes(otherwise, names),
    ],
  };
}

const requesterNote = ({ requesterCounts }: Requirement) =>
  requesterCounts ? "The requester counts." : "The requester does not count.";
const openNote = ({ expiresAfterHours }: Requirement) => `Open for ${hoursWords(expiresAfterHours)}.`;

export const hoursWords = (hours: number) => (hours === 1 ? "1 hour" : `${hours} hours`);
export const daysWords = (days: number) => (days === 1 ? "1 day" : `${days} days`);

function deputyNotes({ stages }: Requirement, names: PolicyNames): string[] {
  return stages.flatMap((stage) =>
    stage.deputies.map(
      ({ member, until }) =>
        `Until ${dateWords(until)}, ${personName(names, member)} may sign for ${signersWords(stage, names)}.`,
    ),
  );
}

/** Whom a deputy stands in for: `Jonas`; `Mara or Jonas`; `an owner`. */
function signersWords({ of }: Stage, names: PolicyNames): string {
  if ("roles" in of) return `an ${rolesWords(of.roles, 1)}`;
  return joinWords(
    of.members.map((id) => personName(names, id)),
    "or",
  );
}

/** `first any owner or co-owner approves, then Jonas`; of one stage: `2 owners or co-owners approve`. */
export function stagesPhrases(stages: readonly Stage[], names: PolicyNames): Phrase[] {
  const [first, ...others] = stages;
  if (!first) return [];
  const verb = isSingular(first) ? " approves" : " approve";
  if (others.length === 0) return [key(stageWords(first, names)), say(verb)];
  return [
    say("first "),
    key(anyOf(first, names)),
    say(verb),
    ...others.flatMap((stage) => [say(", then "), key(anyOf(stage, names))]),
  ];
}

const isSingular = ({ atLeast }: Stage) => atLeast === 1;
const anyOf = (stage: Stage, names: PolicyNames) =>
  "roles" in stage.of && stage.atLeast === 1
    ? `any ${rolesWords(stage.of.roles, 1)}`
    : stageWords(stage, names);

/** `2 owners or co-owners`, `2 of Mara, Jonas and Priya`, `Mara and Jonas`, `Jonas`. */
function stageWords({ of, atLeast }: Stage, names: PolicyNames): string {
  if ("roles" in of) return `${atLeast} ${rolesWords(of.roles, atLeast)}`;
  const people = of.members.map((id) => personName(names, id));
  if (atLeast >= people.length) return joinWords(people);
  return `${atLeast} of ${joinWords(people)}`;
}

export function rolesWords(roles: readonly ("OWNER" | "CO_OWNER")[], count: number): string {
  const ending = count === 1 ? "" : "s";
  const words = roles.map((role) => (role === "OWNER" ? `owner${ending}` : `co-owner${ending}`));
  return joinWords(words, "or");
}

/** `If one requester moves more than $5,000.00 to one destination within 7 days`. */
function conditionPhrases(when: PolicyWhen, names: PolicyNames): Phrase[] {
  const { kinds, requesters } = when;
  const isPolicyOnly = kinds?.length === 1 && kinds[0] === "POLICY";
  const who = requesterWords(when, names);
  if (isPolicyOnly) {
    return requesters
      ? [say("if "), key(who ?? ""), say(" changes "), key("this policy")]
      : [say("if "), key("this policy"), say(" changes")];
  }
  if (kinds && isOfChanges(when)) {
    return [
      say("if "),
      ...(who === null ? [] : [key(who), say(" asks for ")]),
      key(kindWords(kinds)),
      ...changeWords(when, names),
      ...(who === null ? [say(" is proposed")] : []),
    ];
  }
  if (!isAboutMoney(when)) {
    const what = kinds ? kindWords(kinds) : "anything";
    return who === null
      ? [say("if "), key(what), say(" is proposed")]
      : [say("if "), key(who), say(" asks for "), kinds ? key(what) : say(what)];
  }
  return [
    say("if "),
    ...(who === null ? moneyWords(when) : actorWords(when, who)),
    ...routeWords(when, names),
  ];
}

/** Only what moves nothing itself: a payee's account, a version of a rule, a looser limit, a new key. */
export const isOfChanges = ({ kinds }: PolicyWhen) =>
  kinds?.every((kind) => MOVES_NOTHING.has(kind)) ?? false;

/** ` from Operating to a payee that is new`. */
function changeWords(
  { kinds, sourceAccountIds, payee, destinationAccountIds }: PolicyWhen,
  names: PolicyNames,
) {
  const accounts = (ids: readonly string[]) =>
    joinWords(
      ids.map((id) => policyAccountName(names, id)),
      "or",
    );
  const isPayeeOnly = kinds?.every((kind) => kind === "PAYEE") ?? false;
  return [
    ...(sourceAccountIds ? [say(" from "), key(accounts(sourceAccountIds))] : []),
    ...(payee ? [say(isPayeeOnly ? " that is " : " to a payee that is "), key(payeeWords(payee))] : []),
    ...(destinationAccountIds
      ? [say(payee ? ", " : isPayeeOnly ? ", " : " to "), key(accounts(destinationAccountIds))]
      : []),
  ];
}

const isAboutMoney = (when: PolicyWhen) =>
  [when.payee, when.amountOver, when.sourceAccountIds, when.destinationAccountIds, when.directions].some(
    (condition) => condition !== undefined,
  );

/** `one requester moves more than $5,000.00`. */
function actorWords(when: PolicyWhen, who: string): Phrase[] {
  const isAnyone = when.requesters === undefined;
  return [isAnyone ? say(who) : key(who), say(" moves "), ...amountWords(when)];
}

/** `money goes`; `more than $5,000.00 goes out`. */
function moneyWords(when: PolicyWhen): Phrase[] {
  return [...amountWords(when), say(when.directions ? "" : " goes")];
}

const amountWords = ({ amountOver }: PolicyWhen): Phrase[] =>
  amountOver === undefined ? [say("money")] : [key(`more than ${writeCents(amountOver)}`)];

const DIRECTION = { INTERNAL: "within Sluice", MONEY_IN: "in", MONEY_OUT: "out" } as const;

export function directionWords(directions: NonNullable<PolicyWhen["directions"]>): string {
  return joinWords(
    directions.map((direction) => DIRECTION[direction]),
    "or",
  );
}

/** What follows the amount: direction, sort of proposal, accounts, payee, window. */
function routeWords(when: PolicyWhen, names: PolicyNames): Phrase[] {
  const { directions, sourceAccountIds, destinationAccountIds, payee, window, kinds } = when;
  const accounts = (ids: readonly string[]) =>
    joinWords(
      ids.map((id) => policyAccountName(names, id)),
      "or",
    );
  const hasActor = requesterWords(when, names) !== null;
  const verb = directions && !hasActor ? " goes " : " ";
  return [
    ...(directions ? [say(verb), key(directionWords(directions))] : []),
    ...(sourceAccountIds ? [say(" from "), key(accounts(sourceAccountIds))] : []),
    ...(payee ? [say(" to a payee that is "), key(payeeWords(payee))] : []),
    ...(destinationAccountIds ? [say(payee ? ", " : " to "), key(accounts(destinationAccountIds))] : []),
    ...(window?.by.includes("destination") && !payee && !destinationAccountIds
      ? [say(" to one destination")]
      : []),
    ...(window ? [say(" "), key(`within ${daysWords(window.days)}`)] : []),
    ...kindsOfMoney(kinds),
  ];
}

/** ` as a transfer`; with what moves nothing itself, ` as a transfer, or for an account of a payee`. */
function kindsOfMoney(kinds: PolicyWhen["kinds"]): Phrase[] {
  if (!kinds) return [];
  const moves = kinds.filter((kind) => !MOVES_NOTHING.has(kind));
  const changes = kinds.filter((kind) => MOVES_NOTHING.has(kind));
  return [
    say(" as "),
    key(kindWords(moves)),
    ...(changes.length > 0 ? [say(", or for "), key(kindWords(changes))] : []),
  ];
}

export const payeeWords = (payee: NonNullable<PolicyWhen["payee"]>) =>
  joinWords(
    payee.map((one) => (one === "NEW" ? "new" : "changed")),
    "or",
  );

const KIND: Record<PolicyKind, string> = {
  TRANSFER: "a transfer",
  RUN: "a run of a rule",
  PAYEE: "an account of a payee",
  RULE: "a version of a rule",
  LIMIT: "a looser limit",
  KEY: "a new key",
  POLICY: "a change of this policy",
};

/** `a transfer or a run of a rule`. */
export const kindWords = (kinds: readonly PolicyKind[]) =>
  joinWords(
    kinds.map((kind) => KIND[kind]),
    "or",
  );

const REQUESTER: Record<PolicyRequesterKind, string> = {
  API_KEY: "an API key",
  ASSISTANT: "an assistant",
  MEMBER: "a member",
  RULE: "a rule by itself",
};

export const requesterKindWords = (kinds: readonly PolicyRequesterKind[]) =>
  joinWords(
    kinds.map((kind) => REQUESTER[kind]),
    "or",
  );

/** Null: nobody in particular. */
export function requesterWords({ requesters, window }: PolicyWhen, names: PolicyNames): string | null {
  if (requesters?.ids) {
    return joinWords(
      requesters.ids.map((id) => requesterName(names, id)),
      "or",
    );
  }
  if (requesters?.kinds) return requesterKindWords(requesters.kinds);
  return window?.by.includes("requester") ? "one requester" : null;
}
