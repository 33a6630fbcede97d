import { Download, X } from "lucide-react";
import type { ReactNode } from "react";
import { listRows } from "@/app/transfers/_components/list-rows";
import { MovementDetail, MovementName, movementTitle } from "@/app/transfers/_components/movement-detail";
import { MovementFilters } from "@/app/transfers/_components/movement-filters";
import { MovementTable } from "@/app/transfers/_components/movement-table";
import { Crumb } from "@/components/layout/crumb";
import { DRAWER_HEAD, Drawer, Split } from "@/components/layout/drawer";
import { PageActions, PageHead } from "@/components/layout/page-head";
import { PagerLink, PagerRow } from "@/components/layout/pager-link";
import { DrawerKeys } from "@/components/parts/movements/list-keys";
import {
  countWords,
  listLede,
  listSums,
  listTitle,
  positionWords,
  TAB_WORDS,
} from "@/components/parts/movements/list-words";
import { buttonClass } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { FlowIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { TAB_COUNT, tabClass, tabListClass } from "@/components/ui/tabs";
import { LINK } from "@/components/ui/text-styles";
import { type MovementTab, movementsPath } from "@/lib/contract/search/movement-search";
import type { MovementListView } from "@/lib/views/movements/list-member-movements";
import type { MovementDetailView } from "@/lib/views/movements/read-movement-detail";

const CLOSE_ID = "close-drawer";

interface MovementsPageProps {
  view: MovementListView;
  /** A search for an amount that cannot be read, as typed; nothing is filtered by it. */
  refusedAmount?: string | null;
  /** The member's saved filters. */
  saved?: ReactNode;
}

/** A list of movements: totals, filters, a page of rows, and the open movement beside them. */
export function MovementsPage({ view, refusedAmount = null, saved }: MovementsPageProps) {
  const { open } = view;
  return (
    <div>
      <PageHead
        className="mb-5"
        title={listTitle(view)}
        lede={listLede(view)}
        actions={<Actions view={view} />}
      />
      <nav className={tabListClass({ kind: "page" })} aria-label="Movement type">
        {view.tabs.map(({ tab, href, count }) => (
          <Link
            key={tab}
            className={tabClass({ kind: "page" })}
            href={href}
            aria-current={tab === view.tab ? "page" : undefined}
          >
            {TAB_WORDS[tab]} <span className={TAB_COUNT}>{countWords(count)}</span>
          </Link>
        ))}
      </nav>
      <Split place="list" isOpen={open !== null}>
        <div className={open ? "max-sm:hidden" : undefined}>
          <MovementFilters view={view} refusedAmount={refusedAmount} saved={saved} />
          {view.rows.length > 0 ? (
            <MovementTable
              rows={listRows(view)}
              sums={listSums(view)}
              canDecide={view.viewer.canDecide}
              caption={`${TAB_WORDS[view.tab]}, newest first`}
            />
          ) : (
            <Empty title={emptyTitle(view)}>{emptyWords(view)}</Empty>
          )}
          <Pager view={view} />
        </div>
        {open ? <MovementDrawer view={open} closeHref={view.closeHref} /> : null}
      </Split>
    </div>
  );
}

function Actions({ view }: { view: MovementListView }) {
  return (
    <PageActions>
      {view.mayExport ? (
        <>
          {/* A download, not a page: the browser fetches it. */}
          <a className={buttonClass({ kind: "quiet" })} href={view.exportHref} download>
            <Download />
            Export CSV
          </a>
          <a
            className={buttonClass({ kind: "quiet" })}
            href={view.exportByAccountHref}
            title="One signed line per account and booking"
            download
          >
            <Download />
            CSV by account
          </a>
        </>
      ) : (
        <span className="text-sm text-ink-3 max-w-55">
          Owners, co-owners and accountants can export this list.
        </span>
      )}
      {view.viewer.canDecide ? (
        <Link className={buttonClass({ kind: "primary" })} href="/transfers/new">
          <FlowIcon />
          Move money
        </Link>
      ) : null}
    </PageActions>
  );
}

function emptyTitle({ isNarrowed, isCutShort, newerHref }: MovementListView): string {
  if (isCutShort) return "No results so far";
  if (newerHref !== null) return "No older movements";
  return isNarrowed ? "No results" : "No movements yet";
}

function emptyWords({ isNarrowed, isCutShort, newerHref, tab }: MovementListView): string {
  if (isCutShort) return "There are more movements in this window. Press Older to keep searching.";
  if (newerHref !== null) return "The list has no page this far back.";
  if (isNarrowed) return "Clear a filter or choose a longer period.";
  if (tab === "CARDS") return "Settled card transactions will appear here.";
  if (tab === "OUTSIDE") return "Connect a bank to see the activity on its accounts.";
  return "All transfers in this period appear here, including denied and failed ones.";
}

function Pager({ view }: { view: MovementListView }) {
  const { newerHref, olderHref, isCutShort, rows } = view;
  if (rows.length === 0 && !newerHref && !olderHref) return null;
  return (
    <PagerRow>
      <span>
        {positionWords(view)}
        {isCutShort && rows.length > 0 ? ". Press Older to keep searching" : ""}
      </span>
      <span className="flex gap-2">
        <PagerLink href={newerHref}>Newer</PagerLink>
        <PagerLink href={olderHref}>Older</PagerLink>
      </span>
    </PagerRow>
  );
}

interface MovementDrawerProps {
  view: MovementDetailView;
  closeHref: string;
}

/** One movement beside its list; on phones, instead of it. */
function MovementDrawer({ view, closeHref }: MovementDrawerProps) {
  return (
    <Drawer place="list" label={movementTitle(view)}>
      <DrawerKeys key={view.id} movementId={view.id} closeId={CLOSE_ID} closeHref={closeHref} />
      <p className={DRAWER_HEAD}>
        <MovementName view={view} />
        <span className="inline-flex items-center gap-3 text-[13px]">
          <Link className={LINK} href={view.pageHref}>
            Open page
          </Link>
          <Link
            id={CLOSE_ID}
            className={buttonClass({ kind: "quiet" })}
            href={closeHref}
            scroll={false}
            aria-label="Close"
          >
            <X />
          </Link>
        </span>
      </p>
      <MovementDetail view={view} />
    </Drawer>
  );
}

const TAB_OF: Record<MovementDetailView["kind"], MovementTab> = {
  TRANSFER: "TRANSFERS",
  CARD: "CARDS",
  OUTSIDE: "OUTSIDE",
};

export function MovementPage({ view }: { view: MovementDetailView }) {
  const tab = TAB_OF[view.kind];
  return (
    <>
      <Crumb
        ways={[{ href: movementsPath(tab), label: tab === "TRANSFERS" ? "Movements" : TAB_WORDS[tab] }]}
        here={view.shortId}
      />
      <h1 className="sr-only">{movementTitle(view)}</h1>
      <div className="max-w-180">
        <p className={DRAWER_HEAD}>
          <MovementName view={view} />
        </p>
        <MovementDetail view={view} />
      </div>
    </>
  );
}
