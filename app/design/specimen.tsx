import type { ReactNode } from "react";
import { Section } from "@/components/layout/section";

interface SpecimenProps {
  /** Names it for people, and its picture for the test of pictures (e2e/look/design.spec.ts). */
  name: string;
  /** What it is for, in a sentence. */
  use: string;
  children: ReactNode;
}

/** A component in every state that it has. */
export function Specimen({ name, use, children }: SpecimenProps) {
  const id = name.toLowerCase().replaceAll(/[^a-z]+/g, "-");
  return (
    <div data-specimen={id}>
      <Section id={id} title={name}>
        <p className="text-sm text-ink-3 pt-3">{use}</p>
        {children}
      </Section>
    </div>
  );
}

/** States side by side. */
export function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-3 pt-4">{children}</div>;
}

/** States one under the other. */
export function Stack({ children }: { children: ReactNode }) {
  return <div className="pt-4 [&>*+*]:mt-4">{children}</div>;
}

/** A component of the living page. */
export interface Shown {
  name: string;
  use: string;
  states: ReactNode;
}
