import { formatCents } from "@/lib/contract/format-cents";
import { MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import type { ActivationCheck } from "@/lib/contract/rules/activation-check";
import type { AccountNames } from "@/lib/contract/views/rule-parts";
import { lookAlikeWords } from "@/lib/engine/words/look-alike-words";
import { accountName } from "@/lib/engine/words/number-words";
import { joinWords } from "@/lib/engine/words/phrases";

/** A check as a page tells it. */
export interface CheckWords {
  title: string;
  /** Null where the title says it all. */
  text: string | null;
}

type Of<Kind extends ActivationCheck["kind"]> = Extract<ActivationCheck, { kind: Kind }>;

/** What was looked at before an activation, in words: what is so, and where it is not, which accounts and rules. */
export function checkWords(check: ActivationCheck, names: AccountNames): CheckWords {
  const list = (accountIds: readonly string[]) => joinWords(accountIds.map((id) => accountName(names, id)));
  const isClear = check.outcome === "CLEAR";
  switch (check.kind) {
    case "LOOK_ALIKE":
      return lookAlikeWords(check.names);
    case "SHARES":
      return sharesWords(check, names);
    case "ACCOUNTS_OPEN":
      return isClear
        ? plain("Every account is open")
        : { title: "An account is closed", text: `${list(check.accountIds)} cannot take part.` };
    case "CAN_GIVE":
      return isClear
        ? plain("Every source can give")
        : { title: "A source cannot give", text: `Money cannot be drawn from ${list(check.accountIds)}.` };
    case "CAN_RECEIVE":
      return isClear
        ? plain("Every destination can receive")
        : {
            title: "A destination cannot receive",
            text: `${list(check.accountIds)} is where money enters; rules send it on, not back.`,
          };
    case "BOTH_OUTSIDE":
      return {
        title: "Both sides are outside Sluice",
        text: `${check.routes
          .map(
            ({ sourceAccountId, destinationAccountId }) =>
              `${accountName(names, sourceAccountId)} to ${accountName(names, destinationAccountId)}`,
          )
          .join(", ")}: one side must be an account here.`,
      };
    case "DEBTS":
      return isClear
        ? plain("Only debts are paid off")
        : { title: "It pays off what is no debt", text: `Nothing is owed on ${list(check.accountIds)}.` };
    case "TOP_UP_DEBT":
      return {
        title: "It fills up a debt",
        text: `On ${list(check.accountIds)} the balance is what is owed. Pay it instead.`,
      };
    case "OVERPAYS":
      return {
        title: "It can pay more than is owed",
        text: `What it sends to ${list(check.accountIds)} does not look at what is owed.`,
      };
    case "SCHEDULE":
      return isClear
        ? plain("Its schedule goes on")
        : { title: "Its schedule is over", text: "None of its times is still to come." };
    case "SUFFICES":
      return sufficesWords(check, names);
    case "MOVES":
      return {
        title:
          check.actions.length === 1 ? "An action never moves anything" : "Some actions never move anything",
        text: `${check.actions
          .map(
            ({ stepIndex, destinationAccountIds }) =>
              `What step ${stepIndex + 1} sends to ${list(destinationAccountIds)} never comes to ${formatCents(MINIMUM_TRANSFER_IN_CENTS)}, the smallest transfer`,
          )
          .join(". ")}.`,
      };
    case "FREQUENT":
      return {
        title: "It runs very often",
        text: `${check.timesADay.toLocaleString("en-US")} times a day.`,
      };
    default:
      return joinedWords(check, names);
  }
}

function sufficesWords({ outcome, shortfall }: Of<"SUFFICES">, names: AccountNames): CheckWords {
  if (outcome === "CLEAR") {
    return {
      title: "It never asks for more than there is",
      text: "As long as what arrived is still in its account, every transfer can be made.",
    };
  }
  const title = shortfall?.isAlways ? "It always stops part way" : "It can stop part way";
  if (!shortfall)
    return { title, text: "Where a source has too little, a transfer fails and the run stops there." };
  const { sourceAccountId, destinationAccountId, heldInCents, leftInCents, wantedInCents } = shortfall;
  const source = accountName(names, sourceAccountId);
  const wanted = `the ${formatCents(wantedInCents)} for ${accountName(names, destinationAccountId)}`;
  return {
    title,
    text:
      leftInCents === heldInCents
        ? `Where ${source} has only ${formatCents(heldInCents)}, ${wanted} fails and the run stops there.`
        : `Of ${formatCents(heldInCents)} in ${source} only ${formatCents(leftInCents)} is left for ${wanted}: it fails, and the run stops there.`,
  };
}

const plain = (title: string): CheckWords => ({ title, text: null });

function sharesWords(check: Of<"SHARES">, names: AccountNames): CheckWords {
  const [over] = check.over;
  if (!over) return plain("The shares of each group stay within 100%");
  return {
    title: "Shares pass 100%",
    text: `Step ${over.stepIndex + 1} shares out ${over.percentage}% of ${accountName(names, over.accountId)}.`,
  };
}

type JoinedKind =
  | "ONLY_ARRIVAL_RULE"
  | "NO_CYCLE"
  | "SETS_OFF"
  | "SET_OFF_BY"
  | "REACHABLE"
  | "SENDS_OUT"
  | "PULLS_IN"
  | "FLOORS";

/** What joins it to other rules, and to the world outside. */
function joinedWords(check: Of<JoinedKind>, names: AccountNames): CheckWords {
  const isClear = check.outcome === "CLEAR";
  const list = (accountIds: readonly string[]) => joinWords(accountIds.map((id) => accountName(names, id)));
  switch (check.kind) {
    case "ONLY_ARRIVAL_RULE":
      return check.rival
        ? {
            title: "Another rule acts on the same arrivals",
            text: `Deactivate ${check.rival.name} first: two would split the same money.`,
          }
        : plain("No other rule acts on these arrivals");
    case "NO_CYCLE":
      return isClear
        ? plain("Its money never comes back to it")
        : { title: "Its money would go round in a circle", text: circleWords(check.chain, names) };
    case "SETS_OFF":
      return isClear
        ? plain("It sets off no other rule")
        : {
            title: check.rules.length === 1 ? "It can set off another rule" : "It can set off other rules",
            text: `${check.rules
              .map(
                ({ name, accountId }) => `${name} runs when money reaches ${accountName(names, accountId)}`,
              )
              .join(". ")}.`,
          };
    case "SET_OFF_BY":
      return {
        title: "Other rules can set it off",
        text: `It runs on what ${joinWords(check.rules.map(({ name }) => name))} sends.`,
      };
    case "REACHABLE":
      return {
        title: check.stepIndexes.length === 1 ? "A step never runs" : "Some steps never run",
        text: `Step ${joinWords(check.stepIndexes.map((index) => String(index + 1)))}: no amount and no day to come meets its conditions, or an earlier step takes them all.`,
      };
    case "SENDS_OUT":
      return { title: "It sends money outside Sluice", text: `To ${list(check.accountIds)}.` };
    case "PULLS_IN":
      return { title: "It takes money from outside Sluice", text: `From ${list(check.accountIds)}.` };
    case "FLOORS":
      return {
        title: "It stops at a floor",
        text: `It never takes ${list(check.accountIds)} below the floor that you set there.`,
      };
  }
}

/** `Payday sends to Taxes, Set aside sends to Income, which sets it off again.` */
function circleWords(chain: Of<"NO_CYCLE">["chain"], names: AccountNames): string {
  const links = chain.map(({ name, accountId }) => `${name} sends to ${accountName(names, accountId)}`);
  return `${links.join(", ")}, which sets it off again.`;
}
