import { BookOpen, Download, FileSpreadsheet, FileText } from "lucide-react";
import type { ReactNode } from "react";
import { COLUMNS } from "@/components/layout/columns";
import { Crumb } from "@/components/layout/crumb";
import { PageActions, PageHead } from "@/components/layout/page-head";
import { PANEL_WITH_BUTTONS } from "@/components/layout/panel";
import { Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { formatDate } from "@/components/time/format-instant";
import { buttonClass } from "@/components/ui/button";
import { SEGMENTED } from "@/components/ui/choice-class";
import { DefinitionList } from "@/components/ui/definition-list";
import { Link } from "@/components/ui/link";
import { MONO, SECTION_TITLE } from "@/components/ui/text-styles";
import type { TimeContext } from "@/lib/contract/time-context";
import type { YearEndView } from "@/lib/views/read-year-end";

interface YearEndPageProps {
  view: YearEndView;
  time: TimeContext;
  /** The proof that the year adds up. */
  children: ReactNode;
}

export function YearEndPage({ view, time, children }: YearEndPageProps) {
  return (
    <div>
      <Crumb ways={[{ href: "/settings", label: "Settings" }]} here="Year-end" />
      <PageHead
        title="One file for your accountant"
        lede="Everything that moved in a year, as books that add up."
        actions={<Years view={view} />}
      />
      <div className={COLUMNS}>
        <div>
          {children}
          <Inside view={view} />
        </div>
        <SideColumn>
          <section className={PANEL_WITH_BUTTONS}>
            <h2 className={`${SECTION_TITLE} wrap-anywhere`}>{view.zipName}</h2>
            <DefinitionList className="mt-4 mb-5">
              <dt>From</dt>
              <dd>{formatDate(view.firstDay, time)}</dd>
              <dt>Until</dt>
              <dd>
                {formatDate(view.lastDay, time)}
                {view.readAt === null ? null : ", so far"}
              </dd>
              <dt>Time zone</dt>
              <dd>{view.timeZone.split("/").at(-1)?.replaceAll("_", " ")}</dd>
            </DefinitionList>
            {view.zipHref ? (
              <a
                className={buttonClass({ kind: "primary", size: "large", wide: true })}
                href={view.zipHref}
                download
              >
                <Download aria-hidden="true" />
                Download
              </a>
            ) : (
              <p className="text-sm text-ink-3">
                You can view everything here. Only owners, co-owners and accountants can download the file.
              </p>
            )}
          </section>
          <section>
            <h2 className="text-base font-semibold">When the year is over</h2>
            <p className="text-ink-2">
              A bank may book in January what was sent in December; it counts in the year it was booked.
              Booked entries never change, so the file of a past year stays the same.
            </p>
          </section>
        </SideColumn>
      </div>
    </div>
  );
}

function Years({ view: { years, year } }: { view: YearEndView }) {
  return (
    <PageActions label="Year">
      <span className={SEGMENTED}>
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
    </PageActions>
  );
}

function Inside({ view: { year, outsideAccountCount } }: { view: YearEndView }) {
  const outside = outsideAccountCount === 1 ? "1 account" : `${outsideAccountCount} accounts`;
  return (
    <Section id="inside" title="In the file" fact="CSV for spreadsheets, and plain text">
      <ul className="[&>li]:grid [&>li]:grid-cols-[20px_minmax(0,1fr)_auto] [&>li]:items-center [&>li]:gap-y-0 [&>li]:gap-x-4 [&>li]:py-3.25 [&>li]:px-0 [&>li]:border-b [&>li]:border-rule [&>li:last-child]:border-b-0 [&_svg]:text-ink-3 max-sm:[&>li]:grid-cols-[20px_minmax(0,1fr)]">
        <Item icon={<FileText aria-hidden="true" />} name="README.txt" note="Read first">
          Contents and totals
        </Item>
        <Item icon={<FileSpreadsheet aria-hidden="true" />} name={`accounts-${year}.csv`} note="One file">
          Each account with its balance at the start and at the end
        </Item>
        <Item
          icon={<FileSpreadsheet aria-hidden="true" />}
          name="accounts/….csv"
          note="One per active account"
        >
          Every movement: counterparty, who proposed and approved it, note, and the balance after it
        </Item>
        <Item icon={<FileSpreadsheet aria-hidden="true" />} name="outside/….csv" note={outside}>
          What your banks reported about external accounts; not part of the books
        </Item>
        <Item icon={<BookOpen aria-hidden="true" />} name={`books-${year}.journal`} note="Plain text">
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
        <span className={`${MONO} font-medium wrap-anywhere`}>{name}</span>
        <p className="text-sm text-ink-3">{children}</p>
      </div>
      <span className="text-sm text-ink-3 max-sm:hidden">{note}</span>
    </li>
  );
}
