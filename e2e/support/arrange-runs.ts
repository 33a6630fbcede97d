import type pg from "pg";
import { joinDatabase } from "@/e2e/support/join-database";
import { accountId, demo } from "@/e2e/support/journey";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { newId } from "@/lib/platform/ids";
import { storeRule, storeRun } from "@/lib/testing/rules/rule-runs";

/** A rule of the demo with runs that the product itself has carried out. */
export interface ArrangedRuns {
  ruleId: string;
  /** Started by an arrival. */
  runId: string;
  /** From a version of Sluice that stored neither facts nor plan. */
  oldRunId: string;
  /** Returns the money that the run has split: the bank's return pauses the rule. */
  sendBack: () => Promise<void>;
  close: () => Promise<void>;
}

/** Written as stored rows: activation by a person and arrivals are covered by other journeys. */
export async function arrangeRuns(name: string): Promise<ArrangedRuns> {
  const { ownerPool, close } = await joinDatabase();
  const { organizationId, now, actor } = await readOwner(ownerPool);
  const from = await addPod(ownerPool, organizationId, now, `${name} income`);
  const rule = await storeRule({ ownerPool }, { organizationId, now, actor }, { name, ...splitOf(from) });
  const transferId = newId(now);
  await ownerPool.query(
    "select record_deposit($1, $2, $3, $4, $5, 520000, 'DIRECT_DEPOSIT', 'Orbit Maps', $6)",
    [organizationId, transferId, newId(now), `${name} ${transferId}`, from, now],
  );
  const oldRunId = await storeRun(
    { ownerPool },
    { organizationId, now, actor },
    { ruleId: rule.id, status: "FAILED" },
  );
  const { rows } = await ownerPool.query<{ id: string }>(
    "select id from rule_executions where organization_id = $1 and cause_id = $2",
    [organizationId, transferId],
  );
  return {
    ruleId: rule.id,
    runId: rows[0]?.id ?? "",
    oldRunId,
    sendBack: async () => {
      await ownerPool.query("select apply_bank_notice($1, $2, $3, 'RETURNED', 'R01', $4, $5, $4)", [
        organizationId,
        `back ${transferId}`,
        transferId,
        now,
        newId(now),
      ]);
    },
    close,
  };
}

/** To pods whose arrivals start no rule of the demo: passing their money on would change the shown run. */
function splitOf(from: string): Pick<RuleDefinition, "trigger"> & { steps: object[] } {
  const share = { type: "PERCENTAGE", of: "INCOMING_AMOUNT", sourceAccountId: from, group: 0 };
  return {
    trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: from, minimumAmountInCents: null },
    steps: [
      {
        conditions: { all: [{ fact: "INCOMING_AMOUNT", operator: "GREATER_THAN_OR_EQUAL", value: 100_000 }] },
        actions: [
          { ...share, destinationAccountId: accountId("Profit"), percentage: 25 },
          { ...share, destinationAccountId: accountId("Payroll"), percentage: 30 },
        ],
      },
      { actions: [{ ...share, destinationAccountId: accountId("Profit"), percentage: 10 }] },
    ],
  };
}

async function readOwner(ownerPool: pg.Pool) {
  const email = demo().members.find(({ role }) => role === "OWNER")?.email;
  const { rows } = await ownerPool.query<{ organizationId: string; id: string; name: string; now: Date }>(
    `select m.organization_id as "organizationId", u.id, u.name,
        now() + o.clock_offset_ms * interval '1 millisecond' as now
       from users u join memberships m on m.user_id = u.id join organizations o on o.id = m.organization_id
       join accounts a on a.organization_id = o.id and a.id = $2
      where u.email = $1`,
    [email, accountId("Taxes")],
  );
  const row = rows[0];
  if (!row) throw new Error("The demo has no owner");
  const { id, name, now } = row;
  const actor = {
    kind: "MEMBER" as const,
    id,
    name,
    email: email ?? "",
    role: "OWNER" as const,
    sessionId: id,
    authenticatedAt: now,
  };
  return { organizationId: row.organizationId, now, actor };
}

async function addPod(ownerPool: pg.Pool, organizationId: string, now: Date, name: string): Promise<string> {
  const id = newId(now);
  await ownerPool.query(
    `insert into accounts (organization_id, id, type, name, beneficiary_id, created_at, updated_at)
       select $1, $2, 'POD', $3, beneficiary_id, $4, $4 from accounts where organization_id = $1 and id = $5`,
    [organizationId, id, name, now, accountId("Taxes")],
  );
  await ownerPool.query("insert into ledgers (organization_id, id, kind) values ($1, $2, 'MANAGED')", [
    organizationId,
    id,
  ]);
  return id;
}
