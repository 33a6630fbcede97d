"use client";

import type { CSSProperties } from "react";
import { usePendingPage } from "@/components/shell/pending-page";

/** The rows of a page that is not here yet: how many, how high, and how much of each of their columns is text. */
interface Shape {
  /** Of the title, in pixels; null where the page begins with a total. */
  title: number | null;
  columns: string;
  rowHeight: number;
  rows: number;
}

const LIST: Shape = { title: 360, columns: "96px 1fr 140px 110px 96px", rowHeight: 53, rows: 10 };

/** In the final geometry of each page, so that nothing jumps when it comes. */
const SHAPES: readonly { path: RegExp; shape: Shape }[] = [
  { path: /^\/$/, shape: { title: null, columns: "64px 1fr 110px 88px", rowHeight: 45, rows: 6 } },
  { path: /^\/approvals/, shape: { title: 380, columns: "126px 1fr 110px 98px", rowHeight: 93, rows: 4 } },
  { path: /^\/accounts$/, shape: { title: 340, columns: "1fr 120px 120px 150px", rowHeight: 61, rows: 7 } },
  { path: /^\/rules$/, shape: { title: 320, columns: "1fr 160px 120px", rowHeight: 85, rows: 6 } },
  { path: /^\/cards$/, shape: { title: 300, columns: "1fr 1fr", rowHeight: 190, rows: 2 } },
  { path: /^\/profile$/, shape: { title: 420, columns: "1fr 352px", rowHeight: 120, rows: 4 } },
];

const WIDTHS = ["72%", "58%", "64%", "48%", "80%"];

/**
 * Lies over the page that the reader leaves, 200 ms after they asked for the next one and for as long as that takes.
 * The page below stays what it is: who comes by its address gets its real answer, never a skeleton.
 */
export function PageSkeleton() {
  const href = usePendingPage();
  if (href === null) return null;
  const { title, columns, rowHeight, rows } = SHAPES.find(({ path }) => path.test(href))?.shape ?? LIST;
  return (
    <div className="skp" aria-busy="true">
      <p className="vh" role="status">
        Loading
      </p>
      <div className="skp-in" aria-hidden="true">
        {title === null ? <TotalSkeleton /> : <Bar width={title} height={30} />}
        <Bar width={260} height={12} />
        <div className="skp-t">
          {count(rows).map((row) => (
            <div key={row} className="skp-r" style={{ gridTemplateColumns: columns, minHeight: rowHeight }}>
              {placesIn(columns).map((place) => (
                <Bar key={place} width={WIDTHS[(row + place) % WIDTHS.length]} height={12} />
              ))}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

const count = (length: number) => Array.from({ length }, (_, place) => place);
const placesIn = (columns: string) => count(columns.split(" ").length);

/** A page's total, and the chart under it. */
function TotalSkeleton() {
  return (
    <>
      <Bar width={176} height={12} />
      <Bar width={236} height={40} />
      <Bar width="100%" height={184} />
    </>
  );
}

function Bar({ width, height }: { width: CSSProperties["width"]; height: number }) {
  return <span className="skel" style={{ width, height }} />;
}
