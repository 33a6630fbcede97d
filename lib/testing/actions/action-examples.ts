import { Secret, TOTP } from "otpauth";
import { removePasskeyAct, type StepUpAct } from "@/lib/contract/confirmation/step-up";
import type { MemberRole } from "@/lib/contract/members";
import type { MoveDraft } from "@/lib/contract/move";
import { PAYEE_CSV_COLUMNS } from "@/lib/contract/payee";
import { DEFAULT_POLICY } from "@/lib/contract/policies/policy";
import { proposeBatch } from "@/lib/core/approvals/batches/propose-batch";
import { addDraftDocument } from "@/lib/core/approvals/documents/add-document";
import { readDraftDocuments } from "@/lib/core/approvals/documents/document-facts";
import { readProcess } from "@/lib/core/fraud-monitoring/read-process";
import { closeGates } from "@/lib/core/keys/switch-gates";
import { createBeneficiary } from "@/lib/core/ledger/beneficiaries";
import { readMandateSigning } from "@/lib/core/mandates/sign-mandate";
import { writeMandate } from "@/lib/core/mandates/write-mandate";
import { inviteMember } from "@/lib/core/organizations/invite-member";
import { saveFilter } from "@/lib/core/organizations/saved-filters";
import { sendPayeeLink } from "@/lib/core/payees/payee-link";
import { signedChangeOf, writeAskedChange } from "@/lib/core/policies/asked-changes";
import { readPolicyDraft, readPolicySigning } from "@/lib/core/policies/read-signing";
import { discardPolicyDraft, savePolicyDraft } from "@/lib/core/policies/save-policy-draft";
import { readChangeSigning } from "@/lib/core/policies/sign-change";
import { signPolicy } from "@/lib/core/policies/sign-policy";
import { saveDraft } from "@/lib/core/rules/save-draft";
import { makeDeposit } from "@/lib/core/sandbox/play-bank";
import { listPendingOutside, moveOutside } from "@/lib/core/sandbox/play-outside";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { beginAuthenticator, confirmAuthenticator } from "@/lib/core/sign-in/manage-second-factors";
import { beginEnrollment } from "@/lib/core/sign-in/passkeys";
import { hashPassword } from "@/lib/core/sign-in/password";
import { phoneCodeSecret } from "@/lib/core/sign-in/phone-code";
import { registerDevice } from "@/lib/core/sign-in/push-devices";
import { requestPasswordReset } from "@/lib/core/sign-in/reset-password";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { newId } from "@/lib/platform/ids";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import type { ActionScene } from "@/lib/testing/actions/action-scene";
import { addPayee } from "@/lib/testing/as-entered";
import { connectTestAssistant } from "@/lib/testing/assistants";
import { samplePdf } from "@/lib/testing/documents";
import { termsBetween } from "@/lib/testing/mandates/signed-mandate";
import { confirmAct, enrollPasskey } from "@/lib/testing/members";
import { createTestDevice, createTestPush } from "@/lib/testing/push/push-service";
import { inspectVersion } from "@/lib/testing/rules/rules";
import { SoftwareAuthenticator } from "@/lib/testing/software-authenticator";
import { previewMove } from "@/lib/views/transfers/read-move-page";

/** A server action, and a call that would change something. Who may use it and its input, it declares itself. */
export interface ActionExample {
  /** The module with `"use server"`, such as `app/cards/actions.ts`. */
  file: string;
  name: string;
  /** Where the command allows fewer what is arranged here than the action declares. */
  may?: "DECIDERS" | "MEMBERS";
  /**
   * The effect of an owner's call: `CHANGES` the organization's rows, or `ANSWERS` without changing them, since it only
   * reads, changes only the caller's own session, or needs a browser's part (`because`).
   */
  does: "CHANGES" | "ANSWERS";
  /** The table that each allowed caller's call changes; for tables of people, by a row of the caller's own. */
  table?: string;
  because?: string;
  /** The arguments; created for each allowed caller. */
  call: MakeArguments;
  /** For actions open to the holder of a secret: the arguments of someone without it. */
  without?: MakeArguments;
}

type MakeArguments = (
  scene: ActionScene,
  caller: Context<MemberActor>,
) => Promise<readonly unknown[]> | readonly unknown[];

/** What a form sends, after its previous state. */
function form(fields: Record<string, string>): [null, FormData] {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return [null, data];
}

/** For actions that get the form alone. */
const sent = (fields: Record<string, string>) => form(fields).slice(1);
const NONE = { kind: "NONE" } as const;
const ADD_KEY = "CREATE_KEY:NONE:mara-cli";
const nowhere = (scene: ActionScene) => newId(scene.clock.now());

/** A file with one payment. */
const batchFile = ({ operating, taxes }: ActionScene) => `from,to,amount\n${operating},${taxes},10.00\n`;

/** What denies a new batch. */
async function batchDenial(scene: ActionScene) {
  const owner = { ...scene.members.OWNER, now: scene.clock.now() };
  const batchId = nowhere(scene);
  await proposeBatch(scene.services, owner, {
    formId: batchId,
    reason: null,
    lines: [
      {
        sourceAccountId: scene.operating,
        destinationAccountId: scene.taxes,
        amountInCents: 1_000,
        description: null,
      },
    ],
  });
  return { batchId, decision: "DENY", lines: [], struckIds: [], money: "", reason: null };
}

const PAYEE_ACCOUNT = {
  holderName: "Harbor Print Shop LLC",
  accountKind: "CHECKING",
  routingNumber: "101050001",
  accountNumber: "987654321",
} as const;

/** A line of the bank that is missing here, or dated differently than its entry. */
async function openDifference(
  scene: ActionScene,
  amountInCents: number,
  kind: "MISSING_HERE" | "DIFFERENT_DATE" = "MISSING_HERE",
): Promise<string> {
  const { ownerPool } = scene.database;
  const { organizationId } = scene;
  const now = scene.clock.now();
  const id = newId(now);
  await ownerPool.query(
    `insert into bank_lines (organization_id, line_reference, booked_at, day, amount_in_cents, kind, description, read_at)
     values ($1, $2, $3::timestamptz, $3::timestamptz::date, $4, 'OTHER', 'Correction', $3::timestamptz)`,
    [organizationId, `line ${id}`, now, amountInCents],
  );
  if (kind === "DIFFERENT_DATE") await scene.northwind.deposit(scene.operating, amountInCents);
  await ownerPool.query(
    `insert into bank_differences (organization_id, id, kind, line_reference, entry_id, bank_in_cents, books_in_cents,
        day, differs_from, found_at, state, opened_at)
     select $1, $2, $3::text, $4, e.id, $5, coalesce(e.amount_in_cents, 0), $6::timestamptz::date, $6::timestamptz::date,
         $6::timestamptz, 'OPEN', $6::timestamptz
       from (select 1) one
       left join lateral (
         select id, amount_in_cents from entries
          where $3::text = 'DIFFERENT_DATE' and organization_id = $1 and credit_ledger_id = $7 order by id desc limit 1) e on true`,
    [organizationId, id, kind, `line ${id}`, amountInCents, now, scene.operating],
  );
  return id;
}

/** One of several decisions. */
async function denialOf(scene: ActionScene) {
  const proposalId = await scene.propose();
  return { proposalId, decision: "DENY" as const, digest: "", reason: null, note: null };
}

/** The organization's one draft of who must approve, started over. */
async function policyDraft(scene: ActionScene) {
  const { services, organizationId } = scene;
  const owner = { ...scene.northwind.owner, now: scene.clock.now() };
  const before = await readPolicyDraft(services.pool, organizationId);
  if (before) await discardPolicyDraft(services, owner, before.version);
  const policy = { ...DEFAULT_POLICY, otherwise: { ...DEFAULT_POLICY.otherwise, expiresAfterHours: 48 } };
  const saved = await savePolicyDraft(services, owner, { version: null, revision: null, policy });
  const reading = { organizationId, memberId: owner.actor.id, today: "2026-11-20" };
  const signing = await readPolicySigning(services.pool, reading);
  return { ...saved, hash: signing?.hash ?? "" };
}

