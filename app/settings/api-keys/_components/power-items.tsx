import { Check, X } from "lucide-react";
import { GateClosedIcon, GateOpenIcon } from "@/components/ui/icons";
import { POWER_LIST } from "@/components/ui/power-list";
import type { KeyAccountView, KeyRuleView } from "@/lib/contract/keys/key-facts";
import type { Permission } from "@/lib/contract/permissions";
import { count, findPermission, leavesSluice, ruleWords } from "@/lib/words/keys/key-powers";

export function PowerItems({ items }: { items: readonly CanItem[] }) {
  return (
    <ul className={POWER_LIST}>
      {items.map(({ can, text }) => (
        <li key={text} data-can={can}>
          <CanIcon can={can} />
          <span>
            {can === "NO" ? <span className="sr-only">Not: </span> : null}
            {text}
          </span>
        </li>
      ))}
    </ul>
  );
}

function CanIcon({ can }: Pick<CanItem, "can">) {
  if (can === "ALONE") return <GateOpenIcon />;
  if (can === "ASKS") return <GateClosedIcon />;
  return can === "YES" ? <Check /> : <X />;
}

/** `ALONE`: inside limits that a person signed. `ASKS`: needs approval each time. */
interface CanItem {
  can: "ALONE" | "YES" | "ASKS" | "NO";
  about: "TRANSFERS" | "MONEY" | "READING" | "SETTING_UP";
  text: string;
}

/**
 * One line each; first what it can do.
 * @param mandateCount in force and not used up
 */
export function canList(
  permissions: readonly Permission[],
  accounts: readonly KeyAccountView[],
  rules: readonly KeyRuleView[],
  mandateCount = 0,
): CanItem[] {
  const items = [
    ...byItselfItems(mandateCount),
    ...moneyItems(permissions, accounts, rules),
    ...readItems(permissions, rules),
    ...setUpItems(permissions, rules),
  ];
  const rank = { ALONE: 0, ASKS: 1, YES: 2, NO: 3 };
  return items.toSorted((left, right) => rank[left.can] - rank[right.can]);
}

/** Shorter, for use beside a drawing of the routes. */
export function briefCanList(
  permissions: readonly Permission[],
  accounts: readonly KeyAccountView[],
  rules: readonly KeyRuleView[],
): CanItem[] {
  return canList(permissions, accounts, rules).filter(
    ({ can, about }) => about !== "TRANSFERS" && (about !== "READING" || can !== "NO"),
  );
}

function moneyItems(
  permissions: readonly Permission[],
  accounts: readonly KeyAccountView[],
  rules: readonly KeyRuleView[],
): CanItem[] {
  const moves = findPermission(permissions, "MANUAL_TRANSFER");
  const runs = findPermission(permissions, "TRIGGER_RULES");
  const routes = moves ? count(moves.entries.length, "route") : "";
  const leavesByRule =
    runs !== null &&
    rules.some((rule) => rule.sendsOutside && (runs.rules === "ALL" || runs.rules.includes(rule.id)));
  const leaves = moves?.entries.some((route) => leavesSluice(route, accounts)) ?? false;
  return [
    { about: "TRANSFERS", ...gated(moves, `move money on ${routes}`, "Move money") },
    {
      about: "MONEY",
      ...gated(runs, `run ${runs ? ruleWords(runs.rules, rules, "all rules") : ""}`, "Run rules"),
    },
    {
      about: "MONEY",
      ...(leavesByRule && !leaves
        ? gated(runs, "run rules that send money outside Sluice", "")
        : gated(leaves ? moves : null, "send money outside Sluice", "Send money outside Sluice")),
    },
  ];
}

function byItselfItems(count: number): CanItem[] {
  if (count === 0) return [];
  const text = `Move money by itself under ${count === 1 ? "a mandate" : `${count} mandates`}`;
  return [{ can: "ALONE", about: "TRANSFERS", text }];
}

function gated(
  permission: { approval: { required: boolean } } | null,
  what: string,
  never: string,
): Pick<CanItem, "can" | "text"> {
  if (!permission) return { can: "NO", text: never };
  if (permission.approval.required) return { can: "ASKS", text: `Ask to ${what}` };
  return { can: "YES", text: `${what.charAt(0).toUpperCase()}${what.slice(1)} without approval` };
}

function readItems(permissions: readonly Permission[], rules: readonly KeyRuleView[]): CanItem[] {
  const read = findPermission(permissions, "READ_RULES");
  const balances = findPermission(permissions, "READ_ACCOUNTS");
  const transfers = findPermission(permissions, "READ_TRANSFERS");
  const yes = (permission: unknown, text: string): CanItem => ({
    can: permission ? "YES" : "NO",
    about: "READING",
    text,
  });
  const of = (list: "ALL" | readonly string[] | undefined) =>
    list === undefined || list === "ALL" ? "all accounts" : count(list.length, "account");
  return [
    yes(balances, balances ? `See the balances of ${of(balances.accounts)}` : "See balances"),
    yes(transfers, transfers ? `See transfers in ${of(transfers.accounts)}` : "See transfers"),
    yes(read, read ? `See ${ruleWords(read.rules, rules, "all rules")}` : "See rules"),
    yes(findPermission(permissions, "READ_AUDIT_LOGS"), "See the audit log"),
  ];
}

function setUpItems(permissions: readonly Permission[], rules: readonly KeyRuleView[]): CanItem[] {
  const accounts = findPermission(permissions, "CREATE_ACCOUNTS");
  const edits = findPermission(permissions, "CREATE_AND_EDIT_RULES");
  const changes =
    edits && edits.rules !== "ALL"
      ? `Change ${ruleWords(edits.rules, rules, "")}; it makes no new ones`
      : "Create and change rules";
  return [
    { can: accounts ? "YES" : "NO", about: "SETTING_UP", text: "Create accounts" },
    { can: edits ? "YES" : "NO", about: "SETTING_UP", text: changes },
    // Most organizations cannot offer it, so its absence says nothing.
    ...(findPermission(permissions, "CONTROL_SANDBOX")
      ? [{ can: "YES", about: "SETTING_UP", text: "Drive the sandbox, and decide as a test person" } as const]
      : []),
  ];
}
