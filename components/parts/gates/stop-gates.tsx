import { StopButton } from "@/components/parts/gates/stop-button";
import { GateClosedIcon } from "@/components/ui/icons";
import { decidesMoney } from "@/lib/contract/members";
import type { ShellView } from "@/lib/views/read-shell";

interface StopGatesProps {
  view: Pick<ShellView, "closedGates" | "user" | "shown">;
  /** `page`: the shell's own button already listens to the keyboard. */
  place: "rail" | "topbar" | "page";
}

type Place = StopGatesProps["place"];

const FRAMED = "gap-2 px-3 border border-edge rounded-md whitespace-nowrap";
const BUTTON = "flex items-center text-left cursor-pointer hover:bg-hover";
const MOVES = "[transition:background_var(--dur-1)]";
/** On the narrowest phones on two lines, beside a find button that keeps its size. */
const NARROW = "max-[361px]:w-23 max-[361px]:px-2 max-[361px]:leading-3.5 max-[361px]:whitespace-normal";
/** The rail shows icons only; what stops everything keeps its words. */
const BUTTON_PLACE: Record<Place, string> = {
  rail: `w-full min-h-10 gap-3 mb-2 px-2 border-y border-rule sm:max-lg:flex-col sm:max-lg:gap-0.5 sm:max-lg:px-0 sm:max-lg:py-1.5 sm:max-lg:text-xs/3.5 sm:max-lg:text-center max-sm:gap-2 max-sm:min-h-11 max-sm:mb-0 max-sm:px-3 max-sm:w-auto max-sm:border max-sm:border-edge max-sm:rounded-md max-sm:text-[13px] max-sm:whitespace-nowrap max-sm:[&>svg]:block max-sm:[&>svg]:size-4 ${NARROW}`,
  topbar: `${FRAMED} min-h-10 text-[13px] max-sm:min-h-11 ${NARROW}`,
  page: `${FRAMED} w-full min-h-12 justify-center max-sm:text-[13px]`,
};
/** In the top bar, it and the find button share the room that is left. */
const AT_THE_RIGHT: Record<Place, string> = {
  rail: "",
  topbar: "ml-auto",
  page: "",
};

/** Cards are not what people think of at a gate, so the label names them before the press ends. */
const WHAT_STOPS =
  "Stops keys, assistants, rules and transfers not yet sent. Card purchases are declined. Everything stays stopped until an owner or co-owner opens the gates.";

/** Above the button in the rail, below it elsewhere; on phones across the window, where the button is at an edge. */
const ON_PHONES = "max-sm:fixed max-sm:inset-x-4 max-sm:top-16 max-sm:w-auto";
const HINT =
  "pointer-events-none invisible absolute z-10 w-60 rounded-lg border border-rule-strong bg-surface p-3 text-left text-sm whitespace-normal text-ink shadow-float peer-hover:visible peer-focus-visible:visible peer-active:visible";
const HINT_PLACE = {
  rail: `bottom-full left-0 mb-1 max-sm:bottom-auto max-sm:mb-0 ${ON_PHONES}`,
  topbar: `top-full right-0 mt-2 max-sm:mt-0 ${ON_PHONES}`,
  page: "top-full left-0 mt-2",
};

/**
 * Stops everything with one tap and no confirmation, from every page, and by ⌘⇧X whatever has the focus. Other roles
 * only see whether the gates are closed.
 */
export function StopGates({ view, place }: StopGatesProps) {
  const { closedGates, user } = view;
  if (closedGates) {
    return (
      // A plain link, for pages with minimal scripts.
      <a
        className={`${BUTTON} ${MOVES} font-semibold text-amber ${BUTTON_PLACE[place]} ${AT_THE_RIGHT[place]}`}
        href="/gates"
      >
        <GateClosedIcon />
        <span>Gates are closed</span>
      </a>
    );
  }
  if (!decidesMoney(user.role)) return null;
  return (
    <StopButton
      shown={view.shown}
      hasShortcut={place !== "page"}
      classNames={{
        form: `relative ${AT_THE_RIGHT[place]}`,
        button: `peer font-medium ${BUTTON} ${MOVES} hover:text-ink ${place === "page" ? "text-ink" : "text-ink-2"} ${BUTTON_PLACE[place]}`,
        hint: `${HINT} ${HINT_PLACE[place]}`,
      }}
      icon={<GateClosedIcon />}
      hint={WHAT_STOPS}
    />
  );
}
