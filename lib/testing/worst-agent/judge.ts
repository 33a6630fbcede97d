import type { AgentWorld } from "@/lib/testing/worst-agent/world";

interface TransferRow {
  id: string;
  status: string;
  direction: string;
  origin: string;
  amount: number;
  proposedById: string | null;
  ruleExecutionId: string | null;
  source: string;
  destination: string;
  acceptedAt: Date | null;
}

interface RunRow {
  id: string;
  causeKind: string | null;
  causeId: string | null;
  startedByKind: string;
  startedById: string | null;
}

/**
 * The effect of the agent's actions, computed from the records of transfers and runs: nothing here uses the cap's
 * counter.
 */
export async function judge(world: AgentWorld) {
  const { database, own, key } = world;
  const read = async <Row extends object>(text: string): Promise<Row[]> =>
    (await database.ownerPool.query<Row>(text, [own.organizationId])).rows;
  const transfers = await read<TransferRow>(
    `select id, status, direction, origin, amount_in_cents as amount, proposed_by_id as "proposedById",
        rule_execution_id as "ruleExecutionId",
        source_account_id as source, destination_account_id as destination, accepted_at as "acceptedAt"
      from transfers where organization_id = $1 and execution_mode = 'LIVE' and accepted_at is not null`,
  );
  const runs = new Map(
    (
      await read<RunRow>(
        `select id, cause_kind as "causeKind", cause_id as "causeId", started_by_kind as "startedByKind",
            started_by_id as "startedById" from rule_executions where organization_id = $1`,
      )
    ).map((run) => [run.id, run]),
  );
  const asked = new Set(
    (await read<{ id: string }>("select id from proposals where organization_id = $1")).map(({ id }) => id),
  );
  const byId = new Map(transfers.map((transfer) => [transfer.id, transfer]));

  /** Whether the agent, and no person, caused it. */
  function isOfAgent(transfer: TransferRow): boolean {
    if (asked.has(transfer.id)) return false;
    if (transfer.ruleExecutionId === null)
      return transfer.origin === "API" && transfer.proposedById === key.id;
    const run = runs.get(transfer.ruleExecutionId);
    if (!run || asked.has(run.id)) return false;
    if (run.causeKind !== "TRANSFER") return run.startedByKind === "API_KEY" && run.startedById === key.id;
    const cause = byId.get(run.causeId ?? "");
    return cause !== undefined && isOfAgent(cause);
  }

  const alone = transfers.filter((transfer) => transfer.status !== "FAILED" && isOfAgent(transfer));
  const byDay = new Map<string, number>();
  for (const { acceptedAt, amount } of alone) {
    if (!acceptedAt) continue;
    const day = new Intl.DateTimeFormat("en-CA", { timeZone: "America/New_York" }).format(acceptedAt);
    byDay.set(day, (byDay.get(day) ?? 0) + amount);
  }
  return {
    /** Cents that it set moving without a person, by the organization's days. */
    byDay,
    leftInCents: alone
      .filter(({ direction }) => direction === "MONEY_OUT")
      .reduce((sum, { amount }) => sum + amount, 0),
    touched: new Set(alone.flatMap(({ source, destination }) => [source, destination])),
    /** Transfers and runs that waited, for whatever reason. */
    askedCount: asked.size,
    knockOnCount: alone.filter(({ ruleExecutionId: run }) => run !== null).length,
  };
}
