import type { ReactNode } from "react";
import { LinkedTable } from "@/components/layout/linked-table";
import { Section } from "@/components/layout/section";
import { SUBLINE } from "@/components/ui/text-styles";

export interface AccountRow {
  id: string;
  name: string;
  href: string | null;
  /** Below the name: institution, number, description. */
  about: string | null;
  /** In the middle, on phones below the name: pending money, goal, age of the balance. */
  state: ReactNode;
  amount: ReactNode;
}

interface AccountSectionProps {
  id: string;
  title: string;
  fact: string;
  rows: AccountRow[];
  /** Closes the section with a double rule. */
  total?: { label: string; amount: ReactNode } | undefined;
  /** Below the section if it is not shown completely. */
  pager?: ReactNode;
}

/** One account type as a ledger. Hidden if there are none. */
export function AccountSection({ id, title, fact, rows, total, pager }: AccountSectionProps) {
  if (rows.length === 0) return null;
  return (
    <Section id={id} title={title} fact={fact} className="mt-11">
      <LinkedTable
        className="[&_tbody_th]:w-[34%] max-sm:[&_tbody_th]:w-auto"
        caption={title}
        areHeadsHidden
        rows={rows}
        link={({ href }) => href}
        columns={[
          {
            head: "Account",
            header: true,
            cell: ({ name }) => name,
            about: ({ about }) => (about ? <span className={SUBLINE}>{about}</span> : null),
            foot: total?.label,
          },
          {
            head: "Status",
            phone: "BELOW",
            belowClass: "block max-sm:mt-1.5 max-sm:font-normal max-sm:whitespace-normal",
            cell: ({ state }) => state,
          },
          {
            head: "Balance",
            kind: "NUMBER",
            columnClass: "w-37.5 max-sm:w-auto",
            cell: ({ amount }) => amount,
            foot: total?.amount,
          },
        ]}
      />
      {pager}
    </Section>
  );
}
