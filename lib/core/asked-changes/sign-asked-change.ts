import type { ConfirmationRequest } from "@/lib/contract/confirmation/decision";
import { AppError } from "@/lib/contract/error";
import type {
  AskedChangeSignInput,
  AskedChangeSignResult,
  AskedChangeSubject,
  WantedKey,
} from "@/lib/contract/policies/asked-change";
import { applyNewKey } from "@/lib/core/keys/create-api-key";
import { applyReplacedKey, lockOldKey } from "@/lib/core/keys/replace-api-key";
import { applyKeyCap } from "@/lib/core/keys/set-key-cap";
import { applyAccountFloor } from "@/lib/core/ledger/edit-account";
import { applyNewPodFloor } from "@/lib/core/ledger/set-new-pod-floor";
import { applyCoolOff } from "@/lib/core/payees/set-cool-off";
import {
  type AskedChange,
  askSigners,
  readAskedChange,
  readAskedKeyHash,
  recordAskedChange,
  signedChangeOf,
} from "@/lib/core/policies/asked-changes";
import { readChangeSigning, signChange } from "@/lib/core/policies/sign-change";
import { applyHookApproval } from "@/lib/core/rules/rule-hooks";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/roles";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { writeNotice } from "@/lib/core/shared/write-notice";
import { lockOrganization } from "@/lib/core/sign-in/lock-organization";
import {
  beginSignature,
  changedSince,
  refuseToSign,
  type Signed,
  type SignServices,
  sign,
} from "@/lib/core/sign-in/sign";
import { applyOutgoingCap } from "@/lib/core/transfers/outgoing-cap";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

const signed = ({ id, hash }: AskedChangeSubject): Signed => ({
  what: "a change",
  text: `change ${id} ${hash}`,
});

/** How this member must confirm a signature, with its challenge. Does not check whether they may sign. */
export function beginAskedChangeSignature(
  services: Pick<Services, "pool" | "clock" | "appUrl">,
  actor: MemberActor,
  subject: AskedChangeSubject,
): Promise<ConfirmationRequest> {
  return beginSignature(services, actor, signed(subject));
}

/**
 * Signs a change as it was shown; the last signature carries it out in the same transaction. That it waits, what it binds to
 * and whose signature counts is read again under the lock of the organization, so of two last signatures one carries it out,
 * and a version of the policy that was published meanwhile counts.
 */
export async function signAskedChange(
  services: SignServices,
  context: Context<MemberActor>,
  { confirmation, ...subject }: AskedChangeSignInput,
): Promise<AskedChangeSignResult> {
  let isOutdated = false;
  const result = await sign<AskedChangeSignResult>(
    services,
    context,
    { ...signed(subject), confirmation },
    async (client, { method }) => {
      const asked = await requireShown(client, context, subject);
      await lockKey(client, context.organizationId, asked);
      await requireDecider(client, context, "sign a change");
      const outcome = await signLocked(client, context, asked, method);
      isOutdated = outcome === "OUTDATED";
      if (outcome === "OUTDATED") throw changedSince("What this changes was changed in the meantime.");
      return outcome;
    },
  );
  if (isOutdated) await endOutdated(services, context, subject.id);
  return result;
}

/** @throws NotSigned unless it waits as it was shown. */
async function requireShown(
  client: Queryable,
  { organizationId, now }: Context,
  { id, hash }: AskedChangeSubject,
): Promise<AskedChange> {
  const asked = await readAskedChange(client, organizationId, id);
  if (asked?.state !== "WAITING" || asked.expiresAt <= now) {
    throw refuseToSign("This change ended in the meantime, or its time is over. Nothing was signed.");
  }
  const change = await signedChangeOf(client, organizationId, asked);
  const signing = await readChangeSigning(client, { organizationId, now }, change);
  if (signing && signing.hash !== hash) {
    throw changedSince("This is not the change that you were shown.");
  }
  return asked;
}

/** The key before the membership, as every change of a key locks them. */
async function lockKey(client: Queryable, organizationId: string, { wanted }: AskedChange): Promise<void> {
  if (wanted.what === "REPLACED_KEY") await lockOldKey(client, organizationId, wanted.oldKeyId);
  if (wanted.what !== "KEY_CAP") return;
  await client.query("select from api_keys where organization_id = $1 and id = $2 for no key update", [
    organizationId,
    wanted.keyId,
  ]);
}

