import { z } from "zod";
import type { ProposalSubjectView } from "@/lib/contract/approvals/approval";
import type { AccountFacts } from "@/lib/contract/rules/facts";
import { type RulePlan, rulePlanSchema } from "@/lib/contract/rules/plan";
import { liveBaseSchema, planRuns, type RunToPlan } from "@/lib/core/approvals/plan-runs";
import { approvableMoves } from "@/lib/core/approvals/proposal-facts";
import { parsedDefinition } from "@/lib/core/rules/activation";
import { readAccountFacts } from "@/lib/core/rules/read-rule-facts";
import type { Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";

/** The subject of one proposal. */
export interface ProposalSubject {
  view: ProposalSubjectView;
  /** Past or, while it waits, forecast moves. */
  moves: { sourceAccountId: string; destinationAccountId: string; amountInCents: number }[];
  /** Every account that it names. */
  accountIds: string[];
  /** The same for proposals on one route: from one account to another, or by one rule. */
  routeKey: string;
  /** Rules that ran before its moves in their chain, with the one that makes them. */
  chainDepth: number;
}

/**
 * The subjects of proposals by id, for lists: parties and amount of a transfer; of a run what it would do now, or what was
 * approved. A few queries for all of them together.
 * @param where `now` is business time
 */
export async function readProposalSubjects(
  database: Queryable,
  where: { organizationId: string; now: Date },
  proposalIds: readonly string[],
): Promise<Map<string, ProposalSubject>> {
  if (proposalIds.length === 0) return new Map();
  const { rows } = await database.query({
    name: "read_proposal_subjects",
    text: `
      select t.id, 'TRANSFER' as kind, t.amount_in_cents as "amountInCents", t.source_account_id as "sourceAccountId",
          t.destination_account_id as "destinationAccountId",
          s.name as "sourceName", d.name as "destinationName",
          null as "ruleId", null as "ruleName", null as definition, null as base, null as plan, false as "isWaiting",
          null as "timeZone", 0 as "chainDepth"
        from unnest($2::uuid[]) as asked (id)
        -- One by one: for many, a join would read all transfers of the organization.
        cross join lateral (select * from transfers where organization_id = $1 and id = asked.id offset 0) t
        left join accounts s on s.organization_id = t.organization_id and s.id = t.source_account_id
        left join accounts d on d.organization_id = t.organization_id and d.id = t.destination_account_id
      union all
      select e.id, 'RULE_RUN', null, null, null, null, null, r.id, r.name, v.definition::text, e.base, e.plan,
          e.status = 'APPROVAL_PENDING', o.time_zone, e.chain_depth + 1
        from unnest($2::uuid[]) as asked (id)
        cross join lateral (select * from rule_executions where organization_id = $1 and id = asked.id offset 0) e
        join organizations o on o.id = e.organization_id
        join rules r on r.organization_id = e.organization_id and r.id = e.rule_id
        join rule_versions v
          on v.organization_id = e.organization_id and v.rule_id = e.rule_id and v.version = e.rule_version`,
    values: [where.organizationId, proposalIds],
  });
  const parsed = rows.map((row) => rowSchema.parse(row));
  const runs = parsed.filter((row) => row.kind === "RULE_RUN");
  const subjects = new Map(
    parsed.filter((row) => row.kind === "TRANSFER").map((row) => [row.id, toTransferSubject(row)]),
  );
  for (const [id, subject] of await readRunSubjects(database, where, runs)) subjects.set(id, subject);
  return subjects;
}

const rowSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("TRANSFER"),
    id: z.string(),
    amountInCents: z.number(),
    sourceAccountId: z.string().nullable(),
    destinationAccountId: z.string().nullable(),
    sourceName: z.string().nullable(),
    destinationName: z.string().nullable(),
  }),
  z.object({
    kind: z.literal("RULE_RUN"),
    id: z.string(),
    ruleId: z.string(),
    ruleName: z.string(),
    definition: z.string(),
    base: z.unknown(),
    plan: z.unknown(),
    isWaiting: z.boolean(),
    timeZone: z.string(),
    chainDepth: z.number(),
  }),
]);
type TransferRow = Extract<z.infer<typeof rowSchema>, { kind: "TRANSFER" }>;
type RunRow = Extract<z.infer<typeof rowSchema>, { kind: "RULE_RUN" }>;

function toTransferSubject(row: TransferRow): ProposalSubject {
  const { sourceAccountId: from, destinationAccountId: to, amountInCents } = row;
  return {
    view: {
      kind: "TRANSFER",
      sourceName: row.sourceName ?? "",
      destinationName: row.destinationName ?? "",
      amountInCents,
    },
    moves: from && to ? [{ sourceAccountId: from, destinationAccountId: to, amountInCents }] : [],
    accountIds: [from, to].filter((id) => id !== null),
    routeKey: `${from ?? ""} ${to ?? ""}`,
    chainDepth: 0,
  };
}

async function readRunSubjects(
  database: Queryable,
  where: { organizationId: string; now: Date },
  rows: readonly RunRow[],
): Promise<[string, ProposalSubject][]> {
  const timeZone = rows[0]?.timeZone;
  if (timeZone === undefined) return [];
  const read = rows.map((row) => ({ row, definition: parsedDefinition(row.definition) }));
  const waiting = read.flatMap(({ row, definition }): RunToPlan[] =>
    row.isWaiting && definition
      ? [{ id: row.id, ruleId: row.ruleId, definition, base: liveBaseSchema.parse(row.base) }]
      : [],
  );
  const planned = await planRuns(database, { ...where, timeZone }, waiting);
  const named = [...new Set(read.flatMap(({ definition }) => (definition ? accountsOf(definition) : [])))];
  const accounts = named.length > 0 ? await readAccountFacts(database, where, named) : {};
  return read.map(({ row, definition }) => {
    const evaluation = planned.get(row.id)?.evaluation;
    const stored = rulePlanSchema.safeParse(row.plan).data;
    const plan = evaluation?.kind === "PLANNED" ? evaluation.plan : stored;
    const accountIds = definition ? accountsOf(definition) : [];
    const triggerName = accounts[definition?.trigger.accountId ?? ""]?.name ?? "";
    return [row.id, toRunSubject(row, triggerName, plan ?? null, accountIds, accounts)];
  });
}

function toRunSubject(
  { ruleName, ruleId, chainDepth }: Pick<RunRow, "ruleName" | "ruleId" | "chainDepth">,
  triggerName: string,
  plan: RulePlan | null,
  accountIds: string[],
  accounts: Record<string, AccountFacts>,
): ProposalSubject {
  const approvable = approvableMoves(plan);
  const moves = approvable ?? [];
  const sources = new Set(moves.map((move) => move.sourceAccountId));
  const [onlySource] = sources.size === 1 ? sources : [];
  const destinations = [...new Set(moves.map((move) => move.destinationAccountId))];
  return {
    view: {
      kind: "RULE_RUN",
      ruleName,
      sourceName: accounts[onlySource ?? ""]?.name ?? triggerName,
      destinations: {
        count: destinations.length,
        firstName: accounts[destinations[0] ?? ""]?.name ?? null,
        arePods: destinations.every((id) => accounts[id]?.type === "POD"),
      },
      amountInCents: approvable?.reduce((sum, move) => sum + move.amountInCents, 0) ?? null,
    },
    moves,
    accountIds,
    routeKey: ruleId,
    chainDepth,
  };
}
