import { SHOWN_FORMS } from "@/app/design/shown-forms";
import { SHOWN_STATES } from "@/app/design/shown-states";
import { SHOWN_TABLES } from "@/app/design/shown-tables";
import { Specimen } from "@/app/design/specimen";

/** Every component in every state (design, sections 7 and 14), each with its name and a sentence of use. */
export function Primitives() {
  return (
    <main className="focus">
      <h1 className="h1">Every component in every state</h1>
      {[...SHOWN_STATES, ...SHOWN_FORMS, ...SHOWN_TABLES].map(({ name, use, states }) => (
        <Specimen key={name} name={name} use={use}>
          {states}
        </Specimen>
      ))}
    </main>
  );
}