/** What a key of its own may move by itself, once someone signs it. */
async function waitingMandate(scene: ActionScene) {
  const { services, organizationId, operating, taxes } = scene;
  const now = scene.clock.now();
  const apiKeyId = await scene.makeKey();
  const terms = termsBetween([operating], [taxes]);
  const { id } = await writeMandate(services, { ...scene.northwind.owner, now }, { apiKeyId, terms });
  const signing = await readMandateSigning(services.pool, { organizationId, now }, id);
  return { id, apiKeyId, terms, revision: 1, hash: signing?.hash ?? "" };
}

/** A floor that waits to be lowered, as if a policy had asked for others. */
async function waitingChange(scene: ActionScene) {
  const { services, organizationId, northwind } = scene;
  const [id, accountId, now] = [nowhere(scene), await scene.emptyPod(), scene.clock.now()];
  await services.pool.query(
    "update accounts set floor_in_cents = 500 where organization_id = $1 and id = $2",
    [organizationId, accountId],
  );
  const wanted = { what: "ACCOUNT_FLOOR", accountId, before: 500, after: null } as const;
  const asked = { id, wanted, subject: "Pod", askedById: northwind.owner.actor.id };
  await writeAskedChange(services.pool, { ...northwind.owner, now }, asked, 24);
  const change = await signedChangeOf(services.pool, organizationId, asked);
  const signing = await readChangeSigning(services.pool, { organizationId, now }, change);
  return { id, hash: signing?.hash ?? "" };
}

/** A payee whose account waits for a member. */
export async function waitingPayee(scene: ActionScene): Promise<{ payeeId: string; detailsId: string }> {
  const owner = { ...scene.northwind.owner, now: scene.clock.now() };
  const bank = createSandboxBank(scene.database.pool);
  const input = { name: scene.name("Payee"), kind: "BUSINESS", account: PAYEE_ACCOUNT } as const;
  const payeeId = await addPayee(scene.services, bank, owner, input);
  const { rows } = await scene.database.ownerPool.query<{ id: string }>(
    "select id from payee_details where organization_id = $1 and payee_id = $2",
    [scene.organizationId, payeeId],
  );
  return { payeeId, detailsId: rows[0]?.id ?? "" };
}

/** The secret of a link, as its email has it. */
async function payeeToken(scene: ActionScene): Promise<string> {
  const { payeeId } = await waitingPayee(scene);
  const owner = { ...scene.northwind.owner, now: scene.clock.now() };
  const email = `${scene.name("payee").replace(" ", "")}@example.com`;
  await sendPayeeLink(scene.services, owner, { payeeId, email }, { isSandboxBank: true });
  const { rows } = await scene.database.ownerPool.query<{ bodyText: string }>(
    `select body_text as "bodyText" from messages where organization_id = $1 and recipient = $2`,
    [scene.organizationId, email],
  );
  return /\/payee\/([A-Za-z0-9_-]{43})/.exec(rows[0]?.bodyText ?? "")?.[1] ?? "";
}

export async function waitingInvitation(scene: ActionScene): Promise<string> {
  const email = `${scene.name("guest").replace(" ", "")}@example.com`;
  const owner = { ...scene.northwind.owner, now: scene.clock.now() };
  await inviteMember(scene.services, owner, { email, role: "VIEWER" }, { isSandboxBank: true });
  const { rows } = await scene.database.ownerPool.query<{ id: string }>(
    "select id from invitations where organization_id = $1 and email = $2",
    [scene.organizationId, email],
  );
  return rows[0]?.id ?? "";
}

/** An event delivered to a new endpoint. */
async function delivered(scene: ActionScene): Promise<{ endpointId: string; eventId: string }> {
  const endpointId = await scene.makeEndpoint();
  await scene.propose();
  const { rows } = await scene.database.ownerPool.query<{ eventId: string }>(
    `select event_id as "eventId" from webhook_deliveries where organization_id = $1 and endpoint_id = $2 limit 1`,
    [scene.organizationId, endpointId],
  );
  return { endpointId, eventId: rows[0]?.eventId ?? nowhere(scene) };
}

const work = (name: string) => ({
  draft: {
    name,
    description: "",
    trigger: {
      type: "MANUAL" as const,
      accountId: null,
      minimumAmountInCents: null,
      schedule: {
        frequency: "DAILY" as const,
        startAt: null,
        dayOfWeek: 1,
        daysOfMonth: [],
        time: "09:00",
        cron: "",
        timeZone: "America/New_York",
        onNonBankingDay: "SAME_DAY" as const,
      },
    },
    steps: [{ key: 1, conditions: null, actions: [] }],
    limits: [],
    reason: "",
  },
  jsonText: null,
});

export async function outside(scene: ActionScene) {
  const { connectionId, accountIds } = await scene.connect();
  return { connectionId, accountId: accountIds[0] ?? "" };
}

export async function makeBeneficiary(scene: ActionScene): Promise<string> {
  return createBeneficiary(scene.services, scene.members.OWNER, {
    name: scene.name("Beneficiary"),
    beneficiaryType: "BUSINESS",
  });
}

export async function makeDevice(scene: ActionScene, { actor }: Context<MemberActor>): Promise<string> {
  const { subscription } = createTestDevice("http://127.0.0.1:9");
  const browser = { userAgent: "Vitest", browserIds: [] };
  const { deviceId } = await registerDevice(
    scene.services,
    createTestPush(),
    actor,
    { subscription },
    browser,
  );
  return deviceId;
}

export async function makeFilter(scene: ActionScene, caller: Context<MemberActor>): Promise<string> {
  const filter = { list: "CARDS" as const, name: scene.name("Kept"), query: "kind=refund" };
  await scene.database.ownerPool.query("delete from saved_filters");
  return (await saveFilter(scene.services, caller, filter)).filterId;
}

/** The business clock moves forward only. */
let days = 0;

const OWN_BROWSER = "it concerns only the caller's own browser or person, not the organization's rows";
const READS = "it only reads";
const NO_ACCOUNT_YET = "it concerns a person without an account, and this server's sign-up is closed";

/** As if the organization had just signed up, or had just been approved. */
async function setIdentity(scene: ActionScene, status: "NEEDED" | "APPROVED"): Promise<void> {
  await scene.database.ownerPool.query(
    `insert into identity_checks (organization_id, status, application_id) values ($1, $2, $3)
     on conflict (organization_id) do update set status = $2, application_id = $3, subjects = '[]', due_at = null,
       onboarded_at = null`,
    [scene.organizationId, status, status === "NEEDED" ? null : nowhere(scene)],
  );
}

/**
 * The server actions whose subject has to be arranged, or that change nothing. The call of any other follows from its
 * input (derive-example.ts).
 */
