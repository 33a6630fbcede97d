import { Samples } from "@/components/docs/code-tabs";
import { Inline, Prose } from "@/components/docs/prose";
import { TryIt } from "@/components/docs/try-it";
import { Section } from "@/components/ui/section";
import { ERROR_HELP } from "@/lib/contract/error-help";
import { APPROVABLE_PERMISSIONS, PERMISSION_HELP } from "@/lib/contract/permissions";
import type { FieldView, OperationView } from "@/lib/contract/views/reference-view";

interface OperationPageProps {
  operation: OperationView;
  basePath: string;
}

/** One operation, with code samples and a live trial at the right. */
export function OperationPage({ operation, basePath }: OperationPageProps) {
  const { method, path, summary, description, samples } = operation;
  return (
    <>
      <article>
        <p className="meta mono">
          {method} {basePath}
          {path}
        </p>
        <h1 className="h1">{summary}</h1>
        <Prose className="lede" text={description} />
        <KeyNeeds operation={operation} />
        <Fields id="path" title="Path" fields={operation.pathFields} isSent />
        <Fields id="query" title="Query" fields={operation.queryFields} isSent />
        <Fields id="body" title="Body" fields={operation.bodyFields} isSent />
        <Fields id="headers" title="Headers" fields={operation.headers} isSent />
        <Answers operation={operation} />
        <Fields id="data" title="What the answer contains" fact="in data" fields={operation.answerFields} />
      </article>
      <aside className="ref-a" aria-label="Code and try">
        <Samples
          samples={[
            { language: "curl", text: samples.curl },
            { language: "TypeScript", text: samples.typescript },
            { language: "Python", text: samples.python },
            { language: "Go", text: samples.go },
          ]}
        />
        <TryIt
          key={operation.operationId}
          method={method}
          path={path}
          basePath={basePath}
          trial={operation.trial}
          example={samples.answer}
        />
      </aside>
    </>
  );
}

function KeyNeeds({ operation: { permission } }: { operation: OperationView }) {
  return (
    <Section id="key" title="What the key needs">
      {permission ? (
        <>
          <p className="ref-p">
            <span className="mono">{permission}</span>{" "}
            <span className="ink2">for {lowerFirst(PERMISSION_HELP[permission].resources)}</span>
          </p>
          <p className="ink2">
            {PERMISSION_HELP[permission].grants}
            {APPROVABLE_PERMISSIONS.includes(permission)
              ? " Needs approval unless an owner decided otherwise."
              : ""}
          </p>
        </>
      ) : (
        <p className="ref-p ink2">No permission: every valid key may call this.</p>
      )}
    </Section>
  );
}

const lowerFirst = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

interface FieldsProps {
  id: string;
  title: string;
  fact?: string;
  fields: readonly FieldView[];
  isSent?: boolean;
}

function Fields({ id, title, fact, fields, isSent = false }: FieldsProps) {
  if (fields.length === 0) return null;
  return (
    <Section id={id} title={title} fact={fact}>
      <FieldList fields={fields} isSent={isSent} />
    </Section>
  );
}

function Answers({ operation: { successes, errors } }: { operation: OperationView }) {
  return (
    <Section id="answers" title="Answers">
      <div className="ref-w">
        <table className="ledger ref-e">
          <caption className="vh">Answers, with their HTTP status and what to do about each</caption>
          <tbody>
            {successes.map(({ status, when }) => (
              <tr key={status}>
                <th className="mono" scope="row">
                  {status}
                </th>
                <td className="ink2">{when}</td>
              </tr>
            ))}
            {errors.map(({ status, code }) => (
              <tr key={code}>
                <th className="mono" scope="row">
                  {status}
                </th>
                <td className="ink2">
                  <span className="key">{code}</span>
                  <p>
                    <Inline text={`${ERROR_HELP[code].meaning} ${ERROR_HELP[code].action}`} />
                  </p>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

interface FieldListProps {
  fields: readonly FieldView[];
  /** Whether to mark required fields: only those that callers send. */
  isSent: boolean;
}

/** Nested fields open on demand. */
function FieldList({ fields, isSent }: FieldListProps) {
  return (
    <ul className="par">
      {fields.map((field) => (
        <li key={field.name}>
          <span className="par-n">
            <span className="mono">{field.name}</span> <span className="meta">{field.type}</span>
          </span>
          <span className="meta">{isSent ? (field.isRequired ? "Required" : "Optional") : null}</span>
          {field.description ? (
            <p>
              <Inline text={field.description} />
            </p>
          ) : null}
          <Limits field={field} />
          {field.children.length > 0 ? (
            <details>
              <summary>{field.children.length === 1 ? "1 field" : `${field.children.length} fields`}</summary>
              <FieldList fields={field.children} isSent={isSent} />
            </details>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function Limits({ field: { values, description, defaultValue, pattern } }: { field: FieldView }) {
  // The description already lists them.
  const isListed = values.every((value) => description?.includes(`\`${value}\``));
  return (
    <>
      {values.length > 1 && !isListed ? <div className="par-v mono">{values.join(", ")}</div> : null}
      {pattern ? (
        <div className="par-v">
          matches <span className="mono">{pattern}</span>
        </div>
      ) : null}
      {defaultValue === null ? null : (
        <div className="par-v">
          default <span className="mono">{defaultValue}</span>
        </div>
      )}
    </>
  );
}
