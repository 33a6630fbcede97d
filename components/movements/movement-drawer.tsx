import { X } from "lucide-react";
import { DrawerKeys } from "@/components/movements/drawer-keys";
import { MovementDetail, MovementName, movementTitle } from "@/components/movements/movement-detail";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import type { CancelAction } from "@/lib/contract/views/decision";
import type { MovementDetailView } from "@/lib/contract/views/movements-view";

interface MovementDrawerProps {
  view: MovementDetailView;
  closeHref: string;
  cancel: CancelAction;
}

const CLOSE_ID = "close-drawer";

/** One movement beside its list; on phones in its place. */
export function MovementDrawer({ view, closeHref, cancel }: MovementDrawerProps) {
  return (
    <aside className="drawer" aria-label={movementTitle(view)}>
      <DrawerKeys key={view.id} movementId={view.id} closeId={CLOSE_ID} closeHref={closeHref} />
      <p className="dr-h">
        <MovementName view={view} />
        <span className="dr-hl">
          <Link className="link" href={view.pageHref}>
            Open the page
          </Link>
          <Link
            id={CLOSE_ID}
            className={buttonClass({ kind: "quiet" })}
            href={closeHref}
            scroll={false}
            aria-label="Close"
          >
            <X className="ic" />
          </Link>
        </span>
      </p>
      <MovementDetail view={view} cancel={cancel} />
    </aside>
  );
}
