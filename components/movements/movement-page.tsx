import { ChevronRight } from "lucide-react";
import { TAB_WORDS } from "@/components/movements/list-words";
import { MovementDetail, MovementName, movementTitle } from "@/components/movements/movement-detail";
import { Link } from "@/components/ui/link";
import { type MovementTab, movementsPath } from "@/lib/contract/movement-search";
import type { CancelAction } from "@/lib/contract/views/decision";
import type { MovementDetailView } from "@/lib/contract/views/movements-view";

const TAB_OF: Record<MovementDetailView["kind"], MovementTab> = {
  TRANSFER: "TRANSFERS",
  CARD: "CARDS",
  OUTSIDE: "OUTSIDE",
};

/** The page of one movement. */
export function MovementPage({ view, cancel }: { view: MovementDetailView; cancel: CancelAction }) {
  const tab = TAB_OF[view.kind];
  return (
    <>
      <p className="crumb">
        <Link href={movementsPath(tab)}>{tab === "TRANSFERS" ? "Movements" : TAB_WORDS[tab]}</Link>
        <ChevronRight className="ic" />
        <span>{view.shortId}</span>
      </p>
      <h1 className="vh">{movementTitle(view)}</h1>
      <div className="narrow drawer mv-p">
        <p className="dr-h">
          <MovementName view={view} />
        </p>
        <MovementDetail view={view} cancel={cancel} />
      </div>
    </>
  );
}