export const ACTION_EXAMPLES: readonly ActionExample[] = [
  ...inFile("app/browser-actions.ts", [
    { name: "setTheme", does: "ANSWERS", because: OWN_BROWSER, call: () => ["DARK"] },
  ]),
  ...inFile("app/browser-actions.ts", [
    { name: "setSingleKeys", does: "ANSWERS", because: OWN_BROWSER, call: () => [false] },
  ]),
  ...inFile("app/auth/session-actions.ts", [
    { name: "signOut", does: "CHANGES", table: "sessions", call: () => [] },
  ]),
  ...inFile("app/sign-in/actions.ts", [
    {
      name: "signInWithPassword",
      does: "CHANGES",
      table: "sessions",
      call: async (scene, { actor }) => {
        await setPasswordOf(scene, actor);
        return [{ next: "/", email: actor.email, password: PASSWORD }];
      },
      without: (_scene, { actor }) => [{ next: "/", email: actor.email, password: "not it, certainly" }],
    },
    {
      name: "signInByForm",
      does: "CHANGES",
      table: "sessions",
      call: async (scene, { actor }) => {
        await setPasswordOf(scene, actor);
        return form({ next: "/", email: actor.email, password: PASSWORD });
      },
      without: (_scene, { actor }) => form({ next: "/", email: actor.email, password: "not it, certainly" }),
    },
    { name: "beginPasskeySignIn", does: "ANSWERS", because: OWN_BROWSER, call: () => [] },
    {
      name: "signInWithPasskey",
      does: "ANSWERS",
      because: OWN_BROWSER,
      call: () => [
        {
          next: "/",
          response: {
            id: "x",
            rawId: "x",
            type: "public-key",
            clientExtensionResults: {},
            response: { clientDataJSON: "x", authenticatorData: "x", signature: "x" },
          },
        },
      ],
    },
    {
      name: "signInWithRecoveryCode",
      does: "ANSWERS",
      because: OWN_BROWSER,
      call: () => [{ next: "/", email: "nobody@example.com", password: "not it, certainly", code: "xxxx" }],
    },
  ]),
  ...inFile("app/invitations/[token]/actions.ts", [
    {
      name: "acceptAsNew",
      does: "ANSWERS",
      because: "the link decides, and this one is invalid",
      call: () => form({ token: "x".repeat(43), name: "Eve", password: "tide and lock gate" }),
    },
    {
      name: "acceptWithPassword",
      does: "ANSWERS",
      because: "the link decides, and this one is invalid",
      call: () => form({ token: "x".repeat(43), password: "tide and lock gate" }),
    },
    {
      name: "acceptAsMember",
      may: "MEMBERS",
      does: "ANSWERS",
      because: "the link decides, and this one is invalid",
      call: () => form({ token: "x".repeat(43) }),
    },
    {
      name: "signOutToAccept",
      does: "ANSWERS",
      because: OWN_BROWSER,
      call: () => sent({ token: "x".repeat(43) }),
    },
  ]),
  ...inFile("app/connect/[uid]/actions.ts", [
    {
      name: "allowConnection",
      does: "ANSWERS",
      because: "the request begins in the caller's own browser, at the authorization server",
      call: () => [{ uid: "x".repeat(43) }],
    },
    {
      name: "refuseConnection",
      does: "ANSWERS",
      because: "the request begins in the caller's own browser, at the authorization server",
      call: () => [{ uid: "x".repeat(43) }],
    },
  ]),
  ...inFile("app/approvals/actions.ts", [
    {
      name: "beginConfirmation",
      does: "ANSWERS",
      because: "it decides nothing",
      call: async (scene) => [{ proposalId: await scene.propose(), decision: "DENY", digest: "" }],
    },
    {
      name: "decide",
      does: "CHANGES",
      call: async (scene) => [
        {
          proposalId: await scene.propose(),
          decision: "DENY",
          digest: "",
          note: null,
          confirmation: NONE,
        },
      ],
    },
    {
      name: "beginDecidingTogether",
      does: "ANSWERS",
      because: "it decides nothing",
      call: async (scene) => [{ decisions: [await denialOf(scene)] }],
    },
    {
      name: "decideAll",
      does: "CHANGES",
      call: async (scene) => [{ decisions: [await denialOf(scene)], confirmation: NONE }],
    },
    {
      name: "withdrawMySignature",
      does: "CHANGES",
      call: async (scene, { actor }) => [{ proposalId: await signedBy(scene, actor.id) }],
    },
    {
      name: "beginBatchDecision",
      does: "ANSWERS",
      because: "it decides nothing",
      call: async (scene) => [await batchDenial(scene)],
    },
    {
      name: "decideBatch",
      does: "CHANGES",
      call: async (scene) => [{ ...(await batchDenial(scene)), note: null, confirmation: NONE }],
    },
  ]),
  ...inFile("app/transfers/batch/actions.ts", [
    {
      name: "previewBatch",
      does: "ANSWERS",
      because: "it shows what the same file would propose, and stores nothing",
      call: (scene) => [{ text: batchFile(scene) }],
    },
    {
      name: "proposeBatch",
      does: "CHANGES",
      call: (scene) => [{ text: batchFile(scene), formId: nowhere(scene), reason: null }],
    },
  ]),
  ...inFile("app/transfers/actions.ts", [
    {
      name: "preview",
      does: "ANSWERS",
      because: "it only computes what a move would do",
      call: async (scene) => [(await moveSubject(scene)).draft],
    },
    {
      name: "begin",
      does: "ANSWERS",
      because: "it moves nothing yet",
      call: async (scene) => [(await moveSubject(scene)).subject],
    },
    {
      name: "move",
      does: "CHANGES",
      call: async (scene) => [{ ...(await moveSubject(scene)).subject, confirmation: NONE }],
    },
    {
      name: "removeDocument",
      does: "CHANGES",
      call: async (scene, caller) => [await draftDocument(scene, caller)],
    },
  ]),
  ...inFile("app/transfers/actions.ts", [
    {
      name: "moveBack",
      does: "CHANGES",
      call: async (scene) => {
        const transferId = await scene.move();
        await bookDueTransfers(scene.services, 64);
        return sent({ transferId, reason: "It was too much." });
      },
    },
  ]),
  ...inFile("app/payee/[token]/actions.ts", [
    {
      name: "enterAccount",
      does: "CHANGES",
      table: "payee_details",
      call: async (scene) => form({ token: await payeeToken(scene), ...PAYEE_ACCOUNT }),
      without: () => form({ token: "x".repeat(43), ...PAYEE_ACCOUNT }),
    },
  ]),
  ...inFile("app/payees/actions.ts", [
    {
      name: "addPayee",
      does: "CHANGES",
      call: (scene) => [{ name: scene.name("Payee"), kind: "BUSINESS", account: PAYEE_ACCOUNT }],
    },
    {
      name: "previewPayees",
      does: "ANSWERS",
      because: "it shows what an import of the same file would add, and stores nothing",
      call: (scene) => [{ text: `${PAYEE_CSV_COLUMNS.join(",")}\n${scene.name("Payee")},BUSINESS,,,,,` }],
    },
    {
      name: "importPayees",
      does: "CHANGES",
      call: (scene) => [{ text: `${PAYEE_CSV_COLUMNS.join(",")}\n${scene.name("Payee")},BUSINESS,,,,,` }],
    },
    {
      name: "changePayee",
      does: "CHANGES",
      call: async (scene) => {
        const { payeeId } = await waitingPayee(scene);
        return [{ payeeId, name: scene.name("Payee"), kind: "BUSINESS", account: PAYEE_ACCOUNT }];
      },
    },
    {
      name: "confirmPayee",
      does: "CHANGES",
      call: async (scene) => [{ ...(await waitingPayee(scene)), callBackNote: "Ana, on the number we know" }],
    },
    {
      name: "declinePayee",
      does: "CHANGES",
      call: async (scene) => [await waitingPayee(scene)],
    },
    {
      name: "sendPayeeLink",
      does: "CHANGES",
      call: async (scene) => [{ payeeId: (await waitingPayee(scene)).payeeId, email: "ana@example.com" }],
    },
    {
      name: "setPayeeCoolOff",
      does: "CHANGES",
      call: (scene) => [{ aboveInCents: Number(scene.name("").trim()), hours: 48 }],
    },
  ]),
  ...inFile("app/accounts/reconciliation/actions.ts", [
    {
      name: "reconcileNow",
      does: "CHANGES",
      call: (scene) => {
        scene.clock.advance(1);
        return [];
      },
    },
    {
      name: "noteBankAsked",
      does: "CHANGES",
      call: async (scene) => [
        { differenceId: await openDifference(scene, -100), note: "Asked Ana at the bank" },
      ],
    },
    {
      name: "matchDifferences",
      does: "CHANGES",
      call: async (scene) => [
        {
          differenceId: await openDifference(scene, -100),
          otherId: await openDifference(scene, 100),
          note: null,
        },
      ],
    },
    {
      name: "acceptDate",
      does: "CHANGES",
      call: async (scene) => [
        {
          differenceId: await openDifference(scene, 100, "DIFFERENT_DATE"),
          note: "A bank holiday elsewhere",
        },
      ],
    },
    {
      name: "bookLine",
      does: "CHANGES",
      call: async (scene) => [{ differenceId: await openDifference(scene, 100), accountId: scene.operating }],
    },
  ]),
  ...inFile("app/accounts/actions.ts", [
    {
      name: "createAccount",
      does: "CHANGES",
      call: (scene) => sent({ type: "POD", name: scene.name("Pod"), description: "For tests" }),
    },
  ]),
  ...inFile("app/accounts/actions.ts", [
    {
      name: "editAccount",
      does: "CHANGES",
      call: async (scene) => {
        const id = await scene.emptyPod();
        const { rows } = await scene.database.ownerPool.query<{ updatedAt: Date }>(
          `select updated_at as "updatedAt" from accounts where id = $1`,
          [id],
        );
        const seenUpdatedAt = rows[0]?.updatedAt.toISOString() ?? "";
        return sent({ accountId: id, type: "POD", name: scene.name("Renamed"), seenUpdatedAt });
      },
    },
  ]),
  ...inFile("app/accounts/actions.ts", [
    {
      name: "reopenAccount",
      does: "CHANGES",
      call: async (scene) => {
        const id = await scene.emptyPod();
        await scene.database.ownerPool.query("update accounts set deleted_at = $2 where id = $1", [
          id,
          scene.clock.now(),
        ]);
        return [{ accountId: id }];
      },
    },
    {
      name: "setOwnBankAccount",
      does: "ANSWERS",
      because: "the sandbox bank keeps one account; own-bank-accounts.test.ts does it at Increase's emulator",
      call: async (scene) => [{ accountId: await scene.emptyPod(), isWanted: true }],
    },
    {
      name: "registerAccount",
      does: "ANSWERS",
      because:
        "the sandbox bank needs no registration; register-account.test.ts registers at Increase's emulator",
      call: async (scene) => {
        const [accountId] = (await scene.connect()).accountIds;
        return [
          {
            accountId,
            holderKind: "BUSINESS",
            account: {
              holderName: "Northwind LLC",
              address: { street: "18 Harbor Road", city: "Portland", state: "ME", postalCode: "04101" },
            },
          },
        ];
      },
    },
  ]),
  ...inFile("app/accounts/connect/actions.ts", [
    {
      name: "connectInstitution",
      does: "CHANGES",
      call: () => [{ institutionId: "sbx_first_harbor", templates: ["first_harbor_checking"] }],
    },
    {
      name: "beginLink",
      does: "ANSWERS",
      because: "sandbox institutions have no dialog; Plaid's is tested against a fake Plaid",
      call: () => [],
    },
    {
      name: "resumeLink",
      does: "ANSWERS",
      because: "it reads what the browser stored while its member was at their bank",
      call: () => [],
    },
    {
      name: "completeLink",
      does: "ANSWERS",
      because: "only Plaid's dialog issues a valid token",
      call: () => [{ publicToken: "public-made-up" }],
    },
  ]),
  ...inFile("app/connections/[id]/actions.ts", [
    {
      name: "beginSignIn",
      does: "CHANGES",
      table: "connections",
      call: async (scene) => [{ connectionId: await waitingConnection(scene) }],
    },
    {
      name: "finishSignIn",
      does: "CHANGES",
      table: "connections",
      call: async (scene) => [{ connectionId: await waitingConnection(scene) }],
    },
  ]),
  ...inFile("app/cards/actions.ts", [
    {
      name: "issueCard",
      does: "CHANGES",
      call: (scene) => [
        {
          cardType: "DEBIT_CARD",
          name: scene.name("Card"),
          accountId: scene.operating,
          holderId: null,
          monthlyLimitInCents: null,
        },
      ],
    },
    {
      // Any cardholder, and anyone who notices misuse, can stop a card at once.
      name: "freezeCard",
      does: "CHANGES",
      call: async (scene) => [{ cardId: await scene.makeCard() }],
    },
    {
      name: "thawCard",
      does: "CHANGES",
      call: async (scene) => {
        const cardId = await scene.makeCard();
        await scene.database.ownerPool.query("update cards set status = 'FROZEN' where id = $1", [cardId]);
        return [{ cardId }];
      },
    },
  ]),
  ...inFile("app/rules/editor-actions.ts", [
    {
      name: "keepDraft",
      does: "CHANGES",
      call: (scene) => [
        { draftId: nowhere(scene), ruleId: null, baseVersion: null, work: work(scene.name("Draft")) },
      ],
    },
    {
      name: "saveVersion",
      does: "CHANGES",
      call: (scene) => [
        {
          draftId: nowhere(scene),
          ruleId: null,
          expectedVersion: null,
          definition: scene.definition(),
          reason: "",
        },
      ],
    },
    {
      name: "discardDraft",
      // Their own: only an owner or co-owner ever has one.
      does: "CHANGES",
      call: async (scene, caller) => {
        const draftId = nowhere(scene);
        const isTheirs = caller.actor.role === "OWNER" || caller.actor.role === "CO_OWNER";
        const draft = { draftId, ruleId: null, baseVersion: null, work: work(scene.name("Draft")) };
        if (isTheirs) await saveDraft(scene.services, { ...caller, now: scene.clock.now() }, draft);
        return [{ draftId, ruleId: null }];
      },
    },
  ]),
  ...inFile("app/mandates/actions.ts", [
    {
      name: "writeMandate",
      does: "CHANGES",
      call: async (scene) => [
        { apiKeyId: await scene.makeKey(), terms: termsBetween([scene.operating], [scene.taxes]) },
      ],
    },
    {
      name: "narrowMandate",
      does: "CHANGES",
      call: async (scene) => {
        const { id, revision, terms } = await waitingMandate(scene);
        return [{ id, revision, terms: { ...terms, maximumInCents: 30_000 } }];
      },
    },
    {
      name: "beginMandateSignature",
      does: "ANSWERS",
      because: "it only says how to confirm; signMandate checks who does",
      call: async (scene) => {
        const { id, hash } = await waitingMandate(scene);
        return [{ id, hash }];
      },
    },
    {
      name: "signMandate",
      does: "CHANGES",
      call: async (scene) => {
        const { id, hash } = await waitingMandate(scene);
        return [{ id, hash, confirmation: NONE }];
      },
    },
    {
      name: "endMandate",
      does: "CHANGES",
      call: async (scene) => [{ id: (await waitingMandate(scene)).id }],
    },
    {
      name: "switchOnSuggestion",
      does: "CHANGES",
      call: async (scene) => [await switchedOffSuggestion(scene)],
    },
    {
      name: "noteSuggestion",
      does: "ANSWERS",
      because: "nothing is suggested, so nothing is noted, before 25 proposals were decided on the route",
      call: async (scene) => [{ proposalId: await scene.propose() }],
    },
    {
      name: "switchOffSuggestion",
      does: "CHANGES",
      call: async (scene) => [
        {
          apiKeyId: await scene.makeKey(),
          sourceAccountId: scene.operating,
          destinationAccountId: scene.taxes,
        },
      ],
    },
  ]),
  ...inFile("app/settings/approvals/actions.ts", [
    {
      name: "keepPolicyDraft",
      does: "CHANGES",
      call: async (scene) => {
        const { version, revision } = await policyDraft(scene);
        return [{ version, revision, policy: DEFAULT_POLICY }];
      },
    },
    {
      name: "discardPolicyDraft",
      does: "CHANGES",
      call: async (scene) => [{ version: (await policyDraft(scene)).version }],
    },
    {
      name: "beginPolicySignature",
      does: "ANSWERS",
      because: "it only says how to confirm; signPolicyVersion checks who does",
      call: async (scene) => {
        const { version, hash } = await policyDraft(scene);
        return [{ version, hash }];
      },
    },
    {
      name: "signPolicyVersion",
      does: "CHANGES",
      call: async (scene) => {
        const { version, hash } = await policyDraft(scene);
        return [{ version, hash, confirmation: NONE }];
      },
    },
    {
      name: "withdrawSignature",
      does: "CHANGES",
      call: async (scene, caller) => {
        const { version, hash } = await policyDraft(scene);
        const now = scene.clock.now();
        await signPolicy(scene.services, { ...caller, now }, { version, hash, confirmation: NONE });
        return [{ version }];
      },
    },
  ]),
  ...inFile("app/settings/approvals/changes/actions.ts", [
    {
      name: "beginChangeSignature",
      does: "ANSWERS",
      because: "it only says how to confirm; signChange checks who does",
      call: async (scene) => [await waitingChange(scene)],
    },
    {
      name: "signChange",
      does: "CHANGES",
      call: async (scene) => [{ ...(await waitingChange(scene)), confirmation: NONE }],
    },
    {
      name: "endChange",
      does: "CHANGES",
      call: async (scene) => [{ id: (await waitingChange(scene)).id }],
    },
  ]),
  ...inFile("app/rules/[id]/actions.ts", [
    {
      name: "beginRuleAct",
      does: "ANSWERS",
      because: "it only says how to confirm; changeRule checks who does",
      call: async (scene) => [
        { act: "RESUME", ruleId: (await scene.makeRule(true)).id, version: 1, digest: "" },
      ],
    },
    {
      name: "changeRule",
      does: "CHANGES",
      call: async (scene) => {
        const { id } = await scene.makeRule(false);
        const owner = { ...scene.northwind.owner, now: scene.clock.now() };
        const { digest } = await inspectVersion(scene.services, owner, id, 1);
        return [{ act: "ACTIVATE", ruleId: id, version: 1, digest, confirmation: NONE }];
      },
    },
    {
      name: "keepRuleActive",
      does: "CHANGES",
      call: async (scene) => [{ proposalId: await scene.proposeStop() }],
    },
    {
      name: "deactivateRule",
      does: "CHANGES",
      call: async (scene) => [{ ruleId: (await scene.makeRule(true)).id, version: 1 }],
    },
    {
      name: "discardVersion",
      does: "CHANGES",
      call: async (scene) => [{ ruleId: (await scene.makeRule(false)).id, version: 1 }],
    },
  ]),
  ...inFile("app/rules/[id]/actions.ts", [
    {
      name: "beginRun",
      does: "ANSWERS",
      because: "it runs nothing yet",
      call: async (scene) => [await runSubject(scene)],
    },
    {
      name: "runNow",
      does: "CHANGES",
      call: async (scene) => [{ ...(await runSubject(scene)), confirmation: NONE }],
    },
  ]),
  ...inFile("app/rules/[id]/actions.ts", [
    {
      name: "replayRun",
      does: "ANSWERS",
      because: READS,
      call: (scene) => [{ executionId: nowhere(scene) }],
    },
  ]),
  ...inFile("app/rules/[id]/actions.ts", [
    {
      name: "proposeAll",
      does: "ANSWERS",
      because: "a pause needs a return by the bank (covered by e2e/demo/rule-runs.spec.ts)",
      call: async (scene) => [{ ruleId: (await scene.makeRule(true)).id }],
    },
  ]),
  ...inFile("app/rules/[id]/actions.ts", [
    {
      name: "removeHook",
      does: "CHANGES",
      call: async (scene) => [{ ruleId: await hookedRule(scene) }],
    },
    {
      name: "setHookApproval",
      does: "CHANGES",
      call: async (scene) => [{ ruleId: await hookedRule(scene), isRequired: false }],
    },
  ]),
  ...inFile("app/settings/api-keys/actions.ts", [
    {
      name: "createKey",
      does: "CHANGES",
      call: (scene) => [
        { name: scene.name("key"), permissions: [{ type: "READ_TRANSFERS", accounts: "ALL" }] },
      ],
    },
    {
      name: "setCap",
      does: "CHANGES",
      call: async (scene) => [{ keyId: await scene.makeCappedKey(), dailyCapInCents: 0 }],
    },
    {
      name: "previewRevocation",
      does: "ANSWERS",
      because: READS,
      call: async (scene) => [{ keyId: await scene.makeKey() }],
    },
  ]),
  ...inFile("app/settings/assistants/actions.ts", [
    {
      name: "previewDisconnection",
      may: "DECIDERS",
      does: "ANSWERS",
      because: READS,
      call: async (scene) => [{ assistantId: await assistantOf(scene, "OWNER") }],
    },
    {
      name: "disconnectAssistant",
      may: "DECIDERS",
      does: "CHANGES",
      // Another member's: everyone may disconnect what they connected themselves.
      call: async (scene) => [{ assistantId: await assistantOf(scene, "OWNER") }],
    },
  ]),
  ...inFile("app/settings/beneficiaries/actions.ts", []),
  ...inFile("app/settings/actions.ts", [
    {
      name: "changeTimeZone",
      does: "CHANGES",
      // Each call uses a different one.
      call: (scene, { actor }) => [
        { timeZone: actor.id === scene.members.OWNER.actor.id ? "Europe/Berlin" : "Asia/Tokyo" },
      ],
    },
    {
      name: "setNewPodFloor",
      does: "CHANGES",
      call: (scene, { actor }) => [{ amount: actor.id === scene.members.OWNER.actor.id ? "500" : "250" }],
    },
    {
      name: "setOutgoingCap",
      does: "CHANGES",
      call: (scene, { actor }) => [
        { capInCents: actor.id === scene.members.OWNER.actor.id ? 50_000 : 25_000 },
      ],
    },
  ]),
  ...inFile("app/settings/fraud-monitoring/actions.ts", [
    {
      name: "signReview",
      does: "CHANGES",
      call: async (scene) => {
        const { digest } = await readProcess(scene.database.pool, {
          organizationId: scene.organizationId,
          now: scene.clock.now(),
        });
        return [{ shownDigest: digest, note: "Read with the bookkeeper" }];
      },
    },
  ]),
  ...inFile("app/saved-filters/actions.ts", [
    {
      name: "saveFilter",
      does: "CHANGES",
      table: "saved_filters",
      call: (scene) => [{ list: "TRANSFERS", name: scene.name("Filter"), query: "status=failed" }],
    },
    {
      name: "renameFilter",
      does: "CHANGES",
      table: "saved_filters",
      call: async (scene, caller) => [
        { filterId: await makeFilter(scene, caller), name: scene.name("Renamed") },
      ],
    },
    {
      name: "deleteFilter",
      does: "CHANGES",
      table: "saved_filters",
      call: async (scene, caller) => [{ filterId: await makeFilter(scene, caller) }],
    },
  ]),
  ...inFile("app/settings/notifications/actions.ts", [
    {
      name: "registerDevice",
      does: "CHANGES",
      table: "push_devices",
      call: () => [{ subscription: createTestDevice("http://127.0.0.1:9").subscription }],
    },
    {
      name: "removeDevice",
      does: "CHANGES",
      table: "push_devices",
      call: async (scene, caller) => [{ deviceId: await makeDevice(scene, caller) }],
    },
    {
      name: "savePreference",
      does: "CHANGES",
      call: () => [{ topic: "DECISIONS", channel: "EMAIL", isOn: false }],
    },
    {
      name: "setPhone",
      does: "CHANGES",
      table: "users",
      call: (scene) => [{ phone: newPhone(scene) }],
    },
    {
      name: "sendPhoneCode",
      does: "CHANGES",
      table: "phone_codes",
      call: async (scene, { actor }) => {
        await setPhoneOf(scene, actor);
        return [];
      },
    },
    {
      name: "verifyPhone",
      does: "CHANGES",
      table: "users",
      call: async (scene, { actor }) => {
        const code = "204816";
        const phone = await setPhoneOf(scene, actor);
        await scene.database.ownerPool.query(
          `insert into phone_codes (user_id, phone, code_hash, expires_at) values ($1, $2, $3, $4)
           on conflict (user_id) do update set phone = $2, code_hash = $3, tries = 0, expires_at = $4`,
          [
            actor.id,
            phone,
            await hashPassword(phoneCodeSecret(actor.id, phone, code)),
            new Date(scene.clock.now().getTime() + 60_000),
          ],
        );
        return [{ code }];
      },
    },
    {
      name: "removePhone",
      does: "CHANGES",
      table: "users",
      call: async (scene, { actor }) => {
        await setPhoneOf(scene, actor);
        return [];
      },
    },
  ]),
  ...inFile("app/settings/members/actions.ts", [
    {
      name: "inviteMember",
      does: "CHANGES",
      call: (scene) => [{ email: `${scene.name("guest").replace(" ", "")}@example.com`, role: "ACCOUNTANT" }],
    },
    {
      name: "changeMemberRole",
      does: "CHANGES",
      call: async (scene) => [{ userId: await scene.makeMember("VIEWER"), role: "ACCOUNTANT" }],
    },
    {
      name: "previewRemoval",
      does: "ANSWERS",
      because: READS,
      call: async (scene) => [{ userId: await scene.makeMember("VIEWER") }],
    },
    {
      name: "askSecondFactor",
      does: "CHANGES",
      table: "organizations",
      // Members without one may not require it of others.
      call: async (scene, { actor }) => {
        await passkeyOf(scene, actor);
        await confirmed(scene, actor, "REQUIRE_SECOND_FACTOR:true");
        return [{ isAsked: true }];
      },
    },
  ]),
  ...inFile("app/settings/security/actions.ts", [
    { name: "beginEnrollment", does: "ANSWERS", because: OWN_BROWSER, call: () => [] },
    {
      name: "finishEnrollment",
      does: "CHANGES",
      table: "passkeys",
      call: async (scene, { actor }) => {
        const { services } = scene;
        await confirmed(scene, actor, "ADD_PASSKEY");
        const authenticator = new SoftwareAuthenticator(new URL(services.appUrl).origin);
        return [{ name: "Laptop", response: authenticator.create(await beginEnrollment(services, actor)) }];
      },
    },
    {
      name: "renamePasskey",
      does: "CHANGES",
      table: "passkeys",
      call: async (scene, { actor }) => [{ passkeyId: await passkeyOf(scene, actor), name: "Phone" }],
    },
    {
      name: "removePasskey",
      does: "CHANGES",
      table: "passkeys",
      call: async (scene, { actor }) => {
        const passkeyId = await passkeyOf(scene, actor);
        await confirmed(scene, actor, removePasskeyAct(passkeyId));
        return [{ passkeyId }];
      },
    },
    {
      name: "makeRecoveryCodes",
      does: "CHANGES",
      table: "recovery_codes",
      call: async (scene, { actor }) => {
        await passkeyOf(scene, actor);
        await confirmed(scene, actor, "MAKE_RECOVERY_CODES");
        return [];
      },
    },
    {
      name: "endOtherSessions",
      does: "CHANGES",
      table: "sessions",
      call: async (scene, { actor }) => {
        await otherSessionOf(scene, actor);
        return [];
      },
    },
    {
      name: "endSession",
      does: "CHANGES",
      table: "sessions",
      call: async (scene, { actor }) => [{ sessionId: await otherSessionOf(scene, actor) }],
    },
    {
      name: "beginAuthenticator",
      does: "CHANGES",
      table: "authenticators",
      call: () => [],
    },
    {
      name: "confirmAuthenticator",
      does: "CHANGES",
      table: "authenticators",
      call: async (scene, { actor }) => [{ code: await authenticatorCode(scene, actor) }],
    },
    {
      name: "removeAuthenticator",
      does: "CHANGES",
      table: "authenticators",
      call: async (scene, { actor }) => {
        const code = await authenticatorCode(scene, actor);
        await confirmAuthenticator(scene.services, actor, { code });
        await confirmed(scene, actor, "REMOVE_AUTHENTICATOR");
        return [];
      },
    },
    {
      name: "changePassword",
      does: "CHANGES",
      table: "users",
      call: () => [{ password: "another long password" }],
    },
    { name: "beginPresence", does: "ANSWERS", because: OWN_BROWSER, call: () => [ADD_KEY] },
    {
      name: "confirmPresence",
      does: "ANSWERS",
      because: OWN_BROWSER,
      call: () => [{ act: ADD_KEY, confirmation: NONE }],
    },
  ]),
  ...inFile("app/settings/webhooks/actions.ts", [
    {
      name: "createEndpoint",
      does: "CHANGES",
      call: (scene) => [
        {
          url: `http://127.0.0.1:9/${encodeURIComponent(scene.name("hook"))}`,
          askedEvents: ["rule.changed"],
        },
      ],
    },
    {
      name: "recreateEndpoint",
      does: "CHANGES",
      call: async (scene) => [{ endpointId: await scene.makeEndpoint() }],
    },
    {
      name: "deleteEndpoint",
      does: "CHANGES",
      call: async (scene) => [{ endpointId: await scene.makeEndpoint() }],
    },
    {
      name: "switchOnEndpoint",
      does: "CHANGES",
      call: async (scene) => {
        const endpointId = await scene.makeEndpoint();
        await scene.database.ownerPool.query(
          `update webhook_endpoints set status = 'DISABLED', disabled_at = $2, disabled_because = 'MEMBER'
            where id = $1`,
          [endpointId, scene.clock.now()],
        );
        return [{ endpointId }];
      },
    },
    {
      name: "switchOffEndpoint",
      does: "CHANGES",
      call: async (scene) => [{ endpointId: await scene.makeEndpoint() }],
    },
    {
      name: "chooseEndpointEvents",
      does: "CHANGES",
      call: async (scene) => [{ endpointId: await scene.makeEndpoint(), askedEvents: ["rule.changed"] }],
    },
    {
      name: "sendTestEvent",
      does: "CHANGES",
      call: async (scene) => [{ endpointId: await scene.makeEndpoint() }],
    },
    {
      name: "redeliver",
      does: "CHANGES",
      call: async (scene) => [await delivered(scene)],
    },
    {
      name: "replayFailed",
      does: "CHANGES",
      call: async (scene) => {
        const { endpointId } = await delivered(scene);
        await scene.database.ownerPool.query(
          "update webhook_deliveries set status = 'DEAD', due_at = null where endpoint_id = $1",
          [endpointId],
        );
        return [{ endpointId, since: { kind: "HOURS", hours: 24 } }];
      },
    },
  ]),
  ...inFile("app/sandbox/actions.ts", [
    {
      name: "deposit",
      does: "CHANGES",
      call: ({ operating }) =>
        sent({
          accountId: operating,
          amount: "$7,100.00",
          origin: "DIRECT_DEPOSIT",
          payerName: "Halden Health",
        }),
    },
    {
      name: "sendBack",
      does: "CHANGES",
      table: "sandbox_bank_notices",
      call: async (scene) => sent({ transferId: await arrived(scene), code: "R10" }),
    },
    {
      name: "settle",
      does: "CHANGES",
      call: async (scene) => sent({ transferId: await atBank(scene) }),
    },
    {
      name: "bookByBank",
      does: "CHANGES",
      table: "sandbox_bank_lines",
      call: () => sent({ as: "FEE", amount: "$15.00" }),
    },
    {
      name: "silence",
      does: "CHANGES",
      call: () => sent({ minutes: "5" }),
    },
    {
      name: "purchase",
      does: "CHANGES",
      call: async (scene) =>
        sent({
          cardId: await scene.makeCard(),
          amount: "$12.00",
          merchant: "Harbor Cloud",
          category: "SHOPPING",
        }),
    },
    {
      name: "payToCard",
      does: "CHANGES",
      call: async (scene) =>
        sent({
          cardId: await scene.makeCard(),
          amount: "$12.00",
          merchant: "Harbor Cloud",
          subtype: "REFUND",
        }),
    },
    {
      name: "moveOutside",
      does: "CHANGES",
      call: async (scene) =>
        sent({
          accountId: (await outside(scene)).accountId,
          amount: "$12.00",
          direction: "MONEY_IN",
          partyName: "Halden Health",
          as: "POSTED",
        }),
    },
    {
      name: "changeConnection",
      does: "CHANGES",
      call: async (scene) =>
        sent({ connectionId: (await outside(scene)).connectionId, change: "UNAVAILABLE" }),
    },
    {
      name: "decidePending",
      does: "CHANGES",
      table: "sandbox_institution_transactions",
      call: async (scene) => sent({ decision: "VANISH", pendingId: await pendingOutside(scene) }),
    },
    {
      name: "setReceiver",
      does: "CHANGES",
      call: () => sent({ mode: "FLAKY" }),
    },
  ]),
  // Nothing moves while they are closed, so these come last; the one that opens them comes at the very end.
  ...inFile("app/gates/actions.ts", [
    {
      name: "closeGates",
      does: "CHANGES",
      call: async (scene) => {
        await openAgain(scene);
        return form({});
      },
    },
    {
      name: "beginOpening",
      does: "ANSWERS",
      because: "it only says how to confirm; openGates checks who does",
      call: async (scene) => [{ closingId: await closed(scene) }],
    },
    {
      name: "openGates",
      does: "CHANGES",
      call: async (scene, { actor }) => {
        await setPasswordOf(scene, actor);
        return [{ closingId: await closed(scene), confirmation: { kind: "PASSWORD", password: PASSWORD } }];
      },
    },
  ]),
  ...inFile("app/sign-up/actions.ts", [
    {
      name: "beginSignUp",
      does: "ANSWERS",
      because: NO_ACCOUNT_YET,
      call: () => form({ name: "Eve", email: "eve@example.com", password: "tide and lock gate" }),
    },
    {
      name: "verifyAddress",
      does: "ANSWERS",
      because: NO_ACCOUNT_YET,
      call: () => form({ code: "000000" }),
    },
    { name: "resendCode", does: "ANSWERS", because: NO_ACCOUNT_YET, call: () => [] },
    { name: "startOver", does: "ANSWERS", because: OWN_BROWSER, call: () => [] },
    {
      name: "finishSignUp",
      does: "ANSWERS",
      because: NO_ACCOUNT_YET,
      call: () => form({ kind: "BUSINESS", name: "Evil", timeZone: "UTC" }),
    },
  ]),
  ...inFile("app/forgot/actions.ts", [
    {
      name: "requestReset",
      does: "CHANGES",
      table: "password_resets",
      call: (_scene, { actor }) => form({ email: actor.email }),
      without: () => form({ email: "nobody@example.com" }),
    },
  ]),
  ...inFile("app/reset/[token]/actions.ts", [
    {
      name: "setPassword",
      does: "CHANGES",
      table: "users",
      call: async (scene, { actor }) => form({ token: await resetToken(scene, actor), password: PASSWORD }),
      without: () => form({ token: "x".repeat(43), password: PASSWORD }),
    },
  ]),
  // An organization whose identity is being checked opens no account: these come after all that open one.
  ...inFile("app/welcome/actions.ts", [
    {
      name: "openFirstPods",
      does: "ANSWERS",
      because: "this organization has pods already",
      call: () => [[{ name: "Profit", sharePercent: 5 }]],
    },
    {
      name: "openStarterPods",
      does: "ANSWERS",
      because: "this organization has pods already",
      call: () => [],
    },
    { name: "getTestDeposit", does: "CHANGES", call: () => [] },
    {
      name: "endOnboarding",
      does: "CHANGES",
      call: async (scene) => {
        await setIdentity(scene, "APPROVED");
        return [];
      },
    },
    {
      name: "submitIdentity",
      does: "CHANGES",
      call: async (scene) => {
        await setIdentity(scene, "NEEDED");
        const address = { street: "1 Main Street", city: "New York", state: "NY", postalCode: "10013" };
        const person = {
          name: "Mara Okafor",
          taxId: "123456789",
          bornOn: "1988-04-02",
          ownsPercent: 60,
          address,
        };
        return [{ business: { name: "Northwind", taxId: "123456789", address }, people: [person] }];
      },
    },
  ]),
  // After all others: what became due in between slows each of them down.
  ...inFile("app/sandbox/actions.ts", [
    {
      name: "moveClock",
      does: "CHANGES",
      call: async ({ clock, sandbox }) => {
        // Moving the clock carries out whatever is due, as a worker would: only its other effects are checked.
        await sandbox.carryOutDue();
        return sent({ toAt: new Date(clock.now().getTime() + ++days * 86_400_000).toISOString() });
      },
    },
  ]),
];

