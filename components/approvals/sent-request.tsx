import { ChevronRight } from "lucide-react";
import { SentRequestKey } from "@/components/approvals/sent-request-key";
import type { ApprovalView, SentRequestView } from "@/lib/contract/views/approval-view";

const DETAILS_ID = "sent-request";

/** The request as it was sent, closed until asked for. `E` opens it. */
export function SentRequest({ request, view }: { request: SentRequestView; view: ApprovalView }) {
  const fields = Object.entries(request.body);
  const names = new Map([view.source, view.destination].map(({ id, name }) => [id, name]));
  return (
    <section className="sec">
      <details className="raw" id={DETAILS_ID}>
        <summary>
          <ChevronRight className="ic" />
          The request as it was sent
          <span className="meta mono hide-s">
            {request.method} {request.path}
          </span>
        </summary>
        {/* Focusable, so that a keyboard can scroll it sideways. */}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: WCAG 2.1.1 asks for it on a scrolling region */}
        <section className="code" tabIndex={0} aria-label="The request">
          <pre>
            <em>
              {request.method} {request.path}
              {request.headers.map(({ name, value }) => `\n${name}: ${value}`)}
            </em>
            {"\n\n{\n"}
            {fields.map(([field, value], index) => (
              <span key={field}>
                {"  "}
                <b>{JSON.stringify(field)}</b>: {JSON.stringify(value)}
                {index < fields.length - 1 ? "," : ""}
                {typeof value === "string" && names.has(value) ? <em>{`   ${names.get(value)}`}</em> : null}
                {"\n"}
              </span>
            ))}
            {"}"}
          </pre>
        </section>
      </details>
      <SentRequestKey detailsId={DETAILS_ID} />
    </section>
  );
}
