import { ChevronRight } from "lucide-react";
import { SentRequestKey } from "@/components/approvals/sent-request-key";
import { CodeBox } from "@/components/ui/code-box";
import type { ApprovalView, SentRequestView } from "@/lib/contract/views/approval-view";

const DETAILS_ID = "sent-request";

/** The request as it was sent, closed until asked for. `E` opens it. */
export function SentRequest({ request, view }: { request: SentRequestView; view: ApprovalView }) {
  const fields = Object.entries(request.body);
  const names = new Map(Object.entries(view.accountNames));
  return (
    <section className="sec">
      <details className="raw" id={DETAILS_ID}>
        <summary>
          <ChevronRight className="ic" />
          The request as it was sent
          <span className="meta mono hide-s">
            {request.method} {shortPath(request.path)}
          </span>
        </summary>
        <CodeBox label="The request">
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
        </CodeBox>
      </details>
      <SentRequestKey detailsId={DETAILS_ID} />
    </section>
  );
}

/** On one line: ids by their first letters; the whole path stands below. */
function shortPath(path: string): string {
  return path.replace(/([0-9a-f]{4})[0-9a-f]{4}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, "$1…");
}
