import { Download } from "lucide-react";
import { AuditFilters } from "@/components/audit/audit-filters";
import { AuditTable } from "@/components/audit/audit-table";
import { foundWords, isFiltered } from "@/components/audit/audit-words";
import { ChainState } from "@/components/audit/chain-state";
import { OpenedEntry } from "@/components/audit/opened-entry";
import { RequestsChart } from "@/components/audit/requests-chart";
import { CopyButton } from "@/components/docs/copy-button";
import { buttonClass } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { PageHead } from "@/components/ui/page-head";
import { PagerLink } from "@/components/ui/pager-link";
import type { AuditView } from "@/lib/contract/views/audit-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

interface AuditPageProps {
  view: AuditView;
  time: TimeContext;
  /** The whole address of what is looked at. */
  link: string;
}

/** Every audited request: filters, two weeks drawn, the list, and one entry opened beside it. */
export function AuditPage({ view, time, link }: AuditPageProps) {
  const { entries, opened, exportHrefs } = view;
  return (
    <div className="audit">
      <PageHead
        title="Audit log"
        lede="Every request of your keys and assistants, refused ones too, since the first. Entries are kept for good: Sluice removes none and can alter none."
        actions={
          <div className="page-a">
            <CopyButton text={link} label="Copy link to this view" size={null} />
            {exportHrefs ? (
              <>
                <a className={buttonClass({ kind: "quiet" })} href={exportHrefs.json} download>
                  JSON
                </a>
                <a className={buttonClass({ kind: "outlined" })} href={exportHrefs.csv} download>
                  <Download className="ic" aria-hidden="true" />
                  Export CSV
                </a>
              </>
            ) : null}
          </div>
        }
      />
      <AuditFilters view={view} />
      <RequestsChart view={view} time={time} />
      <ChainState chain={view.chain} time={time} />
      <div className={opened ? "split is-open" : undefined}>
        <section className="aud-l" aria-labelledby="requests-title">
          <div className="aud-h">
            <h2 className="h3" id="requests-title">
              {isFiltered(view.search) ? "Requests found" : "Requests"}
            </h2>
            <p className="meta">{foundWords(view.found)}</p>
          </div>
          {entries.length === 0 ? (
            <Empty title={isFiltered(view.search) ? "No request fits these filters" : "No request yet"}>
              {isFiltered(view.search)
                ? "Take a filter away, or choose other days."
                : "Each request that a key or an assistant makes stands here, whether it was answered or refused."}
            </Empty>
          ) : (
            <AuditTable entries={entries} openedId={opened?.entry.id ?? null} time={time} />
          )}
          {view.newerHref || view.olderHref ? (
            <nav className="pager" aria-label="Pages of the log">
              <span>{entries.length} on this page</span>
              <span className="pager-a">
                <PagerLink href={view.newerHref}>Newer</PagerLink>
                <PagerLink href={view.olderHref}>Older</PagerLink>
              </span>
            </nav>
          ) : null}
        </section>
        {opened ? <OpenedEntry opened={opened} time={time} /> : null}
      </div>
    </div>
  );
}
