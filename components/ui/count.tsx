import { cva, type VariantProps } from "class-variance-authority";

const countClass = cva("rounded-[10px] bg-amber-soft text-center font-semibold text-amber", {
  variants: {
    place: {
      rail: "ml-auto min-w-5 h-5 px-1.5 text-xs/5 sm:max-lg:absolute sm:max-lg:top-0.5 sm:max-lg:right-0.5",
      tab: "absolute top-1 left-[calc(50%+6px)] min-w-4 h-4 px-1 text-[11px]/4",
      topbar: "ml-0.5 min-w-5 h-5 px-1.5 text-xs/5",
      text: "px-1.5 text-xs/5",
    },
  },
});

export type CountPlace = NonNullable<VariantProps<typeof countClass>["place"]>;

/** How many wait for a person, behind the name of what lists them. */
export function Count({ count, place }: { count: number; place: CountPlace }) {
  return (
    <span className={countClass({ place })}>
      {count}
      {place === "text" ? null : <span className="sr-only"> waiting</span>}
    </span>
  );
}
