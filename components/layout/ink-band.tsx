import type { ReactNode } from "react";

/** Its buttons, on ink: outlined, never filled. */
const BUTTONS =
  "[&>:is(a,button)]:border-paper/55 [&>:is(a,button)]:bg-transparent [&>:is(a,button)]:text-inherit [&>:is(a,button):hover]:bg-paper/14 max-sm:[&>:is(a,button)]:col-span-full [&>form>button]:border-paper/55 [&>form>button]:bg-transparent [&>form>button]:text-inherit [&>form>button:hover]:bg-paper/14";

interface InkBandProps {
  role: "status" | "alert";
  /** Stays at the top of the window. */
  fixed?: boolean;
  children: ReactNode;
}

/** Across the whole window, above everything else of the page: a sentence and what to do. */
export function InkBand({ role, fixed = false, children }: InkBandProps) {
  return (
    <div
      className={`flex items-center gap-5 min-h-16 py-2.5 pr-10 pl-7 bg-ink text-paper ${fixed ? "fixed inset-x-0 top-0 z-40 flex-wrap" : ""} [&_b]:font-semibold [&>p]:flex-1 [&>p]:leading-5 [&>p>span]:opacity-86 max-sm:grid max-sm:grid-cols-[auto_1fr] max-sm:gap-y-2 max-sm:gap-x-3.5 max-sm:py-3.5 max-sm:px-5 max-sm:[&>p>span]:block max-sm:[&>[role='status']:not(:empty)]:col-span-full ${BUTTONS}`}
      role={role}
    >
      {children}
    </div>
  );
}
