"use client";

import { type ReactNode, useSyncExternalStore } from "react";
import { COLUMNS } from "@/components/layout/columns";
import { SkeletonBar } from "@/components/layout/skeleton-bar";

/**
 * Covers the present page from 200 ms after a navigation starts. A direct request gets the real page, never a skeleton.
 */
export function PageSkeleton() {
  const href = useSyncExternalStore(subscribe, readPending, nowhereOnServer);
  return href === null ? null : <Skeleton href={href} />;
}

/** The usual geometry of the page that loads: a detail page if its address names one thing, otherwise a list. */
export function Skeleton({ href }: { href: string }) {
  return (
    <div
      data-skeleton=""
      className="absolute inset-0 z-5 bg-paper opacity-0 animate-[appear_1ms_linear_200ms_forwards]"
      aria-busy="true"
    >
      <p className="sr-only" role="status">
        Loading
      </p>
      <div
        className="sticky top-0 max-h-screen px-14 pt-10 pb-0 overflow-hidden max-lg:px-8 max-lg:pt-10 max-lg:pb-0 max-sm:px-5 max-sm:pt-13 max-sm:pb-0"
        aria-hidden="true"
      >
        {NAMES_ONE.test(href.split(/[?#]/)[0] ?? href) ? <Detail /> : <List />}
      </div>
    </div>
  );
}

const NAMES_ONE = /\/[0-9a-f]{8}-[0-9a-f-]{27}(\/|$)/;

function List() {
  return (
    <>
      <Title />
      <SkeletonBar className="mt-3.5 mb-7 h-3 w-90 max-w-full" />
      <Rows count={9} className="h-17" />
    </>
  );
}

function Detail() {
  return (
    <>
      <SkeletonBar className="mb-6 h-3 w-40" />
      <Title />
      <SkeletonBar className="mt-6 mb-12 h-10 w-50" />
      <div className={COLUMNS}>
        <Section>
          <Rows count={6} className="h-16" />
        </Section>
        <Section>
          <Rows count={4} className="h-10" />
        </Section>
      </div>
    </>
  );
}

function Title() {
  return <SkeletonBar className="h-7 w-110 max-w-full" />;
}

function Section({ children }: { children: ReactNode }) {
  return (
    <div className="min-w-0">
      <div className="flex h-9 items-center border-b border-rule-strong">
        <SkeletonBar className="h-3.5 w-30" />
      </div>
      {children}
    </div>
  );
}

/** On phones, only the first and the last column. */
function Rows({ count, className }: { count: number; className: string }) {
  return [...Array(count).keys()].map((row) => (
    <div
      key={row}
      className={`grid grid-cols-[minmax(0,1fr)_20%_88px] items-center gap-5 border-b border-rule max-sm:grid-cols-[minmax(0,1fr)_88px] ${className}`}
    >
      <SkeletonBar className={`h-3 ${WIDTHS[row % WIDTHS.length]}`} />
      <SkeletonBar className="h-3 max-sm:hidden" />
      <SkeletonBar className="h-3" />
    </div>
  ));
}

const WIDTHS = ["w-8/12", "w-7/12", "w-9/12", "w-6/12"];

/** The target of the present navigation; null: none. */
let pendingHref: string | null = null;
const listeners = new Set<() => void>();

export function setPendingPage(href: string | null): void {
  pendingHref = href;
  for (const listener of listeners) listener();
}

const readPending = () => pendingHref;
const nowhereOnServer = () => null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
