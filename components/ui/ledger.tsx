import { cva } from "class-variance-authority";
import type { ComponentProps } from "react";

/**
 * `:where()` leaves the rules without specificity, so a cell's own utilities win; child combinators leave a ledger in a
 * ledger alone. Padding is between columns only; a number keeps its distance from the left.
 */
const LEDGER = [
  "w-full border-collapse",
  "[:where(&>*>tr>th:not(.number))]:text-left",
  "[:where(&>*>tr>:not(:last-child,.number))]:pr-4 max-[381px]:[:where(&>*>tr>:not(:last-child,.number))]:pr-2.5",
  "[:where(&>*>tr>.number)]:text-right [:where(&>*>tr>.number)]:whitespace-nowrap [:where(&>*>tr>.number)]:pl-5 max-sm:[:where(&>*>tr>.number)]:pl-2.5 max-[381px]:[:where(&>*>tr>.number)]:pl-2",
  "[:where(&>:not(tbody)>tr>th)]:text-sm [:where(&>:not(tbody)>tr>th)]:text-ink-3 [:where(&>:not(tbody)>tr>th)]:whitespace-nowrap",
  "[:where(&>thead>tr>th)]:py-2.5 [:where(&>thead>tr>th)]:font-normal",
  "[:where(&>tbody>tr>*)]:py-3.25 [:where(&>tbody>tr>th)]:text-base/4.5 [:where(&>tbody>tr>th)]:font-medium [:where(&>tbody>tr>th)]:text-ink",
  "[:where(&>thead>tr>th,&>tbody>tr:not(:last-child)>*)]:border-b [:where(&>thead>tr>th,&>tbody>tr:not(:last-child)>*)]:border-rule",
  "[:where(&>tfoot>tr>*)]:py-3 [:where(&>tfoot>tr>*)]:border-t [:where(&>tfoot>tr>*)]:border-b-3 [:where(&>tfoot>tr>*)]:border-ink-3 [:where(&>tfoot>tr>*)]:[border-bottom-style:double] [:where(&>tfoot>tr>*)]:font-semibold",
].join(" ");

/** Rows of facts and amounts; cells of amounts have the class `number`. */
export function Ledger({ className = "", ...rest }: ComponentProps<"table">) {
  return <table className={`${LEDGER} ${className}`} {...rest} />;
}

/** A row that a link in it opens. Open, or under the pointer, a wide one reaches over both edges of its table. */
export const linkRowClass = cva("hover:[&>*]:bg-hover", {
  variants: {
    isOpen: {
      true: "[&>*]:bg-water-3 [&>:first-child]:[box-shadow:-12px_0_0_var(--color-water-3)] [&>:last-child]:[box-shadow:12px_0_0_var(--color-water-3)]",
    },
    isWide: { true: "" },
  },
  compoundVariants: [
    {
      isOpen: false,
      isWide: true,
      class:
        "hover:[&>:first-child]:[box-shadow:-12px_0_0_var(--color-hover)] hover:[&>:last-child]:[box-shadow:12px_0_0_var(--color-hover)]",
    },
  ],
});
