import { AppError } from "@/lib/contract/error";

/** A request that calls a server action. */
export interface ActionUnderWay {
  /** Its arguments were understood, and something of ours runs. */
  hasBegun: boolean;
  /** Next, or the action itself, could not make anything of what it was called with. */
  isUnreadable: boolean;
}

declare global {
  // The launcher's bundle and Next's bundles hold a copy each of this module; the process has one global object.
  var sluiceAction: (() => ActionUnderWay | undefined) | undefined;
}

/** From here on, what breaks is ours. */
export function beginAction(): void {
  const action = globalThis.sluiceAction?.();
  if (action) action.hasBegun = true;
}

/**
 * @param routeType what Next says that broke: `action`, or the page whose form called one before its scripts ran
 * @returns whether an error of a request is its caller's: it called an action with what cannot be read
 */
export function isUnreadableAction(error: unknown, routeType: string): boolean {
  const action = globalThis.sluiceAction?.();
  if (!action) return false;
  const isRefused = error instanceof AppError && error.code === "INVALID_PARAMETERS";
  const isUndecoded = !action.hasBegun && (routeType === "action" || isNoForm(error));
  if (!isRefused && !isUndecoded) return false;
  action.isUnreadable = true;
  return true;
}

/** In the words of Node's own reader of bodies, which has no code for it. */
function isNoForm(error: unknown): boolean {
  return error instanceof TypeError && error.message.startsWith("Failed to parse body as FormData");
}
