import { Check, Search, X } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import type { ConnectView, InstitutionView } from "@/lib/contract/views/connections-view";

type Institutions = Extract<ConnectView, { kind: "INSTITUTIONS" }>;

/** The search is in the URL. */
export function InstitutionPicker({ view }: { view: Institutions }) {
  const { query, institutions } = view;
  return (
    <div className="conn">
      <PageHead
        title="Which bank is it?"
        lede="Sandbox institutions hold no real money. They behave like banks with a year of history, and need no password."
      />
      <div className="cols">
        <div>
          <search>
            <form action="/accounts/connect" className="conn-q">
              <div className="in">
                <Search className="ic" />
                <label className="vh" htmlFor="institution">
                  Name of the bank or card
                </label>
                <input
                  className="bare"
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
                <Link className="link" href="/accounts/connect">
                  See all institutions
                </Link>
              </Empty>
            ) : (
              <ul className="inst">
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
      <span className="mono-i" aria-hidden="true">
        {name.charAt(0)}
      </span>
      <span>
        <b>{name}</b>
        {connectedNames.length > 0 ? (
          <span className="meta blk">Connected: {connectedNames.join(", ")}</span>
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
    <aside className="side">
      <div className="side-in">
        <section>
          <div className="sec-h">
            <h2 className="h2">What Sluice gets</h2>
          </div>
          <ul className="cans">
            {GETS.map((words) => (
              <li key={words}>
                <Check className="ic" />
                {words}
              </li>
            ))}
            {NEVER.map((words) => (
              <li key={words} className="no">
                <X className="ic" />
                <span className="vh">Not: </span>
                {words}
              </li>
            ))}
          </ul>
        </section>
        <section>
          <h2 className="h3">How fresh it is</h2>
          <p className="ink2">
            Most banks refresh once each banking day. Pages always say how old a balance is, and an unknown
            balance is never treated as zero.
          </p>
        </section>
      </div>
    </aside>
  );
}
