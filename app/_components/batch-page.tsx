import { BatchLater } from "@/app/_components/batch-later";
import { BatchLines } from "@/app/_components/batch-lines";
import { AchLabel, BatchReason } from "@/app/_components/batch-parts";
import { destinationsOf, sourcesOf, sumOfLines, transfersWords } from "@/app/_components/batch-words";
import { WatchVersion } from "@/components/act/watch-version";
import { COLUMNS } from "@/components/layout/columns";
import { SideColumn } from "@/components/layout/side-column";
import { EndedPanel, ViewerPanel } from "@/components/parts/approvals/approval-panels";
import { WhoAsks } from "@/components/parts/approvals/approval-sections";
import { ApprovalStatusChip } from "@/components/parts/approvals/approval-status";
import { History } from "@/components/parts/approvals/history";
import { QuestionHeading } from "@/components/parts/approvals/question-heading";
import { Signatures } from "@/components/parts/approvals/signatures";
import { FactLine } from "@/components/ui/fact-line";
import { LEDE, MONO } from "@/components/ui/text-styles";
import type { ApprovalStatus } from "@/lib/contract/approvals/approval";
import type { ProposalStatus } from "@/lib/contract/approvals/proposal";
import type { BatchApprovalView, BatchLineView } from "@/lib/views/approvals/get-batch-approval";

interface BatchPageProps {
  view: BatchApprovalView;
  inboxHref: string;
  /** Returns `{ "version": string }`. */
  refreshPath: string;
  /** Opens the denial at once. */
  opensDenial: boolean;
}

const POLL_WAITING_MS = 10_000;
const POLL_ON_ITS_WAY_MS = 5_000;

/** A batch in every state: while it waits, its lines can be struck out; after that, what became of each. */
export function BatchPage({ view, inboxHref, refreshPath, opensDenial }: BatchPageProps) {
  const isWaiting = view.status === "WAITING";
  const isOnItsWay = view.lines.some(({ status }) => status === "ON_ITS_WAY");
  return (
    <>
      {isWaiting ? (
        <BatchLater
          view={view}
          opensDenial={opensDenial}
          who={<WhoAsks requester={view.shared.requester} time={view.time} />}
          history={<History view={view.shared} />}
          signatures={
            view.shared.signing ? (
              <Signatures signing={view.shared.signing} time={view.time} verb="approve" />
            ) : null
          }
          viewerPanel={<ViewerPanel view={view.shared} />}
        />
      ) : (
        <Ended view={view} inboxHref={inboxHref} />
      )}
      {isWaiting || isOnItsWay ? (
        <WatchVersion
          path={refreshPath}
          version={view.version}
          intervalMs={isWaiting ? POLL_WAITING_MS : POLL_ON_ITS_WAY_MS}
        />
      ) : null}
    </>
  );
}

/** What a decided batch is as a whole; its lines have their own. */
const AS_A_WHOLE: Record<Exclude<ProposalStatus, "WAITING" | "APPROVED">, ApprovalStatus> = {
  DENIED: "DENIED",
  EXPIRED: "EXPIRED",
  WITHDRAWN: "WITHDRAWN",
  REVOKED: "REVOKED",
};

/** The gravest of its lines: one that failed shows although the others settled. */
const GRAVEST: readonly ApprovalStatus[] = ["FAILED", "RETURNED", "CANCELLED", "ON_ITS_WAY", "SETTLED"];

function statusOf({ status }: BatchApprovalView, approved: readonly BatchLineView[]): ApprovalStatus {
  if (status !== "APPROVED" && status !== "WAITING") return AS_A_WHOLE[status];
  const states = new Set(approved.map((line) => line.status));
  const gravest = GRAVEST.find((one) => states.has(one)) ?? "SETTLED";
  const isMixed = states.size > 1 && gravest !== "ON_ITS_WAY";
  return isMixed ? "PARTIAL" : gravest;
}

function Ended({ view, inboxHref }: Pick<BatchPageProps, "view" | "inboxHref">) {
  const { shared, lines } = view;
  const isApproved = view.status === "APPROVED";
  const struck = new Set(lines.filter(({ isStruck }) => isStruck).map(({ line }) => line));
  const approved = lines.filter(({ line }) => !struck.has(line));
  const status = statusOf(view, approved);
  const head = { ...shared, id: view.id, status, canCancel: false, moveBackHref: null, movedBackHref: null };
  return (
    <div className={`${COLUMNS} max-sm:gap-8`}>
      <div>
        <FactLine as="div" className="mb-5">
          <ApprovalStatusChip
            status={status}
            canDecide={shared.viewer.canDecide}
            isAssistant={shared.requester.kind === "ASSISTANT"}
          />
          <span title={view.id}>
            Batch <span className={MONO}>{view.shortId}</span>
          </span>
          <span>
            {transfersWords(lines.length)}
            {struck.size > 0 ? `, ${struck.size} struck out` : ""}
          </span>
          <AchLabel lines={lines} />
        </FactLine>
        <QuestionHeading
          before={BEFORE[status]}
          amountInCents={sumOfLines(approved)}
          after={`from ${sourcesOf(approved)} to ${destinationsOf(view, approved)}.`}
          isFaded={!isApproved}
        />
        <p className={`${LEDE} mt-3`} role="status">
          {isApproved ? approvedLede(approved, struck.size) : "Nothing moved."}
        </p>
        <BatchReason reason={view.reason}>
          <WhoAsks requester={shared.requester} time={view.time} />
        </BatchReason>
        <BatchLines view={view} struck={struck} at={null} onStrike={null} />
      </div>
      <SideColumn as="div">
        <EndedPanel view={head} inboxHref={inboxHref} />
        <History view={shared} />
      </SideColumn>
    </div>
  );
}

const BEFORE: Record<ApprovalStatus, string> = {
  WAITING: "Move",
  ON_ITS_WAY: "On its way:",
  SETTLED: "Moved",
  PARTIAL: "Partly moved:",
  FAILED: "Did not move:",
  RETURNED: "Returned:",
  CANCELLED: "Canceled:",
  DENIED: "Denied:",
  EXPIRED: "Expired:",
  REVOKED: "Ended with its key:",
  RULE_CHANGED: "Ended:",
  WITHDRAWN: "Withdrawn:",
};

function approvedLede(approved: readonly BatchLineView[], struckCount: number): string {
  const failed = approved.filter(
    ({ status }) => status === "FAILED" || status === "RETURNED" || status === "CANCELLED",
  );
  const parts = [
    struckCount > 0
      ? `${struckCount === 1 ? "1 line was" : `${struckCount} lines were`} struck out and denied.`
      : null,
    failed.length > 0
      ? `${failed.length === 1 ? "1 line" : `${failed.length} lines`} did not go through at the bank; the others are not affected.`
      : null,
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(" ") : "All lines were accepted together.";
}
