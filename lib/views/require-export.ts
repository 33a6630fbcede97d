import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayExport } from "@/lib/core/shared/permits";

/** @throws AppError `ACCESS_DENIED` for a viewer, who may not export. */
export function requireExport({ actor }: Context<MemberActor>): void {
  if (mayExport(actor)) return;
  throw new AppError(
    "ACCESS_DENIED",
    "Only owners, co-owners and accountants may export. Ask an owner for the file, or for the role.",
  );
}
