import { EntryList } from "@/app/docs/_components/entry-list";
import { GUIDES } from "@/app/docs/_components/guides";
import { Section } from "@/components/layout/section";
import { Inline } from "@/components/parts/docs/prose";
import { Link } from "@/components/ui/link";
import { LEDE, LINK, MONO, PAGE_TITLE } from "@/components/ui/text-styles";
import type { ReferenceView } from "@/lib/contract/reference";

export function ReferenceOverview({ reference }: { reference: ReferenceView }) {
  const { baseUrl, openApiUrl, chapters } = reference;
  return (
    <article>
      <h1 className={`${PAGE_TITLE} mt-1.5 mb-2`}>Your programs propose, people approve</h1>
      <p className={LEDE}>
        <Inline text="This API reads accounts and moves money, within what a key may do. New here? Start with [your first request](/docs/first-request)." />
      </p>
      <Section id="address" title="Address" fact="version 1.0.0">
        <EntryList>
          <li>
            <span className="wrap-anywhere">
              <span className={`${MONO} font-medium`}>{baseUrl}</span>
            </span>
            <p>Base address of every operation. JSON in, JSON out.</p>
          </li>
          <li>
            <span className="wrap-anywhere">
              <a className={`${LINK} ${MONO} font-medium`} href={openApiUrl}>
                openapi.json
              </a>
            </span>
            <p>The same as this reference, for programs: OpenAPI 3.1. It needs no key.</p>
          </li>
        </EntryList>
      </Section>
      <Section id="guides" title="Guides">
        <EntryList>
          {GUIDES.map(({ slug, title, heading }) => (
            <li key={slug}>
              <Link className={LINK} href={`/docs/${slug}`}>
                {title}
              </Link>
              <p>{heading}.</p>
            </li>
          ))}
        </EntryList>
      </Section>
      {chapters.map(({ title, description, operations }) => (
        <Section key={title} id={title.toLowerCase().replaceAll(" ", "-")} title={title}>
          <p className="mt-3.5 text-ink-2">{description}</p>
          <EntryList>
            {operations.map(({ operationId, method, path, summary }) => (
              <li key={operationId}>
                <Link className={LINK} href={`/docs/${operationId}`}>
                  {summary}
                </Link>
                <p className="font-mono tracking-[-0.01em] col-span-full text-[13px] wrap-anywhere text-ink-2">
                  {method} {path}
                </p>
              </li>
            ))}
          </EntryList>
        </Section>
      ))}
    </article>
  );
}
