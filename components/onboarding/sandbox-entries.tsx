import { Section } from "@/components/ui/section";

const ENTRIES = [
  ["0001", "Needs a document first, and is approved once there is one"],
  ["0002", "Refused, with a reason"],
  ["0003", "The check does not answer at first, though it heard: the outcome is asked for"],
  ["0004", "The check never hears of it: after a while the details are asked for again"],
] as const;

/** What leads where while the check is the sandbox's. */
export function SandboxEntries({ isBusiness }: { isBusiness: boolean }) {
  const number = isBusiness ? "an EIN or social security number" : "a social security number";
  return (
    <div className="idt">
      <Section id="entries" title="This check is a sandbox">
        <p className="ink2">
          It knows nobody: enter nothing real. It approves within seconds, unless {number} ends in
        </p>
        <dl>
          {ENTRIES.map(([digits, does]) => (
            <div key={digits} className="contents">
              <dt>{digits}</dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </Section>
    </div>
  );
}
