import { signOut } from "@/app/auth/session-actions";
import { beginOpening, closeGates, openGates } from "@/app/gates/actions";
import { setSingleKeys } from "@/app/set-single-keys";
import { setTheme } from "@/app/set-theme";
import type { ShellActions } from "@/lib/contract/views/shell-view";

/** What can be done from every page. */
export const shellActions: ShellActions = {
  signOut,
  setTheme,
  setSingleKeys,
  gates: { closeGates, beginOpening, openGates },
};
