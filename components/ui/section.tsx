import type { ReactNode } from "react";

interface SectionProps {
  id: string;
  title: string;
  /** One fact at the right. */
  fact?: ReactNode;
  children: ReactNode;
}

export function Section({ id, title, fact, children }: SectionProps) {
  return (
    <section className="sec" aria-labelledby={`${id}-title`}>
      <div className="sec-h">
        <h2 className="h2" id={`${id}-title`}>
          {title}
        </h2>
        {fact ? <p>{fact}</p> : null}
      </div>
      {children}
    </section>
  );
}
