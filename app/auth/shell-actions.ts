import { signOut, switchOrganization } from "@/app/auth/session-actions";
import { setSingleKeys } from "@/app/set-single-keys";
import { setTheme } from "@/app/set-theme";
import type { ShellActions } from "@/lib/contract/views/shell-view";

/** What the account menu of every page can do. */
export const shellActions: ShellActions = { signOut, switchOrganization, setTheme, setSingleKeys };
