import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/shared/context";

/** Owners, co-owners and accountants take records out of Sluice (decisions page, roles); a viewer reads them here. */
export function mayExport({ actor }: Context<MemberActor>): boolean {
  return actor.role !== "VIEWER";
}

/** @throws AppError `ACCESS_DENIED` for a viewer. */
export function requireAccountant(context: Context<MemberActor>): void {
  if (mayExport(context)) return;
  throw new AppError(
    "ACCESS_DENIED",
    "Only an owner, a co-owner or an accountant may take records out of Sluice. Ask one of them.",
  );
}
