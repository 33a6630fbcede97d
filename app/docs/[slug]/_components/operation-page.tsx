import { EntryList } from "@/app/docs/_components/entry-list";
import { TryIt } from "@/app/docs/[slug]/_components/try-it";
import { Section } from "@/components/layout/section";
import { Samples } from "@/components/parts/docs/code-tabs";
import { Inline, Prose } from "@/components/parts/docs/prose";
import { Ledger } from "@/components/ui/ledger";
import { KEY_NAME, LEDE, MONO, PAGE_TITLE } from "@/components/ui/text-styles";
import { ERROR_HELP } from "@/lib/contract/error-help";
import { APPROVABLE_PERMISSIONS, PERMISSION_HELP } from "@/lib/contract/permissions";
import type { FieldView, OperationView } from "@/lib/contract/reference";

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
        <p className="font-mono text-[0.93em]/4.5 tracking-[-0.01em] text-ink-3">
          {method} {basePath}
          {path}
        </p>
        <h1 className={`${PAGE_TITLE} mt-1.5 mb-2`}>{summary}</h1>
        <Prose className={LEDE} text={description} />
        <KeyNeeds operation={operation} />
        <Fields id="path" title="Path" fields={operation.pathFields} isSent />
        <Fields id="query" title="Query" fields={operation.queryFields} isSent />
        <Fields id="body" title="Body" fields={operation.bodyFields} isSent />
        <Fields id="headers" title="Headers" fields={operation.headers} isSent />
        <Answers operation={operation} />
        <Fields id="data" title="What the answer contains" fact="in data" fields={operation.answerFields} />
      </article>
      <aside
        className="sticky top-0 max-h-screen py-6 overflow-y-auto [&>*+*]:mt-7 max-lg:static max-lg:max-h-none max-lg:overflow-visible [&_.code-box]:max-h-75 [&_.code-box]:overflow-y-auto"
        aria-label="Code and try"
      >
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
          <p className="mt-3.5">
            <span className={MONO}>{permission}</span>{" "}
            <span className="text-ink-2">for {lowerFirst(PERMISSION_HELP[permission].resources)}</span>
          </p>
          <p className="text-ink-2">
            {PERMISSION_HELP[permission].grants}
            {APPROVABLE_PERMISSIONS.includes(permission)
              ? " Needs approval unless an owner decided otherwise."
              : ""}
          </p>
        </>
      ) : (
        <p className="mt-3.5 text-ink-2">No permission: every valid key may call this.</p>
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
      <div className="max-sm:overflow-x-auto">
        <Ledger className="[&_th:first-child]:w-16 [&_td]:align-top [&_tbody_th]:font-normal [&_tbody_th]:align-top">
          <caption className="sr-only">Answers, with their HTTP status and what to do about each</caption>
          <tbody>
            {successes.map(({ status, when }) => (
              <tr key={status}>
                <th className="font-mono text-[14px] tracking-[-0.01em]" scope="row">
                  {status}
                </th>
                <td className="text-ink-2">{when}</td>
              </tr>
            ))}
            {errors.map(({ status, code }) => (
              <tr key={code}>
                <th className="font-mono text-[14px] tracking-[-0.01em]" scope="row">
                  {status}
                </th>
                <td className="text-ink-2">
                  <span className={`${KEY_NAME} wrap-anywhere`}>{code}</span>
                  <p>
                    <Inline text={`${ERROR_HELP[code].meaning} ${ERROR_HELP[code].action}`} />
                  </p>
                </td>
              </tr>
            ))}
          </tbody>
        </Ledger>
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
    <EntryList>
      {fields.map((field) => (
        <li key={field.name}>
          <span className="wrap-anywhere">
            <span className={`${MONO} font-medium`}>{field.name}</span>{" "}
            <span className="text-sm text-ink-3">{field.type}</span>
          </span>
          <span className="text-sm text-ink-3">
            {isSent ? (field.isRequired ? "Required" : "Optional") : null}
          </span>
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
    </EntryList>
  );
}

function Limits({ field: { values, description, defaultValue, pattern } }: { field: FieldView }) {
  // The description already lists them.
  const isListed = values.every((value) => description?.includes(`\`${value}\``));
  return (
    <>
      {values.length > 1 && !isListed ? (
        <div className="font-mono tracking-[-0.01em] col-span-full text-[13px] wrap-anywhere text-ink-2">
          {values.join(", ")}
        </div>
      ) : null}
      {pattern ? (
        <div className="col-span-full text-[13px] wrap-anywhere text-ink-2">
          matches <span className={MONO}>{pattern}</span>
        </div>
      ) : null}
      {defaultValue === null ? null : (
        <div className="col-span-full text-[13px] wrap-anywhere text-ink-2">
          default <span className={MONO}>{defaultValue}</span>
        </div>
      )}
    </>
  );
}
