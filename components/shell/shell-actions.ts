import type { PresenceActions } from "@/components/act/presence-actions";
import type { GatesActions } from "@/components/parts/gates/gates-actions";
import type { Theme } from "@/lib/contract/browser/setting";

/** The server actions behind what surrounds a page. */
export interface ShellActions {
  gates: GatesActions;
  /** For the step-up of what the page changes. */
  presence: PresenceActions;
  signOut: () => Promise<void>;
  /** Sets the cookie `theme`. */
  setTheme: (theme: Theme) => Promise<void>;
  /** Sets the cookie `keys`: whether single keys act in this browser. */
  setSingleKeys: (isOn: boolean) => Promise<void>;
}
