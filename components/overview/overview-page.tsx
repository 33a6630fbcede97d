import { FirstSteps } from "@/components/overview/first-steps";
import { MoneyMap } from "@/components/overview/money-map";
import { NextRules } from "@/components/overview/next-rules";
import { RecentMovements } from "@/components/overview/recent-movements";
import { Total } from "@/components/overview/total";
import { WaitingForYou } from "@/components/overview/waiting-for-you";
import type { OverviewView } from "@/lib/contract/views/overview-view";

/** What a member sees first: what there is, what waits, how money ran, what moved last, what comes next. */
export function OverviewPage({ view }: { view: OverviewView }) {
  const hasFlows = view.map.nodes.length > 0;
  return (
    <div className="over">
      <h1 className="vh">Overview</h1>
      {view.firstSteps ? <FirstSteps steps={view.firstSteps} canDecide={view.viewer.canDecide} /> : null}
      <div className="cols ov">
        <Total total={view.total} time={view.time} />
        <WaitingForYou view={view} />
      </div>
      {hasFlows || view.firstSteps === null ? (
        <MoneyMap map={view.map} canDecide={view.viewer.canDecide} />
      ) : null}
      <div className="cols ov-2">
        <RecentMovements view={view} />
        <NextRules rules={view.rules} time={view.time} />
      </div>
    </div>
  );
}
