import { z } from "zod";
import { openAccountPage } from "@/app/accounts/account-page";
import { shellActions } from "@/app/auth/shell-actions";
import { shellOf } from "@/app/page-setting";
import { BacktestSection } from "@/components/rules/backtest-section";
import { Shell } from "@/components/shell/shell";
import { readBacktest } from "@/lib/core/rules/read-backtest";
import { getRuntime } from "@/lib/core/runtime";

export default async function Look({ searchParams }: { searchParams: Promise<Record<string, string>> }) {
  const search = await searchParams;
  const { member, context } = await openAccountPage(Promise.resolve({ id: search.id ?? "" }));
  for (let i = 0; i < 5; i++) { const t = performance.now(); await readBacktest(getRuntime().services, context, { ruleId: search.id ?? "", version: z.coerce.number().parse(search.v) }); console.log("  warm", performance.now() - t); }
  const started = performance.now();
  const view = await readBacktest(getRuntime().services, context, { ruleId: search.id ?? "", version: z.coerce.number().parse(search.v) });
  console.log("BACKTEST MS", performance.now() - started);
  return (
    <Shell view={await shellOf(member, context)} actions={shellActions} current="ACCOUNTS">
      <h1 className="h1">Rule</h1>
      <div className="cols"><div><BacktestSection view={view} /></div><aside className="side" /></div>
    </Shell>
  );
}
