/**
 * Assistants share a table with keys, so everything that shows a requester must check which it is. For each place: an
 * assistant's actions are never shown as a key's.
 */

import { expect, it } from "vitest";
import { rulesSearchSchema } from "@/lib/contract/search/search-schemas";
import { disconnectAssistant } from "@/lib/core/keys/disconnect-assistant";
import { askTransfer } from "@/lib/testing/api";
import { connectTestAssistant } from "@/lib/testing/assistants";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { askRun, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";
import { listVersions } from "@/lib/views/rules/list-versions";
import { readRulesPage } from "@/lib/views/rules/read-rules-page";
import { readRun } from "@/lib/views/rules/read-run";
import { readRuns } from "@/lib/views/rules/read-runs";

const database = useTestDatabase();

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const jonas = await organization.addMember("CO_OWNER", "Jonas Weil");
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 500_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const assistant = await connectTestAssistant(database, jonas);
  const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
  const ruleId = await writeRule(services, assistant.context, {
    name: "Set aside",
    trigger: { type: "MANUAL", accountId: operating },
    steps: [
      {
        actions: [
          {
            type: "FIXED",
            sourceAccountId: operating,
            destinationAccountId: taxes,
            amountInCents: 5_000,
            group: 0,
          },
        ],
      },
    ],
  });
  const approval = async (id: string) => {
    const view = await getApproval({ services, context: organization.owner, time }, id);
    if (!view) throw new Error("no such proposal");
    return view;
  };
  return { services, owner: organization.owner, jonas, operating, taxes, assistant, time, ruleId, approval };
}

const checkOf = ({ checks }: { checks: { kind: string; outcome: string }[] }, kind: string) =>
  checks.find((check) => check.kind === kind)?.outcome;

it("a rule version, in the list and on its page", async () => {
  const { services, owner, ruleId, time } = await arrange();
  const { waiting } = await readRulesPage({ services, context: owner, time }, rulesSearchSchema.parse({}));
  expect(waiting).toMatchObject([{ name: "Set aside", proposedBy: { kind: "ASSISTANT", name: "Claude" } }]);
  const { organizationId } = owner;
  const versions = await listVersions(services.pool, organizationId, { ruleId, shownVersion: 1 });
  expect(versions).toMatchObject([{ createdBy: { kind: "ASSISTANT", name: "Claude" }, state: "PROPOSED" }]);
});

it("a rule run, in the list, on its page and where it is decided", async () => {
  const { services, owner, assistant, ruleId, time, approval } = await arrange();
  await makeActive(database, ruleId);
  const executionId = await askRun(services, assistant.context, ruleId);
  const look = { status: null, mode: null, page: 1 };
  expect((await readRuns({ services, context: owner, time }, ruleId, look))?.rows).toMatchObject([
    { startedBy: "ASSISTANT", startedByName: "Claude" },
  ]);
  expect((await readRun({ services, context: owner, time }, { ruleId, executionId }))?.startedBy).toEqual({
    kind: "ASSISTANT",
    name: "Claude",
    memberName: "Jonas Weil",
    href: "/settings/assistants",
  });
  const view = await approval(executionId);
  expect(view.requester).toMatchObject({ kind: "ASSISTANT", name: "Claude", createdByName: "Jonas Weil" });
  expect(checkOf(view, "ASSISTANT_MAY_ASK")).toBe("CLEAR");
  expect(checkOf(view, "KEY_MAY_RUN")).toBeUndefined();
});

it("a transfer, whose approver learns that the member has lost their role since", async () => {
  const { services, jonas, operating, taxes, assistant, approval } = await arrange();
  const { id } = await askTransfer(services, assistant.context, {
    sourceAccountId: operating,
    destinationAccountId: taxes,
    amountInCents: 10_000,
  });
  const before = await approval(id);
  expect(before.requester).toMatchObject({ kind: "ASSISTANT", createdByName: "Jonas Weil" });
  expect(checkOf(before, "ASSISTANT_MAY_ASK")).toBe("CLEAR");
  expect(checkOf(before, "KEY_LIMIT")).toBeUndefined();
  await database.ownerPool.query("update memberships set role = 'VIEWER' where user_id = $1", [
    jonas.actor.id,
  ]);
  const lowered = await approval(id);
  expect(checkOf(lowered, "ASSISTANT_MAY_ASK")).toBe("LOOK");
  expect(lowered.digest).not.toBe(before.digest);
  await database.ownerPool.query("delete from memberships where user_id = $1", [jonas.actor.id]);
  expect((await approval(id)).checks).toContainEqual(
    expect.objectContaining({ kind: "ASSISTANT_MAY_ASK", outcome: "LOOK", memberRole: null }),
  );
});

it("a proposal denied because an assistant was disconnected", async () => {
  const { services, owner, operating, taxes, assistant, approval } = await arrange();
  const { id } = await askTransfer(services, assistant.context, {
    sourceAccountId: operating,
    destinationAccountId: taxes,
    amountInCents: 10_000,
  });
  await disconnectAssistant(services, owner, assistant.id);
  const view = await approval(id);
  expect(view).toMatchObject({ status: "REVOKED", requester: { kind: "ASSISTANT" } });
  expect(view.history).toContainEqual(expect.objectContaining({ kind: "REVOKED", byName: "Mara" }));
});