function inFile(file: string, examples: readonly Omit<ActionExample, "file">[]): ActionExample[] {
  return examples.map((example) => ({ file, ...example }));
}

const PASSWORD = "tide and lock gate";

/** The scene's members have none until one is active. */
async function setPasswordOf(scene: ActionScene, actor: MemberActor): Promise<void> {
  await scene.database.ownerPool.query("update users set password_hash = $2 where id = $1", [
    actor.id,
    await hashPassword(PASSWORD),
  ]);
}

/** A number not used before. */
const newPhone = (scene: ActionScene) =>
  `+1212555${String(100 + Number(scene.name("").trim())).padStart(4, "0")}`;

/** As the member's own, unverified. */
async function setPhoneOf(scene: ActionScene, actor: MemberActor): Promise<string> {
  const phone = newPhone(scene);
  await scene.database.ownerPool.query(
    "update users set phone = $2, phone_verified_at = null where id = $1",
    [actor.id, phone],
  );
  return phone;
}

const confirmed = (scene: ActionScene, actor: MemberActor, act: StepUpAct) =>
  confirmAct(scene.database, actor, act, scene.clock.now());

/** A passkey of the member, who signs in with it. */
async function passkeyOf(scene: ActionScene, actor: MemberActor): Promise<string> {
  await confirmed(scene, actor, "ADD_PASSKEY");
  await enrollPasskey(scene.services, actor);
  const { ownerPool } = scene.database;
  await ownerPool.query("update sessions set method = 'PASSKEY' where id = $1", [actor.sessionId]);
  const { rows } = await ownerPool.query<{ id: string }>(
    "select credential_id as id from passkeys where user_id = $1",
    [actor.id],
  );
  return rows[0]?.id ?? "";
}

