import { cva } from "class-variance-authority";
import { FlaskConical } from "lucide-react";

const sandboxLineClass = cva("items-center gap-1.5 text-xs text-ink-3", {
  variants: {
    place: {
      rail: "flex mt-auto ml-2 pb-3 whitespace-nowrap sm:max-lg:mx-auto max-sm:hidden",
      topbar: "flex max-sm:hidden",
      sign: "flex",
      // A statement or receipt on paper says it itself, at its end.
      page: "hidden mb-3 max-sm:flex print:flex print:in-[main:has([data-says-sandbox])]:hidden",
    },
  },
});

/** Shown until a real bank is configured. */
export function SandboxLine({ place }: { place: "rail" | "topbar" | "sign" | "page" }) {
  return (
    <p className={sandboxLineClass({ place })}>
      <FlaskConical className="size-3.5" />
      <span className={place === "rail" ? "sm:max-lg:sr-only" : undefined}>Sandbox bank: no real money</span>
    </p>
  );
}

export function SkipLink() {
  return (
    <a
      className="absolute -left-[999px] top-2 z-20 py-2.5 px-4 rounded-md bg-ink text-paper focus:left-2 print:hidden"
      href="#main"
    >
      Skip to content
    </a>
  );
}
