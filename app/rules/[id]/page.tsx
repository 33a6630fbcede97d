import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Suspense } from "react";
import { z } from "zod";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { BacktestSection } from "@/app/rules/[id]/_components/backtest-section";
import { RulePage } from "@/app/rules/[id]/_components/rule-page";
import { UnreadableRule } from "@/app/rules/[id]/_components/unreadable-rule";
import { Section } from "@/components/layout/section";
import { Shell } from "@/components/shell/shell";
import { ruleHref } from "@/lib/contract/hrefs";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { type BacktestView, readBacktest } from "@/lib/views/rules/read-backtest";
import { readRulePage } from "@/lib/views/rules/read-rule-page";

export const metadata: Metadata = { title: "Rule" };

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<Record<string, string | string[]>>;
}

const searchSchema = z.object({
  version: z.coerce.number().int().min(1).max(1_000_000_000).optional().catch(undefined),
});

/** One rule in its latest version, or in the version of the URL. */
export default async function RuleRoute({ params, searchParams }: Props) {
  const id = z
    .uuid()
    .toLowerCase()
    .safeParse((await params).id);
  if (!id.success) notFound();
  const version = searchSchema.parse(await searchParams).version ?? null;
  const member = await requireMember(ruleHref(id.data, version));
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const backtest = readBacktest({ services, context }, { ruleId: id.data, version });
  // Its section shows the failure; a rejection before that, or without a section, must not end the process.
  backtest.catch(() => undefined);
  const [view, shell] = await Promise.all([
    readRulePage({ services, context, time: timeOf(member, context) }, { ruleId: id.data, version }),
    shellOf(member, context),
  ]);
  if (!view) notFound();
  // The latest version may have changed between the two readings.
  const ofShown =
    view.kind === "READABLE"
      ? backtest.then((read) =>
          read.version.version === view.shown.number
            ? read
            : readBacktest({ services, context }, { ruleId: id.data, version: view.shown.number }),
        )
      : backtest;
  return (
    <Shell view={shell} current="RULES">
      {view.kind === "READABLE" ? (
        <RulePage
          view={view}
          backtest={
            <Suspense fallback={<BacktestUnderWay />}>
              <Backtest reading={ofShown} />
            </Suspense>
          }
          backtestReading={ofShown.catch(() => null)}
        />
      ) : (
        <UnreadableRule view={view} />
      )}
    </Shell>
  );
}

/** Streamed after the page: 90 days of a busy account take longer than the rest. */
async function Backtest({ reading }: { reading: Promise<BacktestView> }) {
  return <BacktestSection view={await reading} />;
}

function BacktestUnderWay() {
  return (
    <Section id="backtest" title="If it had run these 90 days">
      <p className="py-2.75 px-0 text-ink-2">Calculating…</p>
    </Section>
  );
}
