import type { ActivationCheck } from "@/lib/contract/rules/activation-check";
import type { Rule, RuleActivation } from "@/lib/contract/rules/rule";
import { namesOf } from "@/lib/core/rules/names-of";
import { readActivation } from "@/lib/core/rules/read-activation";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { covers, permissionOf } from "@/lib/core/shared/permits";
import type { Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";
import { checkWords } from "@/lib/engine/words/activation-words";

/**
 * Whether a person could activate the version that a key has just written, as of now, and what stands in the way: the
 * checks of the activation itself. Rules and accounts are named to a key that may read them.
 */
export async function readActivationAnswer(
  database: Queryable,
  context: Context<CallerActor>,
  rule: Rule,
): Promise<RuleActivation> {
  const { id, version, activeVersion } = rule;
  const { accounts, checks } = await readActivation(database, context, {
    ruleId: id,
    version,
    activeVersion,
    definition: rule,
  });
  const names =
    permissionOf(context.actor, "READ_ACCOUNTS") === null ? namedById(rule) : namesOf({ accounts });
  const problems = checks
    .filter(({ outcome }) => outcome === "BLOCKS")
    .map((check) => {
      const { title, text } = checkWords(withReadableRules(check, context.actor, id), names);
      return { code: check.kind, message: [title, text].filter((part) => part !== null).join(". ") };
    });
  return { canActivate: problems.length === 0, problems };
}

function namedById(rule: Rule) {
  return Object.fromEntries(
    accountsOf(rule).map((id) => [
      id,
      { name: `account ${id}`, kind: "EXTERNAL_ACCOUNT" as const, isClosed: false },
    ]),
  );
}

/** The name of a rule may say what its owner does; a key that may not read it learns that it is there, and no more. */
function withReadableRules(check: ActivationCheck, actor: CallerActor, ownId: string): ActivationCheck {
  const readable = permissionOf(actor, "READ_RULES")?.rules ?? [];
  const named = <Named extends { id: string; name: string }>(rule: Named): Named =>
    rule.id === ownId || covers(readable, rule.id) ? rule : { ...rule, name: "another rule" };
  if (check.kind === "ONLY_ARRIVAL_RULE") return { ...check, rival: check.rival && named(check.rival) };
  if (check.kind === "NO_CYCLE") return { ...check, chain: check.chain.map(named) };
  return check;
}
