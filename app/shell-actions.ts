import { signOut } from "@/app/auth/session-actions";
import { setSingleKeys, setTheme } from "@/app/browser-actions";
import { beginOpening, closeGates, openGates } from "@/app/gates/actions";
import { beginPresence, confirmPresence } from "@/app/settings/security/actions";
import type { ShellActions } from "@/components/shell/shell-actions";

export const shellActions: ShellActions = {
  signOut,
  setTheme,
  setSingleKeys,
  gates: { closeGates, beginOpening, openGates },
  presence: { beginPresence, confirmPresence },
};
