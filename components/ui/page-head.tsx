import type { ReactNode } from "react";

interface PageHeadProps {
  /** A sentence where it can be one. */
  title: string;
  lede?: ReactNode;
  actions?: ReactNode;
}

/** The head of a list page: title as a statement, one line under it, actions at the right. */
export function PageHead({ title, lede, actions }: PageHeadProps) {
  return (
    <div className="page-h">
      <div>
        <h1 className="h1">{title}</h1>
        {lede ? <p className="lede">{lede}</p> : null}
      </div>
      {actions}
    </div>
  );
}
