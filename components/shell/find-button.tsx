import { cva } from "class-variance-authority";
import { Search } from "lucide-react";
import { PaletteButton } from "@/components/shell/open-palette";
import { LINK_BUTTON } from "@/components/ui/text-styles";

const findButtonClass = cva(
  "grid place-items-center size-9 border-0 rounded-md bg-transparent text-ink-3 cursor-pointer [transition:background_var(--dur-1)] hover:bg-hover hover:text-ink max-sm:size-11",
  {
    variants: {
      place: {
        rail: "absolute top-6 right-4 lg:[@media(max-height:930px)]:group-data-sandbox/rail:top-4 sm:max-lg:static sm:max-lg:size-11 sm:max-lg:mx-auto sm:max-lg:-mt-5 sm:max-lg:mb-2 max-sm:static max-sm:order-1 max-sm:ml-auto max-sm:flex-none",
        // On the narrowest phones it gives way a little rather than make the page scroll sideways.
        topbar: "ml-auto min-[381px]:flex-none",
      },
    },
  },
);

export function FindButton({ place }: { place: "rail" | "topbar" }) {
  return (
    <PaletteButton
      className={findButtonClass({ place })}
      aria-label="Go, find or do"
      title="Go, find or do (⌘K or Ctrl K)"
    >
      <Search aria-hidden="true" />
    </PaletteButton>
  );
}

/** Offers the palette on a page that was not found. */
export function FindLink() {
  return <PaletteButton className={LINK_BUTTON}>Search by name, amount or ID</PaletteButton>;
}