/** The code of an app that the member has just begun to add. */
async function authenticatorCode(scene: ActionScene, actor: MemberActor): Promise<string> {
  const { services, clock } = scene;
  await confirmed(scene, actor, "ADD_AUTHENTICATOR");
  const { secret } = await beginAuthenticator(services, actor);
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now().getTime() });
}

/** The member is signed in on another machine as well. */
export async function otherSessionOf(scene: ActionScene, actor: MemberActor): Promise<string> {
  const id = nowhere(scene);
  await scene.database.ownerPool.query(
    `insert into sessions (id, user_id, organization_id, method, authenticated_at, last_seen_at, expires_at, user_agent)
     values ($1, $2, $3, 'PASSWORD', $4, $4, $5, 'elsewhere')`,
    [
      id,
      actor.id,
      scene.organizationId,
      scene.clock.now(),
      new Date(scene.clock.now().getTime() + 86_400_000),
    ],
  );
  return id;
}

/** From the email that the member receives. */
async function resetToken(scene: ActionScene, actor: MemberActor): Promise<string> {
  await requestPasswordReset(scene.services, { email: actor.email }, null, { isSandboxBank: true });
  const { rows } = await scene.database.ownerPool.query<{ bodyText: string }>(
    `select body_text as "bodyText" from person_messages where recipient = $1 and kind = 'PASSWORD_RESET'
      order by id desc limit 1`,
    [actor.email],
  );
  return /\/reset\/([A-Za-z0-9_-]{43})/.exec(rows[0]?.bodyText ?? "")?.[1] ?? "";
}

