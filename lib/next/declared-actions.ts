import type { z } from "zod";

/**
 * `OWNER`: owners alone. `DECIDERS`: owners and co-owners. `MEMBERS`: every member, to read or for their own things; the
 * command refuses others' things.
 */
export type MayAct = "OWNER" | "DECIDERS" | "MEMBERS";

/** What a server action says of itself; tests derive its callers and spoiled input. */
export interface Declaration {
  /** `SELF`: a member about their own sign-in. `ANYONE`: without a session. */
  may: MayAct | "SELF" | "ANYONE";
  input: z.ZodType;
}

const declarations = new WeakMap<object, Declaration>();

export function declareAction<Act extends object>(declaration: Declaration, act: Act): Act {
  declarations.set(act, declaration);
  return act;
}

/** Undefined for a function that `memberAction` and its siblings did not make. */
export function declarationOf(action: object): Declaration | undefined {
  return declarations.get(action);
}
