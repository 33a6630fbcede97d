import { Flag } from "lucide-react";
import { sharedLabel, sumOfLines } from "@/app/_components/batch-words";
import { Section } from "@/components/layout/section";
import { Table } from "@/components/layout/table";
import { Amount } from "@/components/money/amount";
import { ApprovalStatusChip } from "@/components/parts/approvals/approval-status";
import { Button } from "@/components/ui/button";
import { LINK, SUBLINE, TAG } from "@/components/ui/text-styles";
import type { BatchApprovalView, BatchLineView } from "@/lib/views/approvals/get-batch-approval";

interface BatchLinesProps {
  view: BatchApprovalView;
  struck: ReadonlySet<number>;
  /** The line that the keys are at; null: none. */
  at: number | null;
  /** Strikes a line out or puts it back; null: nothing can be struck out. */
  onStrike: ((line: number) => void) | null;
}

const AT =
  "[&>*]:bg-water-3 [&>:first-child]:[box-shadow:-12px_0_0_var(--color-water-3)] [&>:last-child]:[box-shadow:12px_0_0_var(--color-water-3)]";

/** The lines of a batch. They are struck out, never picked; a struck line keeps its place and number. */
export function BatchLines({ view, struck, at, onStrike }: BatchLinesProps) {
  const { lines, status } = view;
  const left = lines.filter(({ line }) => !struck.has(line));
  const isDecided = status !== "WAITING";
  const hasSources = new Set(lines.map(({ sourceId }) => sourceId)).size > 1;
  const hasLabels = sharedLabel(lines) === null;
  const struckInCents = view.totalInCents - sumOfLines(left);
  return (
    <Section id="lines" title="Lines" fact={factOf(lines.length, struck.size, isDecided)}>
      <Table
        className="[&_tbody_:is(td,th)]:py-1.75 max-sm:[&_tbody_:is(td,th)]:py-1 [&_tbody_:is(td,th)]:align-middle [&_tfoot_tr:not(:last-child)_:is(td,th)]:border-b-0 [&_tfoot_tr:nth-child(2):not(:last-child)_:is(td,th)]:border-t-0 [&_tfoot_tr:nth-child(2):not(:last-child)_:is(td,th)]:pt-0 [&_tfoot_tr:nth-child(2):not(:last-child)_:is(td,th)]:font-normal"
        caption="Lines of the batch"
        rows={lines}
        keyOf={({ line }) => line}
        frame={({ line }, cells) => (
          <tr className={`${struck.has(line) ? "text-ink-3" : ""} ${line === at ? AT : ""}`}>{cells}</tr>
        )}
        columns={[
          {
            head: "#",
            columnClass: "w-9 max-sm:w-6",
            className: "text-sm text-ink-3",
            cell: ({ line }) => line,
          },
          {
            head: "To",
            header: true,
            takesBelow: "AFTER",
            cell: (line) => (
              <Payee
                line={line}
                isStruck={struck.has(line.line)}
                hasSources={hasSources}
                hasLabels={hasLabels}
              />
            ),
          },
          {
            head: isDecided ? "Status" : "Look at",
            phone: "BELOW",
            below: (line) => (isDecided ? <LineStatus line={line} view={view} /> : belowOf(line)),
            cell: (line) =>
              isDecided ? (
                <LineStatus line={line} view={view} />
              ) : (
                <Findings line={line} isStruck={struck.has(line.line)} />
              ),
          },
          {
            head: "Amount",
            kind: "MONEY",
            cell: ({ line, amountInCents }) => (
              <span className={struck.has(line) ? "text-ink-3 line-through [&_*]:text-ink-3" : undefined}>
                <Amount cents={amountInCents} />
              </span>
            ),
          },
          onStrike !== null && {
            head: "Strike out",
            isHeadHidden: true,
            columnClass: "w-26 text-right max-sm:w-19",
            cell: ({ line, destinationName, struckBy }) =>
              struckBy === null ? (
                <Button
                  kind="quiet"
                  size="small"
                  data-line={line}
                  aria-label={`${struck.has(line) ? "Put back" : "Strike out"} line ${line}, ${destinationName}`}
                  onClick={() => onStrike(line)}
                >
                  {struck.has(line) ? "Put back" : "Strike"}
                </Button>
              ) : null,
          },
        ]}
        sums={
          struck.size === 0
            ? [
                {
                  label: `${lines.length} ${isDecided ? "approved" : "to approve"}`,
                  cents: view.totalInCents,
                },
              ]
            : [
                { label: `${lines.length} proposed`, cents: view.totalInCents },
                { label: `${struck.size} struck out`, cents: -struckInCents },
                { label: `${left.length} ${isDecided ? "approved" : "to approve"}`, cents: sumOfLines(left) },
              ]
        }
      />
    </Section>
  );
}

function factOf(count: number, struckCount: number, isDecided: boolean): string {
  if (struckCount === 0) return isDecided ? `${count}` : `All ${count}`;
  return `${count - struckCount} of ${count}, ${struckCount} struck out`;
}

function Payee({
  line,
  isStruck,
  hasSources,
  hasLabels,
}: {
  line: BatchLineView;
  isStruck: boolean;
  hasSources: boolean;
  hasLabels: boolean;
}) {
  const { destinationName, last4, sourceName, description, href } = line;
  const about = [hasSources ? `from ${sourceName}` : null, hasLabels ? description : null].filter(
    (part) => part !== null,
  );
  return (
    <span className={isStruck ? "font-medium text-ink-3" : "font-medium"}>
      <a className={isStruck ? "line-through" : "hover:underline"} href={href}>
        {destinationName}
      </a>{" "}
      {last4 === null ? null : <span className="text-sm font-normal text-ink-3">••••{last4}</span>}
      {about.length === 0 ? null : <span className={SUBLINE}>{about.join(", ")}</span>}
    </span>
  );
}

/** `Same account as line 19`, before what its own checks say. */
function tagsOf({ flags, sameAccountLines: [first, ...more] }: BatchLineView): string[] {
  if (first === undefined) return flags;
  const same = `Same account as line ${first}${more.length > 0 ? ` and ${more.length} more` : ""}`;
  return [same, ...flags.filter((flag) => flag !== "Possible duplicate")];
}

/** On a phone, where the marks have no column. */
function belowOf(line: BatchLineView): string | null {
  return line.struckBy === null ? tagsOf(line).join(", ") || null : `Struck out by ${line.struckBy}`;
}

function Findings({ line, isStruck }: { line: BatchLineView; isStruck: boolean }) {
  if (isStruck) return <span className="text-sm text-ink-3">Struck out by {line.struckBy ?? "you"}</span>;
  return (
    <span className="flex flex-wrap gap-1.5">
      {tagsOf(line)
        .slice(0, 2)
        .map((tag) => (
          <span key={tag} className={TAG}>
            {tag.startsWith("Same account") ? <Flag className="size-3 stroke-2" aria-hidden="true" /> : null}
            {tag}
          </span>
        ))}
    </span>
  );
}

function LineStatus({ line, view }: { line: BatchLineView; view: BatchApprovalView }) {
  if (line.isStruck) return <span className="text-sm text-ink-3">Struck out</span>;
  return (
    <>
      <ApprovalStatusChip status={line.status} canDecide={view.shared.viewer.canDecide} />
      {line.errorMessage ? (
        <a className={`${LINK} mt-1 block text-sm`} href={line.href}>
          {line.errorMessage}
        </a>
      ) : null}
    </>
  );
}
