import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { KeyPhrases } from "@/app/settings/_components/key-phrases";
import { KeyState } from "@/app/settings/api-keys/_components/key-state";
import { PageActions, PageHead } from "@/components/layout/page-head";
import { PagerLink, PagerRow } from "@/components/layout/pager-link";
import { Table } from "@/components/layout/table";
import { RecentDecisions } from "@/components/parts/approvals/recent-decisions";
import { WaitingChangeNotes } from "@/components/parts/approvals/waiting-change-notes";
import { RowSluice, type SluiceState } from "@/components/sluice/row-sluice";
import { Moment } from "@/components/time/moment";
import { buttonClass } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { linkRowClass } from "@/components/ui/ledger";
import { Link } from "@/components/ui/link";
import { KEY_NAME, LINK, SUBLINE } from "@/components/ui/text-styles";
import { movesAlone } from "@/lib/contract/api-key";
import { formatCents } from "@/lib/contract/format-cents";
import type { TimeContext } from "@/lib/contract/time-context";
import type { KeyRowView, KeysView } from "@/lib/views/keys/list-keys";
import { findPermission } from "@/lib/words/keys/key-powers";
import { countingRoutes, keyPhrase } from "@/lib/words/keys/key-sentence";
import { lookAlikeWords } from "@/lib/words/look-alike-words";

const NUMBERS = [
  "No",
  "One",
  "Two",
  "Three",
  "Four",
  "Five",
  "Six",
  "Seven",
  "Eight",
  "Nine",
  "Ten",
  "Eleven",
  "Twelve",
];

/** Every key: what it may do, its last use and what became of its proposals. */
export function KeysList({ view }: { view: KeysView }) {
  const working = view.keys.filter(({ state }) => state.kind !== "REVOKED");
  const alone = aloneWords(working);
  return (
    <>
      <PageHead
        title={keysTitle(working)}
        lede={
          <>
            {alone.before}
            {alone.name ? <span className={KEY_NAME}>{alone.name}</span> : null}
            {alone.after}
          </>
        }
        actions={view.viewer.canDecide ? <NewKeyLink /> : null}
      />
      <div className="mb-8 empty:hidden">
        <WaitingChangeNotes changes={view.waiting} canAsk={view.viewer.canDecide} />
      </div>
      {view.keys.length > 0 ? (
        <>
          <KeysTable view={view} />
          <WholeList view={view} />
        </>
      ) : (
        <Empty title="No keys yet">
          {view.viewer.canDecide
            ? "Create one for each tool or agent, with no more than it needs."
            : "Owners and co-owners create them."}
        </Empty>
      )}
      <RevokedLine view={view} />
    </>
  );
}

function NewKeyLink() {
  return (
    <PageActions>
      <Link className={buttonClass({ kind: "primary" })} href="/settings/api-keys/new">
        <Plus />
        New key
      </Link>
    </PageActions>
  );
}

function KeysTable({ view }: { view: KeysView }) {
  return (
    <Table
      className="[&_tbody_th]:align-top [&_td]:align-top [&_tbody_th]:whitespace-nowrap max-sm:[&_tbody_th]:min-w-32 max-sm:[&_tbody_th]:whitespace-normal"
      caption="API keys"
      rows={view.keys.slice(0, view.drawn)}
      frame={(_key, cells) => <tr className={linkRowClass()}>{cells}</tr>}
      columns={[
        {
          head: "Key",
          header: true,
          takesBelow: "INSIDE",
          cell: (row, below) => <KeyName row={row} time={view.time} below={below} />,
        },
        { head: "What it can do", cell: (row) => <Powers row={row} view={view} /> },
        {
          head: "Last used",
          kind: "MOMENT",
          phone: "BELOW",
          className: "text-ink-2",
          cell: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} time={view.time} /> : "Never used"),
        },
        { head: "Proposals approved", phone: "HIDDEN", cell: (row) => <Approved row={row} /> },
      ]}
    />
  );
}

function WholeList({ view: { keys, drawn, wholeHref } }: { view: KeysView }) {
  if (drawn === keys.length) return null;
  return (
    <PagerRow>
      <span>
        First {drawn} of {keys.length} keys
      </span>
      <span className="flex gap-2">
        <PagerLink href={wholeHref}>Show all</PagerLink>
      </span>
    </PagerRow>
  );
}

