import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";

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
    <Section id={id} title={title} fact={fact}>
      <table className="ledger acc">
        <caption className="vh">{title}</caption>
        <thead className="vh">
          <tr>
            <th scope="col">Account</th>
            <th scope="col">Status</th>
            <th scope="col">Balance</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className={row.href ? "is-link" : undefined}>
              <th scope="row">
                {row.href ? <Link href={row.href}>{row.name}</Link> : row.name}
                {row.about ? <span className="meta blk">{row.about}</span> : null}
                {row.state ? <div className="only-s acc-s">{row.state}</div> : null}
              </th>
              <td className="hide-s">{row.state}</td>
              <td className="num">{row.amount}</td>
            </tr>
          ))}
        </tbody>
        {total ? (
          <tfoot>
            <tr>
              <th scope="row">{total.label}</th>
              <td className="hide-s" />
              <td className="num">{total.amount}</td>
            </tr>
          </tfoot>
        ) : null}
      </table>
      {pager}
    </Section>
  );
}
