import { BookOpen, Download, FileSpreadsheet, FileText } from "lucide-react";
import type { ReactNode } from "react";
import { formatDate } from "@/components/time/format-instant";
import { buttonClass } from "@/components/ui/button";
import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import type { TimeContext } from "@/lib/contract/views/time-context";
import type { YearEndView } from "@/lib/contract/views/year-end-view";

interface YearEndPageProps {
  view: YearEndView;
  time: TimeContext;
  /** The proof that the year adds up. */
  children: ReactNode;
}

export function YearEndPage({ view, time, children }: YearEndPageProps) {
  return (
    <div className="yend">
      <p className="crumb">
        <Link href="/settings">Settings</Link>
        <ChevronIcon />
        <span>Year-end</span>
      </p>
      <PageHead
        title="One file for your accountant"
        lede="Everything that moved in a year, as books that add up."
        actions={<Years view={view} />}
      />
      <div className="cols">
        <div>
          {children}
          <Inside view={view} />
        </div>
        <aside className="side">
          <div className="side-in">
            <section className="panel">
              <h2 className="h2 yend-z">{view.zipName}</h2>
              <dl className="dl">
                <dt>From</dt>
                <dd>{formatDate(view.firstDay, time)}</dd>
                <dt>Until</dt>
                <dd>
                  {formatDate(view.lastDay, time)}
                  {view.readAt === null ? null : ", so far"}
                </dd>
                <dt>Time zone</dt>
                <dd>{view.timeZone.split("/").at(-1)?.replaceAll("_", " ")}</dd>
              </dl>
              {view.zipHref ? (
                <a
                  className={buttonClass({ kind: "primary", size: "large", wide: true })}
                  href={view.zipHref}
                  download
                >
                  <Download className="ic" aria-hidden="true" />
                  Download
                </a>
              ) : (
                <p className="meta">
                  You can view everything here. Only owners, co-owners and accountants can download the file.
                </p>
              )}
            </section>
            <section>
              <h2 className="h3">When the year is over</h2>
              <p className="ink2">
                A bank may book in January what was sent in December; it counts in the year it was booked.
                Booked entries never change, so the file of a past year stays the same.
              </p>
            </section>
          </div>
        </aside>
      </div>
    </div>
  );
}

function Years({ view: { years, year } }: { view: YearEndView }) {
  return (
    <nav className="page-a" aria-label="Year">
      <span className="seg">
        {years
          .slice(0, 6)
          .reverse()
          .map((each) => (
            <Link
              key={each.year}
              href={each.href}
              scroll={false}
              aria-current={each.year === year ? "true" : undefined}
            >
              {each.year}
              {each.isSoFar ? " so far" : null}
            </Link>
          ))}
      </span>
    </nav>
  );
}

function Inside({ view: { year, outsideAccountCount } }: { view: YearEndView }) {
  const outside = outsideAccountCount === 1 ? "1 account" : `${outsideAccountCount} accounts`;
  return (
    <Section id="inside" title="In the file" fact="CSV for spreadsheets, and plain text">
      <ul className="zip">
        <Item icon={<FileText className="ic" aria-hidden="true" />} name="README.txt" note="Read first">
          Contents and totals
        </Item>
        <Item
          icon={<FileSpreadsheet className="ic" aria-hidden="true" />}
          name={`accounts-${year}.csv`}
          note="One file"
        >
          Each account with its balance at the start and at the end
        </Item>
        <Item
          icon={<FileSpreadsheet className="ic" aria-hidden="true" />}
          name="accounts/….csv"
          note="One per active account"
        >
          Every movement: counterparty, who proposed and approved it, note, and the balance after it
        </Item>
        <Item
          icon={<FileSpreadsheet className="ic" aria-hidden="true" />}
          name="outside/….csv"
          note={outside}
        >
          What your banks reported about external accounts; not part of the books
        </Item>
        <Item
          icon={<BookOpen className="ic" aria-hidden="true" />}
          name={`books-${year}.journal`}
          note="Plain text"
        >
          The double-entry books for hledger or ledger, with balance assertions
        </Item>
      </ul>
    </Section>
  );
}

function Item({
  icon,
  name,
  note,
  children,
}: {
  icon: ReactNode;
  name: string;
  note: string;
  children: ReactNode;
}) {
  return (
    <li>
      {icon}
      <div>
        <span className="mono yend-n">{name}</span>
        <p className="meta">{children}</p>
      </div>
      <span className="meta">{note}</span>
    </li>
  );
}
