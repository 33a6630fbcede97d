"use client";

import { useState } from "react";
import { usePolicy } from "@/app/settings/approvals/edit/_components/policy-context";
import { Disclosure } from "@/components/layout/disclosure";
import { CopyButton } from "@/components/parts/docs/copy-button";
import { Button } from "@/components/ui/button";
import { MONO } from "@/components/ui/text-styles";
import { type Policy, policySchema } from "@/lib/contract/policies/policy";

const MAXIMUM_LENGTH = 200_000;
/** Problems that are listed; the first ones explain the rest. */
const LISTED_PROBLEMS = 8;

/** The policy as JSON. Valid text is saved at once; other text stays on this page. */
export function PolicyJson() {
  const { policy, edit, choices } = usePolicy();
  const [text, setText] = useState(() => JSON.stringify(policy, null, 2));
  const problems = problemsOf(text);
  return (
    <div className="min-w-0 pt-5">
      <div className="flex items-center justify-between gap-4 min-h-10">
        <label className="text-sm text-ink-3" htmlFor="policy-json">
          Amounts in cents, people and accounts by their ids
        </label>
        <span className="flex gap-1">
          <Button kind="quiet" size="small" onClick={() => setText(JSON.stringify(policy, null, 2))}>
            Back to the draft
          </Button>
          <CopyButton text={text} />
        </span>
      </div>
      <textarea
        id="policy-json"
        className="block w-full min-h-18 px-3 py-2.5 border border-edge rounded-md bg-sunken font-mono text-[12.5px]/5 whitespace-pre text-ink resize-y overflow-auto [tab-size:2]"
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        maxLength={MAXIMUM_LENGTH}
        rows={Math.min(40, text.split("\n").length + 1)}
        value={text}
        aria-invalid={problems.length > 0 ? true : undefined}
        aria-describedby="policy-json-problems"
        onChange={({ target }) => {
          setText(target.value);
          const read = readPolicy(target.value);
          if (read) edit(read);
        }}
      />
      <div id="policy-json-problems" role="status">
        {problems.length > 0 ? (
          <ul className="grid gap-1.5 mt-3 text-[13px]">
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        ) : (
          <p className="mt-3 text-sm text-ink-3">Valid policy. Edits also appear in words.</p>
        )}
      </div>
      <Disclosure
        summary="IDs of people and accounts"
        className="mt-5 [&_li]:flex [&_li]:flex-wrap [&_li]:justify-between [&_li]:gap-x-4 [&_li]:py-1.5 [&_li]:border-b [&_li]:border-rule [&_li]:text-[13px] [&_li]:wrap-anywhere"
      >
        <ul>
          {[...choices.people, ...choices.accounts.filter(({ isClosed }) => !isClosed)].map(
            ({ id, name }) => (
              <li key={id}>
                <span>{name}</span>
                <span className={MONO}>{id}</span>
              </li>
            ),
          )}
        </ul>
      </Disclosure>
    </div>
  );
}

/** Null: not a policy. */
function readPolicy(text: string): Policy | null {
  try {
    return policySchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    // Not JSON; `problemsOf` says so.
    return null;
  }
}

function problemsOf(text: string): string[] {
  try {
    const parsed = policySchema.safeParse(JSON.parse(text));
    if (parsed.success) return [];
    return parsed.error.issues
      .slice(0, LISTED_PROBLEMS)
      .map(({ path, message }) => `${path.length === 0 ? "It" : path.join(".")} ${message}`);
  } catch {
    return ["This is not JSON."];
  }
}
