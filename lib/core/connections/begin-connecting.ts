import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { REFRESH_CONNECTIONS } from "@/lib/core/shared/work-names";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";
import {
  type AggregatorPort,
  AggregatorUnavailable,
  ConnectingRefused,
  type ConnectingStep,
  type ConnectionAccess,
  NOT_OFFERED,
  SignInNeeded,
  UnknownInstitution,
} from "@/lib/ports/aggregator/aggregator-port";

/**
 * The first step of connecting an institution, or of signing in again at one that requires it.
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS` with what to do.
 */
export async function beginConnecting(
  services: Pick<Services, "pool">,
  aggregator: AggregatorPort,
  context: Context<MemberActor>,
  input: { institutionId: string | null; again: { connectionId: string } | null },
): Promise<ConnectingStep> {
  requireConnector(context);
  const kept = input.again && (await readAccess(services.pool, context, input.again.connectionId));
  if (input.again && (!kept || kept.status === "DISCONNECTED")) {
    throw new AppError(
      "INVALID_PARAMETERS",
      "This connection no longer exists. Connect the institution again.",
    );
  }
  try {
    return await aggregator.beginConnecting({
      organizationId: context.organizationId,
      memberId: context.actor.id,
      institutionId: input.institutionId,
      again: kept?.access ?? null,
    });
  } catch (error) {
    throw toConnectingProblem(error);
  }
}

/**
 * A token that opens the provider's dialog, for this member and valid for a few hours.
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS` with what to do.
 */
export async function beginLink(
  services: Pick<Services, "pool">,
  aggregator: AggregatorPort,
  context: Context<MemberActor>,
): Promise<{ linkToken: string }> {
  requireConnector(context);
  if (aggregator.isSandbox) {
    throw new AppError(
      "INVALID_PARAMETERS",
      "Sandbox institutions have no dialog. Choose one from the list.",
    );
  }
  const step = await beginConnecting(services, aggregator, context, { institutionId: null, again: null });
  if (step.kind !== "LINK") throw new Error(`${aggregator.provider} has no dialog`);
  return { linkToken: step.linkToken };
}

/** What a browser stores while its member is at their bank. */
export const keptLinkSchema = z.object({
  linkToken: z.string().min(1).max(500),
  organizationId: z.uuid(),
  memberId: z.uuid(),
  /** The connection to sign in to again; null: a new connection. */
  connectionId: z.uuid().nullable(),
});

export type KeptLink = z.infer<typeof keptLinkSchema>;

/**
 * Reopens the provider's dialog for a member whom their bank has sent back, only for the member who started it, in the
 * same organization: accounts must not land in whichever organization a shared browser shows by then.
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS` with what to do.
 */
export function resumeLink(
  context: Context<MemberActor>,
  kept: KeptLink | null,
): Pick<KeptLink, "linkToken" | "connectionId"> {
  requireConnector(context);
  const isTheirs = kept?.memberId === context.actor.id && kept.organizationId === context.organizationId;
  if (!kept || !isTheirs) {
    throw new AppError(
      "INVALID_PARAMETERS",
      "This browser has no bank sign-in in progress. Nothing was connected. Start again.",
    );
  }
  return { linkToken: kept.linkToken, connectionId: kept.connectionId };
}

export type SignInBegun =
  /** A sandbox institution needs no password, so this was the sign-in. */
  | { kind: "SIGNED_IN" }
  /** Opens the provider's dialog; `signInAgain` follows. */
  | { kind: "LINK"; linkToken: string };

/**
 * Starts a new sign-in at an institution that requires it.
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS` with what to do.
 */
export async function beginSignInAgain(
  services: Pick<Services, "pool" | "wake">,
  aggregator: AggregatorPort,
  context: Context<MemberActor>,
  connectionId: string,
): Promise<SignInBegun> {
  const step = await beginConnecting(services, aggregator, context, {
    institutionId: null,
    again: { connectionId },
  });
  if (step.kind === "LINK") return { kind: "LINK", linkToken: step.linkToken };
  await signInAgain(services, context, connectionId);
  return { kind: "SIGNED_IN" };
}

/**
 * Called after the member has signed in at the institution again (`beginConnecting` with `again`): refreshes the
 * connection at once, which shows whether the institution is satisfied.
 * @returns false where the connection does not wait for a sign-in.
 * @throws AppError `ACCESS_DENIED`.
 */
export async function signInAgain(
  services: Pick<Services, "pool" | "wake">,
  context: Context<MemberActor>,
  connectionId: string,
): Promise<boolean> {
  requireConnector(context);
  const { rowCount } = await services.pool.query({
    name: "resume_connection",
    text: `
      update connections set status = 'ACTIVE', refresh_due_at = $3, attempts = 0, leased_until = null
       where organization_id = $1 and id = $2 and status = 'NEEDS_SIGN_IN'`,
    values: [context.organizationId, connectionId, context.now],
  });
  if (rowCount === 1) services.wake(REFRESH_CONNECTIONS);
  return rowCount === 1;
}

/** The problem as the member sees it; internal errors are passed through. */
export function toConnectingProblem(error: unknown): unknown {
  if (error instanceof AggregatorUnavailable) {
    return new AppError(
      "INVALID_PARAMETERS",
      `The institution is not responding (${error.code}). Nothing was connected. Try again later.`,
    );
  }
  if (error instanceof ConnectingRefused && error.code === NOT_OFFERED) {
    return new AppError(
      "INVALID_PARAMETERS",
      "The institution no longer offers an account that you chose. Nothing was connected. Choose again from its list.",
    );
  }
  if (error instanceof ConnectingRefused || error instanceof SignInNeeded) {
    return new AppError(
      "INVALID_PARAMETERS",
      `The institution rejected the sign-in (${error.code}). Start again.`,
    );
  }
  if (error instanceof UnknownInstitution) {
    return new AppError("INVALID_PARAMETERS", "Unknown institution. Choose one from the list.");
  }
  return error;
}

interface KeptConnection {
  status: "ACTIVE" | "NEEDS_SIGN_IN" | "DISCONNECTED";
  access: ConnectionAccess;
}

/** How a connection of the organization is known to its provider; null: no such connection. */
export async function readAccess(
  client: Queryable,
  context: Context,
  connectionId: string,
): Promise<KeptConnection | null> {
  const { rows } = await client.query<{
    status: KeptConnection["status"];
    providerItemId: string;
    sealedAccessToken: Buffer | null;
  }>({
    name: "read_connection_access",
    text: `select status, provider_item_id as "providerItemId", sealed_access_token as "sealedAccessToken"
             from connections where organization_id = $1 and id = $2`,
    values: [context.organizationId, connectionId],
  });
  if (!rows[0]) return null;
  const { status, ...access } = rows[0];
  const { organizationId, now: businessNow } = context;
  return { status, access: { ...access, organizationId, connectionId, businessNow } };
}

/** @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks. */
export function requireConnector(context: Context<MemberActor>): void {
  if (mayDecide(context.actor)) return;
  throw new AppError(
    "ACCESS_DENIED",
    "Only an owner or co-owner may connect, change or disconnect institutions.",
  );
}
