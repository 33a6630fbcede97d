import { SHOWN_DRAWINGS } from "@/app/design/shown-drawings";
import { SHOWN_FORMS } from "@/app/design/shown-forms";
import { SHOWN_LISTS } from "@/app/design/shown-lists";
import { SHOWN_PANELS } from "@/app/design/shown-panels";
import { SHOWN_STATES } from "@/app/design/shown-states";
import { SHOWN_TABLES } from "@/app/design/shown-tables";
import { Specimen } from "@/app/design/specimen";

const SHOWN = [
  ...SHOWN_STATES,
  ...SHOWN_FORMS,
  ...SHOWN_TABLES,
  ...SHOWN_PANELS,
  ...SHOWN_LISTS,
  ...SHOWN_DRAWINGS,
];

/** Every component in every state (design, sections 7 and 14), each with its name and a sentence of use. */
export function Primitives() {
  return (
    <main className="focus">
      <h1 className="h1">Every component in every state</h1>
      {SHOWN.map(({ name, use, states }) => (
        <Specimen key={name} name={name} use={use}>
          {states}
        </Specimen>
      ))}
    </main>
  );
}
