"use client";

import type { CSSProperties, ReactNode } from "react";
import { COLUMNS } from "@/components/layout/columns";
import { SkeletonBar } from "@/components/layout/skeleton-bar";

/** A loading page in its final geometry, so that nothing jumps. */
export function Skeleton({ href }: { href: string }) {
  const path = href.split(/[?#]/)[0] ?? href;
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
        {(FAMILIES.find(({ of }) => of.test(path))?.shape ?? list)()}
      </div>
    </div>
  );
}

/** The first match applies. Pixels, as on the pages; columns as in CSS grid. */
const FAMILIES: readonly { of: RegExp; shape: () => ReactNode }[] = [
  { of: /^\/$/, shape: overview },
  { of: /^\/approvals$/, shape: approvals },
  { of: /^\/accounts$/, shape: accounts },
  { of: /^\/accounts\/(?!new|connect)[^/]+$/, shape: account },
  { of: /^\/transfers(\/cards|\/outside)?$/, shape: movements },
  { of: /^\/transfers\/new$/, shape: moveMoney },
  { of: /^\/transfers(\/cards|\/outside)?\/[^/]+$/, shape: movement },
  { of: /^\/rules$/, shape: rules },
  { of: /^\/rules\/(?!new)[^/]+$/, shape: rule },
  { of: /^\/cards$/, shape: cards },
  { of: /^\/profile$/, shape: profile },
  { of: /^\/connections\//, shape: connection },
  { of: /^\/gates$/, shape: gates },
  { of: /^\/audit$/, shape: audit },
  {
    of: /^\/(settings|help|settings\/(security|notifications|beneficiaries|year-end|fraud-monitoring))$/,
    shape: settings,
  },
];

const MOVEMENT_COLUMNS = "96px 1fr 140px 110px";

function list() {
  return (
    <>
      <Head title={440} lede={360} />
      <Rows top={28} columns="1fr 160px 140px 110px" height={67} count={9} hasHead />
    </>
  );
}

function overview() {
  return (
    <>
      <div className={COLUMNS}>
        <div>
          <Line height={14} width={130} />
          <Line height={66} width={236} bar={40} />
          <Line height={66} width={370} />
          <Block top={0} height={219} />
        </div>
        <div className="min-w-0">
          <SectionHead />
          <Rows columns="1fr 64px" height={77} count={3} />
        </div>
      </div>
      <Gap height={48} />
      <SectionHead height={49} />
      <Block top={12} height={409} />
      <Gap height={48} />
      <div className={COLUMNS}>
        <div>
          <SectionHead />
          <Rows columns="64px 1fr 110px 88px" height={48} count={6} />
        </div>
        <div className="min-w-0">
          <SectionHead />
          <Rows columns="64px 1fr" height={62} count={4} />
        </div>
      </div>
    </>
  );
}

function approvals() {
  return (
    <>
      <Head title={555} lede={420} />
      <Rows top={32} columns="126px 1fr 110px 98px" height={96} count={3} />
      <Gap height={48} />
      <SectionHead height={40} />
      <Chips top={16} />
      <Rows top={12} columns={MOVEMENT_COLUMNS} height={66} count={5} hasHead />
    </>
  );
}

function accounts() {
  return (
    <>
      <Line height={22} width={130} />
      <Line height={60} width={176} bar={40} />
      <Block top={20} height={167} />
      <Gap height={110} />
      <SectionHead />
      <Rows columns="1fr 120px 120px 150px" height={62} count={1} hasHead />
      <Gap height={48} />
      <SectionHead />
      <Rows columns="1fr 120px 120px 150px" height={62} count={6} hasHead />
    </>
  );
}

function account() {
  return (
    <>
      <Crumb width={142} />
      <Line height={38} width={300} bar={28} />
      <Line height={66} width={176} bar={40} top={3} />
      <Gap height={48} />
      <div className={COLUMNS}>
        <div>
          <Chips />
          <Block top={12} height={219} />
          <Gap height={80} />
          <SectionHead height={49} />
          <Rows columns={MOVEMENT_COLUMNS} height={65} count={6} hasHead />
        </div>
        <div className="min-w-0">
          <SectionHead />
          <Rows columns="1fr 80px" height={57} count={3} />
          <Gap height={40} />
          <SectionHead />
          <Rows columns="1fr 80px" height={38} count={5} />
        </div>
      </div>
    </>
  );
}

function movements() {
  return (
    <>
      <Head title={529} lede={380} />
      <Tabs />
      <Chips top={16} />
      <Rows top={4} columns={MOVEMENT_COLUMNS} height={66} count={9} hasHead />
    </>
  );
}

function movement() {
  return (
    <>
      <Crumb width={160} />
      <div className="max-w-180">
        <Line height={20} width={170} />
        <Line height={26} width={260} />
        <Line height={66} width={200} bar={40} />
        <Line height={20} width={220} />
        <Gap height={24} />
        <SectionHead />
        <Rows columns="24px 1fr" height={62} count={3} />
        <Gap height={24} />
        <SectionHead />
        <Rows columns="1fr 88px 88px" height={38} count={3} hasHead />
      </div>
    </>
  );
}

function moveMoney() {
  return (
    <>
      <Crumb width={172} />
      <Line height={38} width={173} bar={28} />
      <Gap height={32} />
      <div className={COLUMNS}>
        <div>
          <Line height={22} width={80} />
          <Line height={64} width={220} bar={44} />
          <Gap height={32} />
          <Rows columns="1fr 1fr" height={72} count={2} />
        </div>
        <div className="min-w-0">
          <Block height={152} />
        </div>
      </div>
    </>
  );
}

function rules() {
  return (
    <>
      <Head title={397} lede={300} />
      <Chips top={32} />
      <Rows top={28} columns="1fr 160px 120px" height={97} count={6} hasHead />
    </>
  );
}

function rule() {
  return (
    <>
      <Crumb width={267} />
      <Line height={38} width={330} bar={28} />
      <Line height={30} width={260} />
      <Gap height={32} />
      {count(6).map((line) => (
        <Line key={line} height={36} width={WIDTHS[line % WIDTHS.length]} bar={18} />
      ))}
      <Gap height={88} />
      <Block height={443} />
    </>
  );
}

function cards() {
  return (
    <>
      <Head title={480} lede={600} ledeLines={2} />
      <Gap height={32} />
      <div className={COLUMNS}>
        <ul className="grid grid-cols-2 gap-10 max-sm:grid-cols-1 max-sm:gap-8">
          {count(4).map((card) => (
            <li key={card}>
              <Block height={184} />
              <Line height={98} width="70%" />
            </li>
          ))}
        </ul>
        <div className="min-w-0">
          <SectionHead />
          <Rows columns="1fr" height={38} count={4} />
        </div>
      </div>
    </>
  );
}

function profile() {
  return (
    <>
      <Head title={600} lede={340} />
      <Gap height={159} />
      <SectionHead />
      <Block height={244} />
      <Gap height={80} />
      <div className="grid grid-cols-2 gap-16 max-sm:grid-cols-1">
        {count(2).map((half) => (
          <div key={half}>
            <SectionHead />
            <Rows columns="1fr 110px 88px" height={48} count={5} hasHead />
          </div>
        ))}
      </div>
    </>
  );
}

function connection() {
  return (
    <>
      <Crumb width={155} />
      <Line height={38} width={341} bar={28} />
      <Line height={22} width={300} top={6} />
      <Gap height={40} />
      <div className={COLUMNS}>
        <div>
          <SectionHead />
          <Rows columns="1fr 120px 110px" height={62} count={2} hasHead />
          <Gap height={24} />
          <SectionHead />
          <Block top={16} height={61} />
        </div>
        <div className="min-w-0">
          <SectionHead />
          <Rows columns="1fr" height={40} count={5} />
        </div>
      </div>
    </>
  );
}

function gates() {
  return (
    <>
      <Head title={622} lede={600} ledeLines={2} />
      <Block top={32} height={136} />
      <Gap height={131} />
      <div className={COLUMNS}>
        <div>
          <SectionHead />
          <Rows columns="24px 1fr 110px" height={63} count={5} />
        </div>
        <div className="min-w-0">
          <Block height={190} />
        </div>
      </div>
    </>
  );
}

function audit() {
  return (
    <>
      <Head title={622} lede={600} ledeLines={2} />
      <Block top={32} height={76} />
      <Block top={24} height={83} />
      <Gap height={75} />
      <Rows columns="90px 180px 1fr 110px" height={74} count={6} hasHead />
    </>
  );
}

function settings() {
  return (
    <>
      <Line height={38} width={106} bar={28} />
      <Gap height={32} />
      <div className="grid grid-cols-[168px_minmax(0,1fr)] items-start gap-14 max-sm:grid-cols-1 max-sm:gap-7">
        <div>
          {count(6).map((row) => (
            <Line key={row} height={36} width={WIDTHS[row % WIDTHS.length]} />
          ))}
        </div>
        <div>
          <SectionHead />
          <Rows columns="1fr 90px" height={67} count={3} />
          <Gap height={48} />
          <SectionHead />
          <Rows columns="1fr 90px" height={67} count={4} />
        </div>
      </div>
    </>
  );
}

interface HeadProps {
  title: number;
  lede: number;
  ledeLines?: number;
}

function Head({ title, lede, ledeLines = 1 }: HeadProps) {
  return (
    <>
      <Line height={38} width={title} bar={28} />
      <Gap height={6} />
      {count(ledeLines).map((line) => (
        <Line key={line} height={22} width={line === 0 ? lede : lede / 2} />
      ))}
    </>
  );
}

function Crumb({ width }: { width: number }) {
  return (
    <>
      <Line height={24} width={width} />
      <Gap height={12} />
    </>
  );
}

function SectionHead({ height = 37 }: { height?: number }) {
  return (
    <div className="border-b border-rule-strong">
      <Line height={height - 1} width={120} bar={14} />
    </div>
  );
}

function Tabs() {
  return (
    <div className="flex gap-3 border-b border-rule-strong">
      {count(3).map((tab) => (
        <Line key={tab} height={44} width={110} top={16} />
      ))}
    </div>
  );
}

function Chips({ top = 0 }: { top?: number }) {
  return (
    <div className="flex gap-3" style={{ marginTop: top }}>
      {count(4).map((chip) => (
        <Line key={chip} height={36} width={92} bar={28} />
      ))}
    </div>
  );
}

const WIDTHS = ["72%", "58%", "64%", "48%", "80%"];

interface RowsProps {
  columns: string;
  height: number;
  count: number;
  top?: number;
  hasHead?: boolean;
}

/** On phones, only the first two columns. */
function Rows({ columns, height, count: length, top = 0, hasHead = false }: RowsProps) {
  const places = count(columns.split(" ").length);
  const row = (index: number, minHeight: number) => (
    <div
      key={index}
      className="grid items-center gap-5 border-b border-rule max-sm:grid-cols-[minmax(0,1fr)_88px]! max-sm:[&>:nth-child(n_+_3)]:hidden"
      style={{ gridTemplateColumns: columns, minHeight }}
    >
      {places.map((place) => (
        <Bar key={place} width={WIDTHS[(index + place + 1) % WIDTHS.length]} height={12} />
      ))}
    </div>
  );
  return (
    <div style={{ marginTop: top }}>
      {hasHead ? row(-1, 39) : null}
      {count(length).map((index) => row(index, height))}
    </div>
  );
}

interface LineProps {
  /** Line height. */
  height: number;
  width: CSSProperties["width"];
  /** Font size. */
  bar?: number;
  top?: number;
}

function Line({ height, width, bar = 12, top = 0 }: LineProps) {
  return (
    <div className="flex items-center" style={{ height, marginTop: top }}>
      <Bar width={width} height={bar} />
    </div>
  );
}

/** A drawing, or a panel. */
function Block({ height, top = 0 }: { height: number; top?: number }) {
  return (
    <div style={{ marginTop: top }}>
      <Bar width="100%" height={height} />
    </div>
  );
}

function Gap({ height }: { height: number }) {
  return <div style={{ height }} />;
}

function Bar({ width, height }: { width: CSSProperties["width"]; height: number }) {
  return <SkeletonBar style={{ width, height }} />;
}

function count(length: number): number[] {
  return Array.from({ length }, (_, place) => place);
}