/** A connection whose institution asks for a sign-in. */
async function waitingConnection(scene: ActionScene): Promise<string> {
  const { connectionId } = await outside(scene);
  await scene.database.ownerPool.query(
    "update connections set status = 'NEEDS_SIGN_IN', refresh_due_at = null where id = $1",
    [connectionId],
  );
  return connectionId;
}

/** A deposit that the bank has reported. */
async function arrived(scene: ActionScene): Promise<string> {
  const { services, sandbox, operating, organizationId, clock, database } = scene;
  const owner = { ...scene.northwind.owner, now: clock.now() };
  const payerName = scene.name("Payer");
  const deposit = {
    accountId: operating,
    amountInCents: 7_100,
    payerName,
    origin: "DIRECT_DEPOSIT" as const,
  };
  await makeDeposit(services, sandbox, owner, deposit);
  await collectBankNotices(services, createSandboxBank(database.pool), 20);
  const { rows } = await database.ownerPool.query<{ id: string }>(
    "select id from transfers where organization_id = $1 and counterparty_name = $2",
    [organizationId, payerName],
  );
  return rows[0]?.id ?? "";
}

/** A payment out that the bank has accepted. */
async function atBank({
  northwind,
  database,
  operating,
  organizationId,
  clock,
}: ActionScene): Promise<string> {
  const outside = await northwind.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" });
  const id = newId(clock.now());
  await database.ownerPool.query(
    `insert into transfers (organization_id, id, status, execution_mode, direction, origin, amount_in_cents,
        source_account_id, destination_account_id, proposed_by_kind, proposed_by_name, created_at, updated_at,
        accepted_at, next_step)
      values ($1, $2, 'PROCESSING', 'LIVE', 'MONEY_OUT', 'API', 1000, $3, $4, 'API_KEY', 'test', $5, $5, $5, 'AWAIT')`,
    [organizationId, id, operating, outside, clock.now()],
  );
  return id;
}

