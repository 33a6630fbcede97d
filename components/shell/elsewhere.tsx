"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { InkBand } from "@/components/layout/ink-band";
import { SwitchForm } from "@/components/shell/switch-form";
import { Button, buttonClass } from "@/components/ui/button";
import { type ElsewhereView, signedInAs } from "@/lib/contract/browser/elsewhere";

interface Words {
  alert: string;
  meaning: string;
}

function wordsOf(view: ElsewhereView): Words {
  if (view.kind === "PERSON") {
    return {
      alert: signedInAs(view.name),
      meaning: "This page still shows another member, and nothing can be changed from it.",
    };
  }
  const { shown, current } = view;
  return {
    alert: `You switched to ${current.name} in another tab.`,
    meaning: shown
      ? `This page still shows ${shown.name}, and nothing can be changed from it.`
      : "You no longer belong to the organization that this tab showed.",
  };
}

/** After someone signed in, or another organization was chosen, in another tab. */
export function ElsewhereBand({ view }: { view: ElsewhereView }) {
  const { alert, meaning } = wordsOf(view);
  return (
    <InkBand role="alert" fixed>
      <p>
        <b>{alert}</b> <span>{meaning}</span>
      </p>
      <ElsewhereWays view={view} />
    </InkBand>
  );
}

/** Plain links: a new document keeps nothing of the previous member or organization. */
function ElsewhereWays({ view }: { view: ElsewhereView }) {
  const path = usePathname();
  const query = useSearchParams().toString();
  const here = query === "" ? path : `${path}?${query}`;
  // A path with an ID belongs to one organization only.
  const there = /[0-9a-f]{8}-/.test(path) ? "/" : here;
  if (view.kind === "PERSON") {
    return (
      <a className={buttonClass({ kind: "outlined" })} href={there}>
        Continue as {view.name}
      </a>
    );
  }
  const { shown, current, sends } = view;
  return (
    <>
      <a className={buttonClass({ kind: "outlined" })} href={there}>
        Continue in {current.name}
      </a>
      {shown ? (
        <SwitchForm shown={sends} next={here}>
          <Button kind="outlined" type="submit" name="organization" value={shown.id}>
            Back to {shown.name}
          </Button>
        </SwitchForm>
      ) : null}
    </>
  );
}
