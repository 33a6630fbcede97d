import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";

/** @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks. */
export function requireConnector(context: Context<MemberActor>): void {
  if (mayDecide(context.actor)) return;
  throw new AppError("ACCESS_DENIED", "Only an owner or co-owner may connect, change or end connections.");
}
