"use client";

import { Plus, X } from "lucide-react";
import { ComparisonParts } from "@/app/rules/_components/editor/comparison-parts";
import { useEditor } from "@/app/rules/_components/editor/editor-context";
import { ADD_LINE, EDITED_SENTENCE } from "@/components/parts/rules/sentence-class";
import { ChoiceList } from "@/components/parts/sentences/choice-list";
import { focusSoon, Part, partElementId } from "@/components/parts/sentences/part";
import { Button } from "@/components/ui/button";
import {
  type ConditionDraft,
  type GroupDraft,
  MAXIMUM_CONDITION_DEPTH,
  type StepDraft,
} from "@/lib/contract/rules/draft";

/** The conditions of a step: all or any of them, with groups up to three levels deep. */
export function ConditionList({ step }: { step: StepDraft }) {
  const { conditions } = step;
  return (
    <div>
      {conditions ? <ConditionGroup step={step} group={conditions} depth={1} /> : null}
      <AddConditions step={step} group={conditions} depth={1} />
    </div>
  );
}

interface GroupProps {
  step: StepDraft;
  group: GroupDraft;
  depth: number;
}

function ConditionGroup({ step, group, depth }: GroupProps) {
  return (
    <>
      {group.members.length > 1 ? (
        <div className={EDITED_SENTENCE}>
          <MatchPart group={group} /> of these are met:
        </div>
      ) : null}
      <ul className="[&>li]:grid [&>li]:grid-cols-[minmax(0,1fr)_32px] [&>li]:items-start [&>li]:gap-2 [&>li>button>svg]:size-4 [&>li>button>svg]:m-0 [&>li>button>svg]:text-ink-3 max-sm:[&>li]:grid-cols-[minmax(0,1fr)_44px] [&>li_>_.button]:min-h-8.5 [&>li_>_.button]:p-0 max-sm:[&>li_>_.button]:min-h-11">
        {group.members.map((member) => (
          <li key={member.key}>
            {member.kind === "GROUP" ? (
              <div className="mx-0 mt-1 mb-2 pl-4 border-l-3 border-double border-rule-strong">
                <ConditionGroup step={step} group={member} depth={depth + 1} />
                <AddConditions step={step} group={member} depth={depth + 1} />
              </div>
            ) : (
              <div className={EDITED_SENTENCE}>
                <ComparisonParts comparison={member} />
              </div>
            )}
            <RemoveCondition step={step} node={member} />
          </li>
        ))}
      </ul>
    </>
  );
}

const MATCHES = { ALL: "all", ANY: "any" } as const;

function MatchPart({ group }: { group: GroupDraft }) {
  const { edit } = useEditor();
  return (
    <Part name={`c${group.key}`} text={MATCHES[group.match]} label="How many conditions must be met">
      <ChoiceList
        label="Conditions to meet"
        value={group.match}
        choices={[
          { value: "ALL", label: "All of them" },
          { value: "ANY", label: "Any one of them" },
        ]}
        onChoose={(match) => edit({ kind: "SET_MATCH", group: group.key, match })}
      />
    </Part>
  );
}

function RemoveCondition({ step, node }: { step: StepDraft; node: ConditionDraft }) {
  const { edit } = useEditor();
  return (
    <Button
      kind="quiet"
      aria-label={node.kind === "GROUP" ? "Remove condition group" : "Remove condition"}
      onClick={() => {
        focusSoon(partElementId(`s${step.key}`));
        edit({ kind: "REMOVE_CONDITION", condition: node.key });
      }}
    >
      <X />
    </Button>
  );
}

function AddConditions({ step, group, depth }: Omit<GroupProps, "group"> & { group: GroupDraft | null }) {
  const { edit } = useEditor();
  const at = { step: step.key, group: group?.key ?? null };
  return (
    <p className={ADD_LINE}>
      <Button kind="quiet" size="small" onClick={() => edit({ kind: "ADD_CONDITION", ...at })}>
        <Plus />
        Add condition
      </Button>
      {group && depth < MAXIMUM_CONDITION_DEPTH ? (
        <Button kind="quiet" size="small" onClick={() => edit({ kind: "ADD_CONDITION_GROUP", ...at })}>
          <Plus />
          Add condition group
        </Button>
      ) : null}
    </p>
  );
}