function KeyName({ row, time, below }: { row: KeyRowView; time: TimeContext; below: ReactNode }) {
  return (
    <>
      <Link
        className="font-mono text-[14px] font-medium tracking-[-0.015em] max-lg:wrap-anywhere"
        href={row.href}
      >
        {row.name}
      </Link>
      <span className={SUBLINE}>by {row.createdByName}</span>
      {row.lookAlike === null ? null : (
        <span className={`${SUBLINE} whitespace-normal`}>{lookAlikeWords([row.lookAlike]).text}</span>
      )}
      {below}
      {row.state.kind === "ACTIVE" ? null : (
        <span className="block mt-1">
          <KeyState state={row.state} time={time} />
        </span>
      )}
    </>
  );
}

function Powers({ row, view }: { row: KeyRowView; view: KeysView }) {
  return (
    <span className="flex items-start gap-3.5 [&>span:last-child]:max-w-[52ch] [&_b]:font-[550] [&_b]:text-ink">
      <span className="max-sm:hidden!">
        <RowSluice state={gateOf(row)} />
      </span>
      <span className="text-ink-2">
        <KeyPhrases
          phrases={keyPhrase({
            permissions: row.permissions,
            accounts: view.accounts,
            rules: view.rules,
            dailyCapInCents: row.dailyCapInCents,
            canDecide: view.viewer.canDecide,
          })}
        />
      </span>
    </span>
  );
}

/** Gate down where approval is needed, dry where nothing moves. */
function gateOf({ permissions, state }: KeyRowView): SluiceState {
  if (state.kind === "REVOKED") return "expired";
  if (movesAlone(permissions)) return "open";
  const starts =
    findPermission(permissions, "MANUAL_TRANSFER") ?? findPermission(permissions, "TRIGGER_RULES");
  return starts ? "closed" : "skipped";
}

function Approved({ row }: { row: KeyRowView }) {
  if (row.decidedCount === 0) {
    const asks = row.permissions.some(
      (permission) => "approval" in permission && permission.approval.required,
    );
    return <span className="text-ink-3">{asks ? "None yet" : "No approval needed"}</span>;
  }
  return (
    <>
      <span className="whitespace-nowrap">
        {row.approvedCount} of {row.decidedCount}
      </span>
      <span className="block mt-1">
        <RecentDecisions recent={row.recent} />
      </span>
    </>
  );
}

function RevokedLine({ view }: { view: KeysView }) {
  if (view.revokedCount === 0) return null;
  const [noun, verb] = view.revokedCount === 1 ? ["key is", "it"] : ["keys are", "them"];
  return (
    <PagerRow>
      <span>
        {view.revokedCount} revoked {noun} kept for the audit log.{" "}
        <Link className={LINK} href={view.toggleRevokedHref} scroll={false}>
          {view.showsRevoked ? `Hide ${verb}` : `Show ${verb}`}
        </Link>
      </span>
    </PagerRow>
  );
}

/** `Six keys can act for you` */
function keysTitle(working: readonly KeyRowView[]): string {
  const number = NUMBERS[working.length] ?? String(working.length);
  return `${number} ${working.length === 1 ? "key" : "keys"} can act for you`;
}

/** Keys that move money without approval matter most. */
function aloneWords(working: readonly KeyRowView[]): {
  before: string;
  name: string | null;
  after: string;
} {
  const alone = working.filter(({ permissions }) => movesAlone(permissions));
  const [first] = alone;
  if (!first) {
    const before =
      working.length === 0
        ? "A key lets a program read, and propose transfers that you approve."
        : "None of them moves money without approval.";
    return { before, name: null, after: "" };
  }
  if (alone.length > 1) {
    const number = NUMBERS[alone.length] ?? String(alone.length);
    return { before: `${number} move money without approval.`, name: null, after: "" };
  }
  return { before: "One moves money without approval: ", name: first.name, after: `${limitWords(first)}.` };
}

function limitWords({ permissions }: KeyRowView): string {
  const transfers = findPermission(permissions, "MANUAL_TRANSFER");
  if (!transfers || transfers.approval.required) return ", by running rules";
  const routes = countingRoutes(transfers);
  const limits = routes.flatMap(({ max_amount: limit }) => limit ?? []);
  if (limits.length === 0) return ", any amount";
  const unlimited = routes.length - limits.length;
  return unlimited === 0
    ? `, up to ${formatCents(Math.max(...limits))} at a time`
    : `, any amount on ${unlimited} of ${routes.length} routes`;
}
