import { DefinitionList } from "@/components/ui/definition-list";
import type { Labels } from "@/lib/contract/input/labels";

/** What a program calls it and notes on it: the program's words, which nobody checked. Nothing without any. */
export function ProgramLabels({ labels, headingId }: { labels: Labels; headingId: string }) {
  const { externalId, metadata } = labels;
  if (externalId === null && metadata.length === 0) return null;
  return (
    <section aria-labelledby={headingId} className="mt-6">
      <h2 className="mb-1 text-base font-semibold" id={headingId}>
        The program’s own data
      </h2>
      <p className="mb-3 text-sm text-ink-3">Written by the program and not checked.</p>
      <DefinitionList align="left" columns="longValues" breaks="anywhere">
        {externalId === null ? null : (
          <>
            <dt>External ID</dt>
            <dd>“{externalId}”</dd>
          </>
        )}
        {metadata.map(({ key, value }) => (
          <Pair key={key} name={key} value={value} />
        ))}
      </DefinitionList>
    </section>
  );
}

function Pair({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>“{value}”</dd>
    </>
  );
}
