import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import { MAXIMUM_WAITING_PROPOSALS } from "@/lib/contract/limits";
import type { Permission, PermissionOf, PermissionType, ResourceList } from "@/lib/contract/permissions";
import type { Actor, ApiKeyActor, CallerActor } from "@/lib/core/shared/context";

/** Permissions: the only module that reads what a caller may do (specification, Part 5, "Permissions"). */

/** The key's permission of this type, or null. */
export function permissionOf<T extends PermissionType>(actor: CallerActor, type: T): PermissionOf<T> | null {
  return permissionIn(actor.permissions, type);
}

/** The permission of this type in a list, or null. */
export function permissionIn<T extends PermissionType>(
  permissions: readonly Permission[],
  type: T,
): PermissionOf<T> | null {
  const isOfType = (candidate: { type: PermissionType }): candidate is PermissionOf<T> =>
    candidate.type === type;
  return permissions.find(isOfType) ?? null;
}

/**
 * The key's permission of this type.
 * @throws AppError `ACCESS_DENIED` when it has none.
 */
export function requirePermission<T extends PermissionType>(actor: CallerActor, type: T): PermissionOf<T> {
  const permission = permissionOf(actor, type);
  if (!permission) {
    throw new AppError("ACCESS_DENIED", lackingWords(actor, type));
  }
  return permission;
}

function lackingWords(actor: CallerActor, type: PermissionType): string {
  if (actor.kind === "API_KEY") {
    return `This key lacks the permission ${type}. Add it to a new key, or use another one.`;
  }
  return "This assistant can only read, because the member who connected it is neither an owner nor a co-owner. Ask an owner or co-owner to do this, or to connect the assistant themselves.";
}

/** @throws AppError `ACCESS_DENIED` for an assistant, whose every transfer waits for a person. */
export function requireApiKey(actor: CallerActor): asserts actor is ApiKeyActor {
  if (actor.kind === "API_KEY") return;
  throw new AppError(
    "ACCESS_DENIED",
    "Mandates are for API keys alone. Whatever an assistant moves waits for a person, and nothing switches that off.",
  );
}

/** For a caller that was revoked between its authentication and its write. */
export function revokedMeanwhile(actor: CallerActor, consequence: string): AppError {
  const what = actor.kind === "API_KEY" ? "This key was revoked." : "This assistant was disconnected.";
  return new AppError("UNAUTHORIZED", `${what} ${consequence}`);
}

/** Whether a permission's list contains this id. */
export function covers(resources: ResourceList, id: string): boolean {
  return resources === "ALL" || resources.includes(id);
}

/** Whether the caller may read the balance of each of these accounts. */
export function mayReadAccounts(actor: CallerActor, accountIds: readonly string[]): boolean {
  const permission = permissionOf(actor, "READ_ACCOUNTS");
  return permission !== null && accountIds.every((id) => covers(permission.accounts, id));
}

export interface TransferGrant {
  /** Null: no cap. */
  maximumAmountInCents: number | null;
}

/**
 * What `MANUAL_TRANSFER` allows on a route, or null. Of several matching entries the most generous limit applies
 * (docs/behavior/transfers.md, "POST /transfers").
 */
export function transferGrant(
  permission: PermissionOf<"MANUAL_TRANSFER">,
  sourceAccountId: string,
  destinationAccountId: string,
): TransferGrant | null {
  const matches = (side: string, id: string) => side === "ANY" || side === id;
  const caps = permission.entries
    .filter((entry) => matches(entry.source, sourceAccountId) && matches(entry.target, destinationAccountId))
    .map((entry) => entry.max_amount ?? Number.POSITIVE_INFINITY);
  if (caps.length === 0) return null;
  const cap = Math.max(...caps);
  return { maximumAmountInCents: Number.isFinite(cap) ? cap : null };
}

/** Owners and co-owners decide, create and change. */
export function mayDecide(actor: Actor): boolean {
  return actor.kind === "MEMBER" && (actor.role === "OWNER" || actor.role === "CO_OWNER");
}

/** Viewers read but do not export (docs/behavior/organizations.md, "Members"). */
export function mayExport(actor: Actor): boolean {
  return mayDecide(actor) || (actor.kind === "MEMBER" && actor.role === "ACCOUNTANT");
}

/** Why a key's request waits for approval: its daily cap, and how much of it was used. In cents. */
export const aboveCapSchema = z.object({ capInCents: z.int(), usedInCents: z.int() });
export type AboveCap = z.infer<typeof aboveCapSchema>;

/** For a caller with as many waiting proposals as a person can be asked (`maximum_waiting`). */
export function tooManyWaiting(actor: CallerActor): AppError {
  const whose = actor.kind === "API_KEY" ? "this key" : "this assistant";
  return new AppError(
    "RATE_LIMIT_EXCEEDED",
    `${MAXIMUM_WAITING_PROPOSALS} proposals of ${whose} already wait for approval. Wait until some are decided. Nothing was proposed and nothing moved.`,
  );
}
