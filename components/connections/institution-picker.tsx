import { Search } from "lucide-react";
import { WhatSluiceGets } from "@/components/connections/what-sluice-gets";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import type { ConnectView, InstitutionView } from "@/lib/contract/views/connect-view";

type Institutions = Extract<ConnectView, { kind: "INSTITUTIONS" }>;

/** Finds the institution at which accounts are connected. The search is in the address. */
export function InstitutionPicker({ view }: { view: Institutions }) {
  const { query, institutions } = view;
  return (
    <div className="conn">
      <PageHead
        title="Which bank is it?"
        lede="Sandbox institutions: no real money. They behave like banks, with a year behind them, and ask for no password."
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
              <Empty title="No institution has that in its name">
                <Link className="link" href="/accounts/connect">
                  See all of them
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
  if (isTruncated) return `The first ${institutions.length}; search for others`;
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
