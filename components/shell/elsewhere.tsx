"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { InkBand } from "@/components/layout/ink-band";
import { SwitchForm } from "@/components/shell/switch-form";
import { Button, buttonClass } from "@/components/ui/button";
import { LEDE, PAGE_TITLE } from "@/components/ui/text-styles";
import type { ElsewhereView } from "@/lib/contract/views/shell-view";

/** Replaces a page of another organization than the tab showed. */
export function Elsewhere({ view }: { view: ElsewhereView }) {
  const { shown, current } = view;
  return (
    <div className="max-w-180 mx-auto pt-12">
      <h1 className={PAGE_TITLE}>You switched to {current.name}</h1>
      <p className={`${LEDE} mt-2 wrap-anywhere`}>
        {shown
          ? `This tab showed ${shown.name}. You then switched to ${current.name} in another tab.`
          : "You no longer belong to the organization that this tab showed."}{" "}
        Nothing was opened or changed.
      </p>
      <div className="mt-7">
        <ElsewhereWays view={view} />
      </div>
    </div>
  );
}

/** After another organization was chosen in another tab. */
export function ElsewhereBand({ view }: { view: ElsewhereView }) {
  const { shown, current } = view;
  return (
    <InkBand role="alert" fixed>
      <p>
        <b>You switched to {current.name} in another tab.</b>{" "}
        <span>
          {shown
            ? `This page still shows ${shown.name}, and nothing can be changed from it.`
            : "You no longer belong to the organization on this page."}
        </span>
      </p>
      <ElsewhereWays view={view} />
    </InkBand>
  );
}

/** Plain links: a new document keeps nothing of the previous organization. */
function ElsewhereWays({ view: { shown, current } }: { view: ElsewhereView }) {
  const path = usePathname();
  const query = useSearchParams().toString();
  const here = query === "" ? path : `${path}?${query}`;
  // A path with an ID belongs to one organization only.
  const there = /[0-9a-f]{8}-/.test(path) ? "/" : here;
  return (
    <>
      <a className={buttonClass({ kind: "outlined" })} href={there}>
        Continue in {current.name}
      </a>
      {shown ? (
        <SwitchForm next={here}>
          <Button kind="outlined" type="submit" name="organization" value={shown.id}>
            Back to {shown.name}
          </Button>
        </SwitchForm>
      ) : null}
    </>
  );
}
