import { Check, Search, X } from "lucide-react";
import { COLUMNS } from "@/components/layout/columns";
import { PageHead } from "@/components/layout/page-head";
import { SECTION_HEAD, Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { ChevronIcon } from "@/components/ui/icons";
import { inputClass } from "@/components/ui/input-class";
import { Link } from "@/components/ui/link";
import { POWER_LIST } from "@/components/ui/power-list";
import { LINK, SECTION_TITLE, SUBLINE } from "@/components/ui/text-styles";
import type { ConnectView, InstitutionView } from "@/lib/views/connections/read-connect-page";

type Institutions = Extract<ConnectView, { kind: "INSTITUTIONS" }>;

/** The search is in the URL. */
export function InstitutionPicker({ view }: { view: Institutions }) {
  const { query, institutions } = view;
  return (
    <div className="[&_.section]:mt-8">
      <PageHead
        title="Which bank is it?"
        lede="Sandbox institutions hold no real money. They behave like banks with a year of history, and need no password."
      />
      <div className={COLUMNS}>
        <div>
          <search>
            <form action="/accounts/connect" className="flex gap-2 [&_.button]:min-h-12">
              <div className={`${inputClass({ of: "box" })} min-w-0 min-h-12 flex-1 gap-2.5`}>
                <Search />
                <label className="sr-only" htmlFor="institution">
                  Name of the bank or card
                </label>
                <input
                  className="flex-1 min-w-0 border-0 bg-transparent outline-none"
                  id="institution"
                  name="q"
                  defaultValue={query}
                  maxLength={100}
                  autoComplete="off"
                  placeholder="Name of the bank or card"
                />
              </div>
              <Button kind="outlined" type="submit">
                Search
              </Button>
            </form>
          </search>
          <Section
            id="institutions"
            title={query === "" ? "Institutions" : `Named “${query}”`}
            fact={factOf(view)}
          >
            {institutions.length === 0 ? (
              <Empty title="No results">
                <Link className={LINK} href="/accounts/connect">
                  See all institutions
                </Link>
              </Empty>
            ) : (
              <ul className="grid grid-cols-2 gap-y-0 gap-x-12 [&_a]:grid [&_a]:grid-cols-[40px_minmax(0,1fr)_18px] [&_a]:items-center [&_a]:gap-3.5 [&_a]:h-full [&_a]:py-3 [&_a]:px-0 [&_a]:border-b [&_a]:border-rule [&_a]:wrap-anywhere [&_a:hover_b]:text-teal [&_b]:font-medium [&_svg]:text-ink-3 max-sm:grid-cols-1">
                {institutions.map((institution) => (
                  <li key={institution.href}>
                    <InstitutionLink {...institution} />
                  </li>
                ))}
              </ul>
            )}
          </Section>
        </div>
        <WhatSluiceGets />
      </div>
    </div>
  );
}

function factOf({ institutions, isTruncated }: Institutions): string | null {
  if (isTruncated) return `First ${institutions.length}; search for others`;
  return institutions.length === 0 ? null : `${institutions.length} found`;
}

function InstitutionLink({ name, href, connectedNames }: InstitutionView) {
  return (
    <Link href={href}>
      <span
        className="grid place-items-center size-10 border border-rule-strong rounded-md font-display text-[18px] text-ink-2"
        aria-hidden="true"
      >
        {name.charAt(0)}
      </span>
      <span>
        <b>{name}</b>
        {connectedNames.length > 0 ? (
          <span className={SUBLINE}>Connected: {connectedNames.join(", ")}</span>
        ) : null}
      </span>
      <ChevronIcon />
    </Link>
  );
}

const GETS = [
  "Names and balances",
  "A year of transactions, and each new one",
  "Transfers over ACH, when you ask",
];
const NEVER = ["Your password", "Moves inside that bank"];

export function WhatSluiceGets() {
  return (
    <SideColumn>
      <section>
        <div className={SECTION_HEAD}>
          <h2 className={SECTION_TITLE}>What Sluice gets</h2>
        </div>
        <ul className={POWER_LIST}>
          {GETS.map((words) => (
            <li key={words}>
              <Check />
              {words}
            </li>
          ))}
          {NEVER.map((words) => (
            <li key={words} data-can="NO">
              <X />
              <span className="sr-only">Not: </span>
              {words}
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2 className="text-base font-semibold">How fresh it is</h2>
        <p className="mt-2 text-ink-2">
          Most banks refresh once each banking day. Pages always say how old a balance is, and an unknown
          balance is never treated as zero.
        </p>
      </section>
    </SideColumn>
  );
}
