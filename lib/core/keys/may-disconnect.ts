import type { MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";

/**
 * Owners and co-owners end any connection, everybody their own: what a member let in they can put out again, whatever
 * their role is now. `revoke_api_key` asks the same of the database, under its locks.
 * @param connectedBy the user who connected it
 */
export function mayDisconnect(actor: MemberActor, connectedBy: string): boolean {
  return mayDecide(actor) || actor.id === connectedBy;
}
