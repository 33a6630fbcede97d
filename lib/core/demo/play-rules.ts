import { type RuleDefinition, writtenRuleSchema } from "@/lib/contract/rules/rule";
import { checkDryRun } from "@/lib/core/approvals/checks-for-programs";
import { asKey, idempotentCall, withSignedIn } from "@/lib/core/demo/act-as";
import type { DemoRunAsked, HistoryStep } from "@/lib/core/demo/history-step";
import type { AccountName, MemberName } from "@/lib/core/demo/northwind";
import type { RuleName } from "@/lib/core/demo/northwind-rules";
import { activateRule } from "@/lib/core/rules/activate-rule";
import { readActivation, readVersionDefinition } from "@/lib/core/rules/activation";
import { fireSchedules } from "@/lib/core/rules/fire-schedules";
import { runDueRules } from "@/lib/core/rules/run-due-rules";
import { createRule, saveRuleAsMember, updateRule } from "@/lib/core/rules/save-rule";
import { triggerRule } from "@/lib/core/rules/trigger-rule";
import type { WriteRequest } from "@/lib/core/shared/write-once";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

const RULES_PATH = "/platform/v1/rules";
/** Runs trigger each other at most ten deep; then nothing is due. */
const MAXIMUM_ROUNDS = 12;
const BATCH = 16;

interface Owners {
  accountIds: Record<AccountName, string>;
  memberIds: Record<MemberName, string>;
}

interface WrittenRule {
  id: string;
  activeVersion: number | null;
}

type StepOf<Kind extends HistoryStep["kind"]> = Extract<HistoryStep, { kind: Kind }>;

/** Plays rule events at the time of `services.clock`. */
export class RulePlayer {
  readonly #rules = new Map<RuleName, WrittenRule>();

  constructor(
    private readonly services: Services,
    private readonly owners: Owners,
  ) {}

  /** @param keyText the author's key; undefined for a member */
  async write({ rule, author, define }: StepOf<"WRITE_RULE">, keyText: string | undefined): Promise<void> {
    const definition = define(this.owners.accountIds);
    const id =
      "member" in author
        ? await this.#saveAsMember(author.member, definition)
        : await this.#saveAsKey(this.#rules.get(rule)?.id ?? null, definition, author.reason, keyText);
    if (!this.#rules.has(rule)) this.#rules.set(rule, { id, activeVersion: null });
  }

  async #saveAsKey(
    ruleId: string | null,
    definition: RuleDefinition,
    reason: string,
    keyText: string | undefined,
  ): Promise<string> {
    const { services } = this;
    const context = await asKey(services, keyText, reason);
    if (ruleId !== null) {
      const request = writeRequest("PUT", `${RULES_PATH}/${ruleId}`, definition, reason);
      await updateRule(services, context, { ruleId, definition, expectedVersion: null }, request);
      return ruleId;
    }
    const request = writeRequest("POST", RULES_PATH, definition, reason);
    const result = await createRule(services, context, definition, request);
    if (result.kind !== "RECORDED") throw new Error("A demo rule was written twice");
    return writtenRuleSchema.parse(result.body.data).id;
  }

  async #saveAsMember(member: MemberName, definition: RuleDefinition): Promise<string> {
    const { services } = this;
    const { ruleId } = await withSignedIn(services, this.owners.memberIds[member], (context) =>
      saveRuleAsMember(services, context, {
        draftId: newId(context.now),
        ruleId: null,
        expectedVersion: null,
        definition,
        reason: null,
      }),
    );
    return ruleId;
  }

  /** Activated by a member who has just signed in and viewed it, which confirms it for a member without a passkey. */
  async activate({ rule, version, by }: StepOf<"ACTIVATE_RULE">): Promise<void> {
    const { services } = this;
    const known = this.#known(rule);
    const { id: ruleId, activeVersion } = known;
    const result = await withSignedIn(services, this.owners.memberIds[by], async (context) => {
      const { organizationId, now } = context;
      const definition = await readVersionDefinition(services.pool, organizationId, { ruleId, version });
      if (!definition) throw new Error(`The demo's ${rule} has no version ${version}`);
      const of = { ruleId, version, activeVersion, definition };
      const { digest } = await readActivation(services.pool, { organizationId, now }, of);
      const act = { act: "ACTIVATE" as const, ruleId, version, digest };
      return activateRule(services, context, { ...act, confirmation: { kind: "NONE" } });
    });
    if (result.kind !== "DONE")
      throw new Error(`The demo's ${rule} was not activated: ${JSON.stringify(result)}`);
    known.activeVersion = version;
  }

  /** Runs the schedule that is due. */
  async fire(): Promise<void> {
    await fireSchedules(this.services, 1);
  }

  async askRun(
    { rule, amountInCents, reason, idempotencyKey }: DemoRunAsked,
    keyText: string | undefined,
  ): Promise<void> {
    const { services } = this;
    const ruleId = this.#known(rule).id;
    const path = `${RULES_PATH}/${ruleId}/trigger`;
    const body = { executeAmount: amountInCents, reasonForApproval: reason };
    const result = await triggerRule(services, await asKey(services, keyText, null), {
      ruleId,
      body,
      sent: { method: "POST", path, idempotencyKey, calledReason: null, body },
      auditAction: "TRIGGER_RULE",
      check: checkDryRun,
      idempotency: idempotentCall({ operation: "triggerRule", path }, idempotencyKey, body),
    });
    if (result.kind !== "RECORDED") throw new Error("A demo run was requested twice");
  }

  /** Carries out what the last step triggered until nothing is due. */
  async runDue(): Promise<void> {
    if (this.#rules.size === 0) return;
    for (let round = 0; round < MAXIMUM_ROUNDS; round += 1) {
      if ((await runDueRules(this.services, BATCH)) === 0) return;
    }
    throw new Error("The demo's rules do not settle");
  }

  #known(rule: RuleName): WrittenRule {
    const known = this.#rules.get(rule);
    if (!known) throw new Error(`The demo's rule ${rule} is not written yet`);
    return known;
  }
}

function writeRequest(
  method: "POST" | "PUT",
  path: string,
  body: unknown,
  calledReason: string,
): WriteRequest {
  return {
    sent: { method, path, idempotencyKey: null, calledReason, body },
    auditAction: method === "POST" ? "CREATE_RULE" : "UPDATE_RULE",
    status: method === "POST" ? 201 : 200,
    idempotency: null,
  };
}
