import { ChevronRight, Download, X } from "lucide-react";
import type { ReactNode } from "react";
import { DrawerKeys } from "@/components/movements/list-keys";
import { countWords, listLede, listTitle, positionWords, TAB_WORDS } from "@/components/movements/list-words";
import { MovementDetail, MovementName, movementTitle } from "@/components/movements/movement-detail";
import { MovementFilters } from "@/components/movements/movement-filters";
import { MovementTable } from "@/components/movements/movement-table";
import { buttonClass } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { FlowIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { PagerLink } from "@/components/ui/pager-link";
import { type MovementTab, movementsPath } from "@/lib/contract/movement-search";
import type { CancelAction } from "@/lib/contract/views/decision";
import type { MovementDetailView, MovementListView } from "@/lib/contract/views/movements-view";

const CLOSE_ID = "close-drawer";

interface MovementsPageProps {
  view: MovementListView;
  /** The member's saved filters. */
  saved?: ReactNode;
  cancel: CancelAction;
}

/** A list of movements: totals, filters, a page of rows, and the open movement beside them. */
export function MovementsPage({ view, saved, cancel }: MovementsPageProps) {
  const { open } = view;
  return (
    <div className="mvp">
      <PageHead title={listTitle(view)} lede={listLede(view)} actions={<Actions view={view} />} />
      <nav className="ltabs" aria-label="Movement type">
        {view.tabs.map(({ tab, href, count }) => (
          <Link key={tab} href={href} aria-current={tab === view.tab ? "page" : undefined}>
            {TAB_WORDS[tab]} <span className="dim">{countWords(count)}</span>
          </Link>
        ))}
      </nav>
      <div className={open ? "split split-n" : undefined}>
        <div className="mv-list">
          <MovementFilters view={view} saved={saved} />
          {view.rows.length > 0 ? (
            <MovementTable view={view} caption={`${TAB_WORDS[view.tab]}, newest first`} />
          ) : (
            <Empty title={emptyTitle(view)}>{emptyWords(view)}</Empty>
          )}
          <Pager view={view} />
        </div>
        {open ? <MovementDrawer view={open} closeHref={view.closeHref} cancel={cancel} /> : null}
      </div>
    </div>
  );
}

function Actions({ view }: { view: MovementListView }) {
  return (
    <div className="page-a">
      {view.mayExport ? (
        <>
          {/* A download, not a page: the browser fetches it. */}
          <a className={buttonClass({ kind: "quiet" })} href={view.exportHref} download>
            <Download className="ic" />
            Export CSV
          </a>
          <a
            className={buttonClass({ kind: "quiet" })}
            href={view.exportByAccountHref}
            title="One signed line per account and booking"
            download
          >
            <Download className="ic" />
            CSV by account
          </a>
        </>
      ) : (
        <span className="meta mv-x">Owners, co-owners and accountants can export this list.</span>
      )}
      {view.viewer.canDecide ? (
        <Link className={buttonClass({ kind: "primary" })} href="/transfers/new">
          <FlowIcon />
          Move money
        </Link>
      ) : null}
    </div>
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
    <div className="pager">
      <span>
        {positionWords(view)}
        {isCutShort && rows.length > 0 ? ". Press Older to keep searching" : ""}
      </span>
      <span className="pager-a">
        <PagerLink href={newerHref}>Newer</PagerLink>
        <PagerLink href={olderHref}>Older</PagerLink>
      </span>
    </div>
  );
}

interface MovementDrawerProps {
  view: MovementDetailView;
  closeHref: string;
  cancel: CancelAction;
}

/** One movement beside its list; on phones, instead of it. */
function MovementDrawer({ view, closeHref, cancel }: MovementDrawerProps) {
  return (
    <aside className="drawer" aria-label={movementTitle(view)}>
      <DrawerKeys key={view.id} movementId={view.id} closeId={CLOSE_ID} closeHref={closeHref} />
      <p className="dr-h">
        <MovementName view={view} />
        <span className="dr-hl">
          <Link className="link" href={view.pageHref}>
            Open page
          </Link>
          <Link
            id={CLOSE_ID}
            className={buttonClass({ kind: "quiet" })}
            href={closeHref}
            scroll={false}
            aria-label="Close"
          >
            <X className="ic" />
          </Link>
        </span>
      </p>
      <MovementDetail view={view} cancel={cancel} />
    </aside>
  );
}

const TAB_OF: Record<MovementDetailView["kind"], MovementTab> = {
  TRANSFER: "TRANSFERS",
  CARD: "CARDS",
  OUTSIDE: "OUTSIDE",
};

export function MovementPage({ view, cancel }: { view: MovementDetailView; cancel: CancelAction }) {
  const tab = TAB_OF[view.kind];
  return (
    <>
      <p className="crumb">
        <Link href={movementsPath(tab)}>{tab === "TRANSFERS" ? "Movements" : TAB_WORDS[tab]}</Link>
        <ChevronRight className="ic" />
        <span>{view.shortId}</span>
      </p>
      <h1 className="vh">{movementTitle(view)}</h1>
      <div className="narrow drawer mv-p">
        <p className="dr-h">
          <MovementName view={view} />
        </p>
        <MovementDetail view={view} cancel={cancel} />
      </div>
    </>
  );
}
