import { KeyHints } from "@/app/approvals/_components/key-hints";
import { Row, type Shown, Stack } from "@/app/design/specimen";
import { Button, type ButtonKind } from "@/components/ui/button";
import { chipClass } from "@/components/ui/chip-class";
import { CHECKBOX, RADIO, SEGMENTED } from "@/components/ui/choice-class";
import { CodeBox } from "@/components/ui/code-box";
import { InputField, TextareaField } from "@/components/ui/field";
import { SelectField } from "@/components/ui/select-field";
import { Switch } from "@/components/ui/switch";
import { tabClass, tabListClass } from "@/components/ui/tabs";

const stay = () => undefined;

const KINDS: { kind: ButtonKind; label: string }[] = [
  { kind: "primary", label: "Approve" },
  { kind: "outlined", label: "Deny" },
  { kind: "deny", label: "Deny transfer" },
  { kind: "quiet", label: "Cancel" },
];

/** What people press, choose and type. */
export const SHOWN_FORMS: readonly Shown[] = [
  {
    name: "Buttons",
    use: "One primary on a page. Busy keeps its width and its focus, and says what it does.",
    states: (
      <>
        {(["small", undefined, "large"] as const).map((size) => (
          <Row key={size ?? "normal"}>
            {KINDS.map(({ kind, label }) => (
              <Button key={kind} kind={kind} size={size}>
                {label}
              </Button>
            ))}
          </Row>
        ))}
        <Row>
          <Button kind="primary" busy>
            Approving
          </Button>
          {KINDS.map(({ kind }) => (
            <Button key={kind} kind={kind} disabled>
              Not available
            </Button>
          ))}
        </Row>
      </>
    ),
  },
  {
    name: "Inputs",
    use: "A label, a hint, and an error that says what it must be.",
    states: (
      <Stack>
        <InputField label="Name" hint="Tool, a hyphen, then purpose." defaultValue="claude-taxes" />
        <InputField label="Up to" error="At least $1.00." defaultValue="0.50" />
        <InputField label="Account number" readOnly defaultValue="••4471" />
        <SelectField
          label="From"
          options={[
            { value: "1", label: "Operating" },
            { value: "2", label: "Taxes" },
          ]}
        />
        <SelectField label="To" error="Choose an account." options={[{ value: "", label: "Choose" }]} />
        <TextareaField label="Reason" hint="For members only." defaultValue="Not before Friday." />
      </Stack>
    ),
  },
  {
    name: "Choices",
    use: "Boxes and radios are the browser’s own; a switch acts at once.",
    states: (
      <Row>
        <label>
          <input className={CHECKBOX} type="checkbox" defaultChecked /> On
        </label>
        <label>
          <input className={CHECKBOX} type="checkbox" /> Off
        </label>
        <label>
          <input className={RADIO} type="radio" name="shown" defaultChecked /> This
        </label>
        <label>
          <input className={RADIO} type="radio" name="shown" /> That
        </label>
        <Switch isOn aria-label="A switch that is on" onSwitch={stay} />
        <Switch isOn={false} aria-label="A switch that is off" onSwitch={stay} />
      </Row>
    ),
  },
  {
    name: "Segments, chips and tabs",
    use: "Segments choose one face, chips filter a list, the teal gate crosses the rule under the current tab.",
    states: (
      <>
        <Row>
          <span className={SEGMENTED}>
            <button type="button" aria-pressed="true">
              Individual
            </button>
            <button type="button" aria-pressed="false">
              Business
            </button>
          </span>
          <button className={chipClass()} type="button">
            Account
          </button>
          <button className={chipClass({ on: true })} type="button" aria-pressed="true">
            Operating
          </button>
        </Row>
        <div className={tabListClass({ kind: "panel" })} role="tablist" aria-label="Movements">
          <button className={tabClass({ kind: "panel" })} type="button" role="tab" aria-selected="true">
            Transfers
          </button>
          <button
            className={tabClass({ kind: "panel" })}
            type="button"
            role="tab"
            aria-selected="false"
            tabIndex={-1}
          >
            Cards
          </button>
        </div>
      </>
    ),
  },
  {
    name: "Code and keys",
    use: "Text to copy, and keyboard shortcuts.",
    states: (
      <Stack>
        <CodeBox label="Request">{"POST /platform/v1/transfers"}</CodeBox>
        <KeyHints
          hints={[
            { keys: ["J", "K"], does: "move" },
            { keys: ["A"], does: "approve" },
          ]}
        />
      </Stack>
    ),
  },
];
