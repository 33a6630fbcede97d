"use client";

import { SankeyDrawing } from "@/app/overview/_components/sankey-drawing";
import { Table } from "@/components/layout/table";
import { Amount } from "@/components/money/amount";
import { Link } from "@/components/ui/link";
import { formatCents } from "@/lib/contract/format-cents";
import type { MapNodeView, MoneyMapView } from "@/lib/views/overview/build-money-map";

interface MapPictureProps {
  map: MoneyMapView;
  canDecide: boolean;
}

const waitWords = (canDecide: boolean) => (canDecide ? "Needs your decision" : "Waiting for approval");

/**
 * A drawing for wide and one for medium pages, so that text stays readable; a list where neither fits; and a table. Drawn
 * in the browser's part: as server components, each of six hundred elements would be sent twice.
 */
export function MapPicture({ map, canDecide }: MapPictureProps) {
  const drawing = { map, description: mapSentence(map, canDecide), canDecide };
  return (
    <>
      <div className="@container pt-3">
        <SankeyDrawing {...drawing} size="WIDE" className="hidden @min-[960px]:block" />
        <SankeyDrawing {...drawing} size="MEDIUM" className="hidden @min-[720px]:block @min-[960px]:hidden" />
        <div className="@min-[720px]:hidden">
          <MapList map={map} canDecide={canDecide} />
        </div>
      </div>
      <MapTable map={map} canDecide={canDecide} />
    </>
  );
}

interface MapBar {
  word: string;
  cents: number;
  /** Color of the bar. */
  fill: string;
}

/** The map as a list: sources, accounts with in and out, destinations, and pending amounts. */
function MapList({ map, canDecide }: MapPictureProps) {
  const largest = Math.max(
    1,
    ...map.nodes.map((node) => Math.max(node.inInCents, node.outInCents + node.waitingInCents)),
  );
  const groups = [
    { kind: "SOURCE", title: "Came in from" },
    { kind: "ACCOUNT", title: "Through your accounts" },
    { kind: "DESTINATION", title: "Went to" },
  ] as const;
  return groups.map(({ kind, title }) => {
    const nodes = map.nodes.filter((node) => node.kind === kind);
    if (nodes.length === 0) return null;
    return (
      <div key={kind} className="pt-3">
        <h3 className="text-sm text-ink-3">{title}</h3>
        <ul aria-label={`${title}, in ${map.days} days`}>
          {nodes.map((node) => (
            <li key={node.id} className="border-b border-rule py-2.5 last:border-b-0">
              {kind === "ACCOUNT" ? <p className="font-medium wrap-anywhere">{node.name}</p> : null}
              {barsOf(node, canDecide).map((bar) => (
                <BarLine key={bar.word} bar={bar} largest={largest} />
              ))}
            </li>
          ))}
        </ul>
      </div>
    );
  });
}

/** One bar per direction. Sources and destinations have one direction, which the heading of their group names. */
function barsOf(node: MapNodeView, canDecide: boolean): MapBar[] {
  const { kind, name } = node;
  const bars = [
    {
      word: kind === "ACCOUNT" ? "In" : name,
      cents: node.inInCents,
      fill: kind === "DESTINATION" ? "bg-rule-strong" : "bg-water",
    },
    {
      word: kind === "ACCOUNT" ? "Out" : name,
      cents: node.outInCents,
      fill: kind === "SOURCE" ? "bg-water" : "bg-rule-strong",
    },
    { word: waitWords(canDecide), cents: node.waitingInCents, fill: "bg-amber-fill" },
  ];
  return bars.filter(({ cents }) => cents > 0);
}

function BarLine({ bar: { word, cents, fill }, largest }: { bar: MapBar; largest: number }) {
  return (
    <p className="grid grid-cols-[1fr_auto] items-baseline gap-x-3 text-sm text-ink-2">
      <span className="wrap-anywhere">{word}</span>
      <Amount cents={cents} quiet />
      <span
        aria-hidden="true"
        className={`col-span-2 h-2 ${fill}`}
        style={{ width: `${Math.max(0.5, Math.round((cents / largest) * 1000) / 10)}%` }}
      />
    </p>
  );
}

/** The drawing as a table, including what it leaves out. */
function MapTable({ map, canDecide }: MapPictureProps) {
  const nodes = new Map(map.nodes.map((node) => [node.id, node]));
  const rows = [
    ...map.links.map(({ fromId, toId, amountInCents }) => ({
      from: nodes.get(fromId)?.name ?? "",
      to: nodes.get(toId)?.name ?? "",
      amountInCents,
    })),
    ...map.notDrawn.map(({ fromName, toName, amountInCents }) => ({
      from: fromName,
      to: `${toName} (not drawn)`,
      amountInCents,
    })),
    ...map.nodes
      .filter((node) => node.waitingInCents > 0)
      .map((node) => ({
        from: node.name,
        to: waitWords(canDecide),
        amountInCents: node.waitingInCents,
      })),
  ];
  const kept = map.nodes.filter((node) => node.keptInCents !== null);
  return (
    <details className="mt-1">
      <summary className="inline-flex min-h-8 cursor-pointer items-center text-sm text-ink-2 max-[760px]:min-h-11">
        Show as table
      </summary>
      <div className="grid items-start gap-x-16 gap-y-10 pt-2 pb-4 min-[761px]:grid-cols-2">
        <Table
          caption={`Flows between accounts in ${map.days} days`}
          rows={rows}
          keyOf={(row) => `${row.from} ${row.to}`}
          columns={[
            { head: "From", header: true, cell: (row) => row.from },
            { head: "To", cell: (row) => row.to },
            { head: "Amount", kind: "MONEY", cell: (row) => row.amountInCents },
          ]}
        />
        <Table
          caption={`Net change per account in ${map.days} days`}
          rows={kept}
          columns={[
            {
              head: "Account",
              header: true,
              cell: ({ href, name }) => (href ? <Link href={href}>{name}</Link> : name),
            },
            {
              head: "Change",
              kind: "MONEY",
              cell: (node) => <Amount cents={node.keptInCents} plus="whenPositive" />,
            },
          ]}
        />
      </div>
    </details>
  );
}

/** The money map as a sentence, for screen readers. */
function mapSentence({ days, nodes, sums }: MoneyMapView, canDecide: boolean): string {
  const sources = nodes.filter((node) => node.kind === "SOURCE" && node.inInCents + node.outInCents > 0);
  const from = sources.length === 1 ? `from ${sources[0]?.name}` : `from ${sources.length} sources`;
  const parts = [
    sums.inInCents > 0
      ? `In the last ${days} days ${formatCents(sums.inInCents)} came in ${from}.`
      : `In the last ${days} days nothing came in.`,
    sums.outInCents > 0 ? `${formatCents(sums.outInCents)} left.` : "Nothing left.",
    `Net change: ${formatCents(sums.keptInCents)}.`,
  ];
  if (sums.atGateInCents > 0) {
    parts.push(
      `${formatCents(sums.atGateInCents)} ${canDecide ? "needs your decision" : "waits for approval"}.`,
    );
  }
  return parts.join(" ");
}
