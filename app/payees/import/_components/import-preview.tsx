import type { ReactNode } from "react";
import { Section } from "@/components/layout/section";
import { Ledger } from "@/components/ui/ledger";
import { SUBLINE } from "@/components/ui/text-styles";
import type { PreviewedPayee } from "@/lib/contract/payees/payee-file";

/** What an import would add, line by line; lines with problems first, because they need a person. */
export function ImportPreview({
  payees,
  children,
}: {
  payees: readonly PreviewedPayee[];
  children: ReactNode;
}) {
  const wrong = payees.filter(({ problem }) => problem !== null);
  const ready = payees.filter(({ problem }) => problem === null);
  return (
    <Section
      id="preview"
      title={ready.length === 1 ? "1 payee to import" : `${ready.length} payees to import`}
      fact={wrong.length === 0 ? null : `${wrong.length} with problems are left out`}
    >
      <Ledger className="mt-2">
        <caption className="sr-only">What the file adds</caption>
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Payee</th>
            <th scope="col">Account</th>
          </tr>
        </thead>
        <tbody>
          {[...wrong, ...ready].map((payee) => (
            <tr key={payee.line}>
              <th scope="row">{payee.line}</th>
              <td className="wrap-anywhere">
                {payee.name === "" ? <span className="text-ink-3">No name</span> : payee.name}
                {payee.email ? <span className={SUBLINE}>{payee.email}</span> : null}
              </td>
              <td className="wrap-anywhere">
                {payee.problem ? (
                  <span className="text-red">{payee.problem}</span>
                ) : (
                  (payee.account ?? <span className="text-ink-3">Entered through a link</span>)
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </Ledger>
      {children}
    </Section>
  );
}
