import type { ReactNode } from "react";
import { Disclosure } from "@/components/layout/disclosure";
import { CopyButton } from "@/components/parts/docs/copy-button";
import type { JsonProblem } from "@/components/parts/sentences/parse-json";
import { Button } from "@/components/ui/button";
import { MONO } from "@/components/ui/text-styles";

interface JsonFieldProps {
  id: string;
  label: ReactNode;
  text: string;
  maximumLength: number;
  problems: readonly JsonProblem[];
  /** Where it has none. */
  whenValid: string;
  /** Beside copying. */
  tool: { label: string; onPress: () => void };
  onType: (text: string) => void;
}

/** What is edited in words elsewhere on the page, as JSON, with its problems below. */
export function JsonField({
  id,
  label,
  text,
  maximumLength,
  problems,
  whenValid,
  tool,
  onType,
}: JsonFieldProps) {
  const problemsId = `${id}-problems`;
  return (
    <>
      <div className="flex items-center justify-between gap-4 min-h-10">
        <label className="text-sm text-ink-3" htmlFor={id}>
          {label}
        </label>
        <span className="flex gap-1">
          <Button kind="quiet" size="small" onClick={tool.onPress}>
            {tool.label}
          </Button>
          <CopyButton text={text} />
        </span>
      </div>
      <textarea
        id={id}
        className="block w-full min-h-18 px-3 py-2.5 border border-edge rounded-md bg-sunken font-mono text-[12.5px]/5 whitespace-pre text-ink resize-y overflow-auto [tab-size:2]"
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        maxLength={maximumLength}
        rows={Math.min(40, text.split("\n").length + 1)}
        value={text}
        aria-invalid={problems.length > 0 ? true : undefined}
        aria-describedby={problemsId}
        onChange={(event) => onType(event.target.value)}
      />
      <div id={problemsId} role="status">
        {problems.length > 0 ? (
          <ul className="grid gap-1.5 mt-3 text-[13px] [&_span]:font-medium [&_span]:text-ink [&_span]:wrap-anywhere">
            {problems.map(({ field, message }) => (
              <li key={`${field} ${message}`}>
                {field ? <span className={MONO}>{field}</span> : "It"} {message}
              </li>
            ))}
          </ul>
        ) : (
          <p className="mt-3 text-sm text-ink-3">{whenValid}</p>
        )}
      </div>
    </>
  );
}

/** What the JSON names by ids. */
export function IdList({
  summary,
  items,
}: {
  summary: string;
  items: readonly { id: string; name: string }[];
}) {
  return (
    <Disclosure
      summary={summary}
      className="mt-5 [&_li]:flex [&_li]:flex-wrap [&_li]:justify-between [&_li]:gap-y-0.5 [&_li]:gap-x-4 [&_li]:py-1.5 [&_li]:px-0 [&_li]:border-b [&_li]:border-rule [&_li]:text-[13px] [&_li]:wrap-anywhere"
    >
      <ul>
        {items.map(({ id, name }) => (
          <li key={id}>
            <span>{name}</span>
            <span className={MONO}>{id}</span>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}
