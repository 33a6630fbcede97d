"use client";

import { deactivateRule, keepRuleActive } from "@/app/rules/[id]/actions";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { formatInSentence } from "@/components/time/format-instant";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { Quote } from "@/components/ui/quote";
import type { ProposedStopView } from "@/lib/views/rules/list-proposed-stops";
import type { RuleView } from "@/lib/views/rules/read-rule-page";

interface ProposedStopsProps {
  view: Pick<RuleView, "id" | "activeVersion" | "proposedStops" | "viewer" | "time">;
}

/** Programs propose to deactivate the rule: one tap of an owner or co-owner. */
export function ProposedStops({ view }: ProposedStopsProps) {
  const { id, activeVersion, proposedStops, viewer, time } = view;
  if (activeVersion === null) return null;
  return proposedStops.map((stop) => (
    <Note key={stop.id}>
      <p>
        <b>{stop.byName} proposes to deactivate this rule.</b> It keeps running until someone does. The
        proposal ends {formatInSentence(stop.expiresAt, time)}.
      </p>
      {stop.reason ? (
        <div className="mt-2">
          <Quote words={stop.reason} size="small" />
        </div>
      ) : null}
      {viewer.canDecide ? <StopButtons stop={stop} ruleId={id} version={activeVersion} /> : null}
    </Note>
  ));
}

interface StopButtonsProps {
  stop: ProposedStopView;
  ruleId: string;
  version: number;
}

function StopButtons({ stop, ruleId, version }: StopButtonsProps) {
  const stopping = useAction(deactivateRule, { refreshesWhenRefused: true });
  const keeping = useAction(keepRuleActive, { refreshesWhenRefused: true });
  return (
    <div className="mt-3">
      <span className="flex flex-wrap gap-2">
        <Button kind="outlined" busy={stopping.isBusy} onClick={() => stopping.run({ ruleId, version })}>
          {stopping.isBusy ? "Deactivating" : `Deactivate version ${version}`}
        </Button>
        <Button kind="quiet" busy={keeping.isBusy} onClick={() => keeping.run({ proposalId: stop.id })}>
          {keeping.isBusy ? "Keeping" : "Keep it active"}
        </Button>
      </span>
      <RefusalNote message={stopping.message ?? keeping.message} />
    </div>
  );
}
