/** A page's content, and a narrow column at its right. */
export const COLUMNS =
  "grid grid-cols-[minmax(0,1fr)_352px] [:where(&)]:gap-18 sm:max-lg:grid-cols-[minmax(0,1fr)_300px] sm:max-lg:[:where(&)]:gap-10 max-sm:grid-cols-1 max-sm:[:where(&)]:gap-10 print:block";
/** With a wider column, which goes below in narrow windows. */
export const COLUMNS_WITH_WIDE_SIDE =
  "grid grid-cols-[minmax(0,1fr)_384px] gap-16 max-lg:grid-cols-1 max-lg:gap-12 print:block";
