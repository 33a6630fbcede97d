import { formatCents } from "@/lib/contract/format-cents";
import { MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import type { ActivationCheck, FlooredSource } from "@/lib/contract/rules/activation-check";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import { lookAlikeWords } from "@/lib/words/look-alike-words";
import { accountName } from "@/lib/words/rules/number-words";
import { joinWords } from "@/lib/words/rules/phrases";

/** A check in words. */
export interface CheckWords {
  title: string;
  /** Null if the title is enough. */
  text: string | null;
}

type Of<Kind extends ActivationCheck["kind"]> = Extract<ActivationCheck, { kind: Kind }>;

/** The checks before an activation in words, with the accounts and rules of each finding. */
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
        : { title: "An account is closed", text: `Closed: ${list(check.accountIds)}.` };
    case "CAN_GIVE":
      return isClear
        ? plain("Every source can send money")
        : {
            title: "A source can’t send money",
            text: `Money can’t be taken from ${list(check.accountIds)}.`,
          };
    case "CAN_RECEIVE":
      return isClear
        ? plain("Every destination can receive money")
        : {
            title: "A destination can’t receive money",
            text: `${list(check.accountIds)} receives money only from outside; rules can’t send money to it.`,
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
        : {
            title: "It pays off an account that isn’t a debt",
            text: `Nothing is owed on ${list(check.accountIds)}.`,
          };
    case "TOP_UP_DEBT":
      return {
        title: "It fills up a debt",
        text: `The balance of ${list(check.accountIds)} is the amount owed. Pay it instead.`,
      };
    case "OVERPAYS":
      return {
        title: "It can pay more than the amount owed",
        text: `The amount that it sends to ${list(check.accountIds)} ignores the amount owed.`,
      };
    case "SCHEDULE":
      return isClear
        ? plain("It will run again")
        : { title: "Its schedule has ended", text: "It has no future runs." };
    case "SUFFICES":
      return sufficesWords(check, names);
    case "MOVES":
      return {
        title:
          check.actions.length === 1 ? "An action never moves anything" : "Some actions never move anything",
        text: `${check.actions
          .map(
            ({ stepIndex, destinationAccountIds }) =>
              `Step ${stepIndex + 1} to ${list(destinationAccountIds)} never reaches ${formatCents(MINIMUM_TRANSFER_IN_CENTS)}, the minimum transfer`,
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

function sufficesWords(check: Of<"SUFFICES">, names: AccountNames): CheckWords {
  const { outcome, shortfall, isOnArrivals } = check;
  if (outcome === "CLEAR") {
    return {
      title: "It never needs more money than there is",
      text: isOnArrivals
        ? "As long as the deposit is still in its account, every transfer succeeds."
        : "Whatever its sources hold when it runs, every transfer succeeds.",
    };
  }
  const title = shortfall?.isAlways ? "It always stops partway" : "It can stop partway";
  if (!shortfall)
    return { title, text: "If a source has too little money, a transfer fails and the run stops." };
  const { sourceAccountId, destinationAccountId, heldInCents, leftInCents, wantedInCents } = shortfall;
  const source = accountName(names, sourceAccountId);
  const wanted = `the ${formatCents(wantedInCents)} for ${accountName(names, destinationAccountId)}`;
  return {
    title,
    text:
      leftInCents === heldInCents
        ? `If ${source} has only ${formatCents(heldInCents)}, ${wanted} fails and the run stops.`
        : `Of ${formatCents(heldInCents)} in ${source}, only ${formatCents(leftInCents)} is left for ${wanted}: it fails and the run stops.`,
  };
}

const plain = (title: string): CheckWords => ({ title, text: null });

function sharesWords(check: Of<"SHARES">, names: AccountNames): CheckWords {
  const [over] = check.over;
  if (!over) return plain("No group exceeds 100%");
  return {
    title: "A group exceeds 100%",
    text: `Step ${over.stepIndex + 1} splits ${over.percentage}% of ${accountName(names, over.accountId)}.`,
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

/** Connections to other rules and to outside accounts. */
function joinedWords(check: Of<JoinedKind>, names: AccountNames): CheckWords {
  const isClear = check.outcome === "CLEAR";
  const list = (accountIds: readonly string[]) => joinWords(accountIds.map((id) => accountName(names, id)));
  switch (check.kind) {
    case "ONLY_ARRIVAL_RULE":
      return check.rival
        ? {
            title: "Another rule acts on the same deposits",
            text: `Deactivate ${check.rival.name} first: both would split the same money.`,
          }
        : plain("No other rule acts on these deposits");
    case "NO_CYCLE":
      return isClear
        ? plain("Its money never triggers it again")
        : { title: "Its money would move in a circle", text: circleWords(check.chain, names) };
    case "SETS_OFF":
      return isClear
        ? plain("It triggers no other rule")
        : {
            title: check.rules.length === 1 ? "It can trigger another rule" : "It can trigger other rules",
            text: `${check.rules
              .map(
                ({ name, accountId }) => `${name} runs when money reaches ${accountName(names, accountId)}`,
              )
              .join(". ")}.`,
          };
    case "SET_OFF_BY":
      return {
        title: "Other rules can trigger it",
        text: `Money from ${joinWords(check.rules.map(({ name }) => name))} triggers it.`,
      };
    case "REACHABLE":
      return {
        title: check.stepIndexes.length === 1 ? "A step never runs" : "Some steps never run",
        text: `Step ${joinWords(check.stepIndexes.map((index) => String(index + 1)))}: no amount or future day meets its conditions, or an earlier step always applies first.`,
      };
    case "SENDS_OUT":
      return { title: "It sends money outside Sluice", text: `To ${list(check.accountIds)}.` };
    case "PULLS_IN":
      return { title: "It takes money from outside Sluice", text: `From ${list(check.accountIds)}.` };
    case "FLOORS":
      return {
        title: "It stops at a floor",
        text: check.floors.map((floor) => floorWords(floor, accountName(names, floor.accountId))).join(" "),
      };
  }
}

/** `It never takes Operating below its floor of $8,000.00, so leaving $5,000.00 there has no effect.` */
function floorWords({ floorInCents, voidKeepInCents }: FlooredSource, account: string): string {
  const floor = `It never takes ${account} below its floor of ${formatCents(floorInCents)}`;
  return voidKeepInCents === null
    ? `${floor}.`
    : `${floor}, so leaving ${formatCents(voidKeepInCents)} there has no effect.`;
}

/** `Payday sends to Taxes, Set aside sends to Income, which triggers it again.` */
function circleWords(chain: Of<"NO_CYCLE">["chain"], names: AccountNames): string {
  const links = chain.map(({ name, accountId }) => `${name} sends to ${accountName(names, accountId)}`);
  return `${links.join(", ")}, which triggers it again.`;
}
