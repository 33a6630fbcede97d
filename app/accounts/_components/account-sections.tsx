import type { ReactNode } from "react";
import { Section } from "@/components/layout/section";
import { Ledger, linkRowClass } from "@/components/ui/ledger";
import { Link } from "@/components/ui/link";
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
      <Ledger className="[&_tbody_th]:w-[34%] max-sm:[&_tbody_th]:w-auto">
        <caption className="sr-only">{title}</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Account</th>
            <th scope="col">Status</th>
            <th scope="col">Balance</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className={row.href ? linkRowClass() : undefined}>
              <th scope="row">
                {row.href ? <Link href={row.href}>{row.name}</Link> : row.name}
                {row.about ? <span className={SUBLINE}>{row.about}</span> : null}
                {row.state ? (
                  <div className="sm:hidden! print:hidden! max-sm:mt-1.5 max-sm:font-normal max-sm:whitespace-normal">
                    {row.state}
                  </div>
                ) : null}
              </th>
              <td className="max-sm:not-print:hidden!">{row.state}</td>
              <td className="number w-37.5 max-sm:w-auto">{row.amount}</td>
            </tr>
          ))}
        </tbody>
        {total ? (
          <tfoot>
            <tr>
              <th scope="row">{total.label}</th>
              <td className="max-sm:not-print:hidden!" />
              <td className="number w-37.5 max-sm:w-auto">{total.amount}</td>
            </tr>
          </tfoot>
        ) : null}
      </Ledger>
      {pager}
    </Section>
  );
}
