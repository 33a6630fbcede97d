import type { PalettePlace } from "@/components/shell/palette-groups";
import type { ShellView } from "@/lib/views/read-shell";

export function palettePlaceOf(view: ShellView): PalettePlace {
  return {
    organizationName: view.organization.name,
    hasSandboxPage: view.hasSandboxPage,
    hasCards: view.hasCards,
    mayChange: view.user.role === "OWNER" || view.user.role === "CO_OWNER",
    areGatesClosed: view.closedGates !== null,
  };
}
