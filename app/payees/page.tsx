import type { Metadata } from "next";
import { memberPage } from "@/app/member-page";
import { PayeesList } from "@/app/payees/_components/payees-list";
import { payeePlaceSchema } from "@/lib/contract/search/search-schemas";
import { readPayees } from "@/lib/views/payees/read-payees";

export const metadata: Metadata = { title: "Payees" };

export default memberPage({
  search: (asked) => payeePlaceSchema.parse(asked),
  at: "/payees",
  current: "PAYEES",
  load: (reading) => readPayees(reading),
  show: ({ view, search }) => <PayeesList view={view} showsAll={search.show === "all"} />,
});