async function signLocked(
  client: Queryable,
  context: Context<MemberActor>,
  asked: AskedChange,
  method: Parameters<typeof signChange>[3],
): Promise<{ kind: "SIGNED" | "CARRIED_OUT" } | "OUTDATED"> {
  const change = await signedChangeOf(client, context.organizationId, asked);
  const signed = await signChange(client, context, change, method);
  if (signed.kind === "REFUSED") throw refuseToSign(`${signed.message} Nothing was signed.`);
  if (signed.kind === "SIGNED") {
    await recordAskedChange(client, context, asked, "SIGNED");
    await askSigners(client, context, { id: asked.id, userIds: signed.maySign });
    return { kind: "SIGNED" };
  }
  await end(client, context, asked.id, { state: "DONE", byId: context.actor.id });
  if (!(await carryOut(client, context, asked))) return "OUTDATED";
  await recordAskedChange(client, context, asked, "CARRIED_OUT");
  await noteEnd(client, context, asked);
  return { kind: "CARRIED_OUT" };
}

/** @returns false if what it changes is no longer as it was when it was asked for */
function carryOut(
  client: Queryable,
  context: Context<MemberActor>,
  { id, wanted, askedById }: AskedChange,
): Promise<boolean> {
  switch (wanted.what) {
    case "ACCOUNT_FLOOR":
      return applyAccountFloor(client, context, wanted);
    case "NEW_POD_FLOOR":
      return applyNewPodFloor(client, context, wanted);
    case "OUTGOING_CAP":
      return applyOutgoingCap(client, context, wanted, askedById);
    case "KEY_CAP":
      return applyKeyCap(client, context, wanted);
    case "PAYEE_COOL_OFF":
      return applyCoolOff(client, context, wanted);
    case "HOOK_APPROVAL":
      return applyHookApproval(client, context, wanted);
    case "NEW_KEY":
    case "REPLACED_KEY":
      return carryOutKey(client, context, { id, wanted, askedById });
  }
}

async function carryOutKey(
  client: Queryable,
  context: Context<MemberActor>,
  { id, wanted, askedById }: Pick<AskedChange, "id" | "askedById"> & { wanted: WantedKey },
): Promise<boolean> {
  const keyHash = await readAskedKeyHash(client, context.organizationId, id);
  if (keyHash === null) throw new Error("A key that was asked for has no secret");
  const asked = { askedById, keyHash };
  return wanted.what === "NEW_KEY"
    ? applyNewKey(client, context, wanted, asked)
    : applyReplacedKey(client, context, wanted, asked);
}

/**
 * Ends a change that waits: who asked withdraws it, any other owner or co-owner denies it. Without a confirmation: it only
 * keeps what is.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` if it does not wait.
 */
export async function endAskedChange(
  services: Pick<Services, "pool" | "wake">,
  context: Context<MemberActor>,
  id: string,
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    await lockOrganization(client, context.organizationId);
    await requireDecider(client, context, "end a change that waits");
    const asked = await readAskedChange(client, context.organizationId, id);
    const isOwn = asked?.askedById === context.actor.id;
    const state = isOwn ? "WITHDRAWN" : "DENIED";
    if (!asked || !(await end(client, context, id, { state, byId: context.actor.id }))) {
      throw new AppError("INVALID_PARAMETERS", "This change does not wait anymore. Nothing was changed.");
    }
    await recordAskedChange(client, context, asked, isOwn ? "WITHDREW" : "DENIED");
    if (!isOwn) await noteEnd(client, context, asked);
  });
  services.wake(SEND_NOTICES);
}

async function end(
  client: Queryable,
  { organizationId, now }: Pick<Context, "organizationId" | "now">,
  id: string,
  { state, byId }: { state: "DONE" | "DENIED" | "WITHDRAWN" | "OUTDATED"; byId: string | null },
): Promise<boolean> {
  const { rows } = await client.query<{ hasEnded: boolean }>({
    name: "end_asked_change",
    text: `select end_asked_change($1, $2, $3, $4, $5) as "hasEnded"`,
    values: [organizationId, id, state, byId, now],
  });
  return rows[0]?.hasEnded ?? false;
}

async function endOutdated(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  id: string,
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    await lockOrganization(client, context.organizationId);
    await end(client, context, id, { state: "OUTDATED", byId: null });
  });
}

/** Notifies who asked. */
async function noteEnd(
  client: Queryable,
  { organizationId, actor, now }: Context<MemberActor>,
  { id, askedById }: AskedChange,
): Promise<void> {
  if (askedById === actor.id) return;
  await writeNotice(client, {
    organizationId,
    kind: "CHANGE_ENDED",
    subjectId: id,
    userId: askedById,
    digestKey: null,
    now,
  });
}