/** A proposal that this member signed, as under a policy that asks for several. */
async function signedBy(scene: ActionScene, userId: string): Promise<string> {
  const proposalId = await scene.propose();
  await scene.database.ownerPool.query(
    `insert into signatures (organization_id, subject_kind, subject_id, id, user_id, policy_versions, subject_hash,
        digest, method, signed_at, signed_on)
      values ($1, 'PROPOSAL', $2, $3, $4, '{0}', '', '', 'PASSWORD', $5, now())`,
    [scene.organizationId, proposalId, newId(scene.clock.now()), userId, scene.clock.now()],
  );
  return proposalId;
}

/** A pending transaction at an institution, among those that the sandbox offers to decide. */
async function pendingOutside(scene: ActionScene): Promise<string> {
  const { services, sandbox } = scene;
  // Those of earlier examples would be searched, too: by now some sixty, each with a year of transactions.
  await scene.database.ownerPool.query(
    "update connections set status = 'DISCONNECTED', refresh_due_at = null where organization_id = $1",
    [scene.organizationId],
  );
  const { accountIds } = await scene.connect();
  const owner = { ...scene.northwind.owner, now: scene.clock.now() };
  // The generated history does not always end with a pending transaction.
  await moveOutside(services, sandbox, owner, {
    accountId: accountIds[0] ?? "",
    direction: "MONEY_OUT",
    amountInCents: 1_000,
    partyName: "Juniper Foods",
    isPending: true,
  });
  const pending = await listPendingOutside(services, sandbox, owner);
  return pending[0]?.id ?? "";
}

