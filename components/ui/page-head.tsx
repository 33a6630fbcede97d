import type { ReactNode } from "react";

interface PageHeadProps {
  /** Preferably a sentence. */
  title: string;
  lede?: ReactNode;
  actions?: ReactNode;
}

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
