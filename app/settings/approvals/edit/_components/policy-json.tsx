"use client";

import { useState } from "react";
import { usePolicy } from "@/app/settings/approvals/edit/_components/policy-context";
import { IdList, JsonField } from "@/components/parts/sentences/json-field";
import { layOutJson, parseJson } from "@/components/parts/sentences/parse-json";
import { policySchema } from "@/lib/contract/policies/policy";

const MAXIMUM_LENGTH = 200_000;

/** The policy as JSON. Valid text is saved at once; other text stays on this page. */
export function PolicyJson() {
  const { policy, edit, choices } = usePolicy();
  const [text, setText] = useState(() => layOutJson(policy));
  const parsed = parsePolicy(text);
  return (
    <div className="min-w-0 pt-5">
      <JsonField
        id="policy-json"
        label="Amounts in cents, people and accounts by their ids"
        text={text}
        maximumLength={MAXIMUM_LENGTH}
        problems={parsed.kind === "VALUE" ? [] : parsed.problems}
        whenValid="Valid policy. Edits also appear in words."
        tool={{ label: "Back to the draft", onPress: () => setText(layOutJson(policy)) }}
        onType={(typed) => {
          setText(typed);
          const read = parsePolicy(typed);
          if (read.kind === "VALUE") edit(read.value);
        }}
      />
      <IdList
        summary="IDs of people and accounts"
        items={[...choices.people, ...choices.accounts.filter(({ isClosed }) => !isClosed)]}
      />
    </div>
  );
}

const parsePolicy = (text: string) => parseJson(text, policySchema, "policy");