/** A draft as an owner has just seen it. */
async function moveSubject(scene: ActionScene) {
  const now = scene.clock.now();
  const draft: MoveDraft = {
    draftId: newId(now),
    sourceAccountId: scene.operating,
    destinationAccountId: scene.taxes,
    amountInCents: 1_000,
    achLabel: null,
    note: null,
  };
  const time = { nowAt: now.toISOString(), timeZone: "America/New_York", locale: "en-US" };
  const { digest } = await previewMove(
    { services: scene.services, context: { ...scene.northwind.owner, now }, time },
    draft,
  );
  return { draft, subject: { ...draft, digest } };
}

/** A document of a move that the caller is about to make; an id of nothing if they may not move money. */
async function draftDocument(scene: ActionScene, caller: Context<MemberActor>) {
  const draftId = newId(scene.clock.now());
  const context = { ...caller, now: scene.clock.now() };
  const mayMove = caller.actor.role === "OWNER" || caller.actor.role === "CO_OWNER";
  if (!mayMove) return { draftId, documentId: nowhere(scene) };
  const document = { name: "Invoice.pdf", content: samplePdf("Invoice") };
  await addDraftDocument(scene.services, context, { draftId, document });
  const { organizationId, actor } = context;
  const [added] = await readDraftDocuments(scene.services.pool, organizationId, draftId, actor.id);
  return { draftId, documentId: added?.id ?? "" };
}

async function runSubject(scene: ActionScene) {
  const { id } = await scene.makeRule(true);
  return { ruleId: id, version: 1, incomingAmountInCents: null, requestId: nowhere(scene) };
}

async function hookedRule(scene: ActionScene): Promise<string> {
  const { id } = await scene.makeRule(true);
  await scene.database.ownerPool.query(
    "insert into rule_hooks (organization_id, rule_id, secret_hash, secret_last4, created_by, created_at) values ($1, $2, sha256(uuid_send($2::uuid)), 'abcd', $3, $4)",
    [scene.organizationId, id, scene.northwind.owner.actor.id, scene.clock.now()],
  );
  return id;
}

async function assistantOf(scene: ActionScene, role: MemberRole): Promise<string> {
  const member = { ...scene.members[role], now: scene.clock.now() };
  return (await connectTestAssistant(scene.database, member, { name: scene.name("Assistant") })).id;
}

async function openAgain({ database, organizationId, northwind, clock }: ActionScene): Promise<void> {
  await database.ownerPool.query(
    `update gate_closings set opened_at = greatest($2, closed_at), opened_by = $3, opening_method = 'PASSWORD'
      where organization_id = $1 and opened_at is null`,
    [organizationId, clock.now(), northwind.owner.actor.id],
  );
}

async function closed(scene: ActionScene): Promise<string> {
  await openAgain(scene);
  await closeGates(scene.services, { ...scene.northwind.owner, now: scene.clock.now() });
  const { rows } = await scene.database.ownerPool.query<{ id: string }>(
    "select id from gate_closings where organization_id = $1 and opened_at is null",
    [scene.organizationId],
  );
  return rows[0]?.id ?? "";
}

/** A route whose suggestion was shown and is switched off. */
async function switchedOffSuggestion(scene: ActionScene) {
  const route = {
    apiKeyId: await scene.makeKey(),
    sourceAccountId: scene.operating,
    destinationAccountId: scene.taxes,
  };
  await scene.services.pool.query(
    `insert into mandate_suggestions
       (organization_id, api_key_id, source_account_id, destination_account_id, proposal_id, shown_at, switched_off_at)
     select $1, $2, $3, $4, $2, $5, $5`,
    [
      scene.organizationId,
      route.apiKeyId,
      route.sourceAccountId,
      route.destinationAccountId,
      scene.clock.now(),
    ],
  );
  return route;
}
