import type { PalettePlace } from "@/components/palette/palette-groups";
import type { ShellView } from "@/lib/contract/views/shell-view";

/** What the palette needs to know of where it is open. */
export function palettePlaceOf(view: ShellView): PalettePlace {
  return {
    organizationName: view.organization.name,
    hasSandboxPage: view.hasSandboxPage,
    mayChange: view.user.role === "OWNER" || view.user.role === "CO_OWNER",
    areGatesClosed: view.closedGates !== null,
  };
}
