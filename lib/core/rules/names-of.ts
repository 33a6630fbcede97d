import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { AccountNames } from "@/lib/contract/views/rule-parts";

/** The accounts of a run by the names that they had then. */
export function namesOf(facts: Pick<RuleFacts, "accounts">): AccountNames {
  return Object.fromEntries(
    Object.entries(facts.accounts).map(([id, { name, type, externalAccountType, isClosed }]) => [
      id,
      { name, kind: externalAccountType === "LIABILITY" ? "LIABILITY" : type, isClosed },
    ]),
  );
}
