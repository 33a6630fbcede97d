import { destinationsOf } from "@/lib/contract/rules/definition-parts";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { readPaidPayees } from "@/lib/core/payees/read-paid-payees";
import type { SignedChange } from "@/lib/core/policies/sign-change";
import { callerKind } from "@/lib/core/shared/subject-columns";
import type { Queryable } from "@/lib/db/transaction";

interface AuthorRow {
  kind: "API_KEY" | "ASSISTANT" | "MEMBER";
  id: string;
  keyCreatedById: string | null;
}

/**
 * A version of a rule as what a policy may ask several people for: once it is active it moves money without asking. A
 * signature binds to the version and to the one that it replaces.
 * @param now business time
 */
export async function readVersionChange(
  database: Queryable,
  { organizationId, now }: { organizationId: string; now: Date },
  of: { ruleId: string; version: number; activeVersion: number | null; definition: RuleDefinition },
): Promise<SignedChange> {
  const { ruleId, version, activeVersion, definition } = of;
  const { rows } = await database.query<AuthorRow>({
    name: "read_author_of_version",
    text: `
      select ${callerKind("v.created_by_kind", "v.created_by_id")} as kind, v.created_by_id as id,
          k.created_by as "keyCreatedById"
        from rule_versions v left join api_keys k on k.organization_id = $1 and k.id = v.created_by_id
       where v.organization_id = $1 and v.rule_id = $2 and v.version = $3`,
    values: [organizationId, ruleId, version],
  });
  const [author] = rows;
  if (!author) throw new Error("A version that was read has no author");
  const actions = definition.steps.flatMap((step) => step.actions);
  const destinationAccountIds = [...new Set(actions.flatMap(destinationsOf))];
  const paid = await readPaidPayees(database, organizationId, destinationAccountIds, ruleId, now);
  const novelties = paid.map(({ novelty }) => novelty);
  return {
    kind: "RULE",
    subjectId: ruleId,
    version,
    signed: ["RULE", ruleId, version, activeVersion],
    payee: novelties.includes("FIRST") ? "NEW" : novelties.includes("CHANGED") ? "CHANGED" : null,
    sourceAccountIds: [...new Set(actions.map(({ sourceAccountId }) => sourceAccountId))],
    destinationAccountIds,
    requester: {
      kind: author.kind,
      id: author.id,
      memberIds: [author.kind === "MEMBER" ? author.id : author.keyCreatedById].filter((id) => id !== null),
    },
  };
}
