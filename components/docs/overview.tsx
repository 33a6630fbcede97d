import { GUIDES } from "@/components/docs/guides";
import { Inline } from "@/components/docs/prose";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { ReferenceView } from "@/lib/contract/views/reference-view";

export function ReferenceOverview({ reference }: { reference: ReferenceView }) {
  const { baseUrl, openApiUrl, chapters } = reference;
  return (
    <article>
      <h1 className="h1">Your programs propose, people approve</h1>
      <p className="lede">
        <Inline text="This API reads accounts and moves money, within what a key may do. New here? Start with [your first request](/docs/first-request)." />
      </p>
      <Section id="address" title="Address" fact="version 1.0.0">
        <ul className="par">
          <li>
            <span className="par-n">
              <span className="mono">{baseUrl}</span>
            </span>
            <p>Base address of every operation. JSON in, JSON out.</p>
          </li>
          <li>
            <span className="par-n">
              <a className="link mono" href={openApiUrl}>
                openapi.json
              </a>
            </span>
            <p>The same as this reference, for programs: OpenAPI 3.1. It needs no key.</p>
          </li>
        </ul>
      </Section>
      <Section id="guides" title="Guides">
        <ul className="par">
          {GUIDES.map(({ slug, title, heading }) => (
            <li key={slug}>
              <Link className="link" href={`/docs/${slug}`}>
                {title}
              </Link>
              <p>{heading}.</p>
            </li>
          ))}
        </ul>
      </Section>
      {chapters.map(({ title, description, operations }) => (
        <Section key={title} id={title.toLowerCase().replaceAll(" ", "-")} title={title}>
          <p className="ref-p ink2">{description}</p>
          <ul className="par">
            {operations.map(({ operationId, method, path, summary }) => (
              <li key={operationId}>
                <Link className="link" href={`/docs/${operationId}`}>
                  {summary}
                </Link>
                <p className="mono par-v">
                  {method} {path}
                </p>
              </li>
            ))}
          </ul>
        </Section>
      ))}
    </article>
  );
}
