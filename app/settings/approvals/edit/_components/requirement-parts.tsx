"use client";

import { Plus } from "lucide-react";
import { CheckList } from "@/app/settings/approvals/edit/_components/check-list";
import { usePolicy } from "@/app/settings/approvals/edit/_components/policy-context";
import {
  addStage,
  changeRequirement,
  changeStage,
  type RulePlace,
  removeStage,
  requirementAt,
} from "@/app/settings/approvals/edit/_components/policy-edits";
import { ChoiceList } from "@/components/parts/sentences/choice-list";
import { Part } from "@/components/parts/sentences/part";
import { useParts } from "@/components/parts/sentences/part-context";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { SelectField } from "@/components/ui/select-field";
import {
  MAXIMUM_DEPUTIES,
  MAXIMUM_EXPIRY_HOURS,
  MAXIMUM_STAGE_MEMBERS,
  MAXIMUM_STAGE_SIGNATURES,
  MAXIMUM_STAGES,
  type SignerRole,
  type Stage,
} from "@/lib/contract/policies/policy";
import { personName } from "@/lib/words/policies/policy-names";
import { hoursWords, rolesWords } from "@/lib/words/policies/policy-sentence";
import { dateWords } from "@/lib/words/rules/number-words";
import { joinWords } from "@/lib/words/rules/phrases";

/** `first 1 of owners and co-owners approves, then Jonas. The requester counts. Open for 24 hours.` */
export function RequirementParts({ place }: { place: RulePlace }) {
  const { policy, edit } = usePolicy();
  const { stages } = requirementAt(policy, place);
  const isLast = (at: number) => at === stages.length - 1;
  return (
    <>
      {stages.map((stage, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: stages are identified by their place alone.
        <p key={at}>
          {stages.length === 1 ? "" : at === 0 ? "first " : "then "}
          <CountPart place={place} stage={stage} at={at} canRemove={stages.length > 1} /> of{" "}
          <PeoplePart place={place} stage={stage} at={at} /> {stage.atLeast === 1 ? "approves" : "approve"}
          {isLast(at) ? "." : ","}
          {stage.deputies.map((deputy, which) => (
            <DeputyPart key={deputy.member} place={place} stage={stage} at={at} which={which} />
          ))}
        </p>
      ))}
      <p>
        The requester{" "}
        <span className="whitespace-nowrap">
          <RequesterCountsPart place={place} />.
        </span>{" "}
        Open for{" "}
        <span className="whitespace-nowrap">
          <HoursPart place={place} />.
        </span>
      </p>
      {stages.length < MAXIMUM_STAGES ? (
        <p className="-ml-2.5">
          <Button kind="quiet" size="small" onClick={() => edit(addStage(policy, place))}>
            <Plus />
            Add a stage
          </Button>
        </p>
      ) : null}
    </>
  );
}

/** As in names of parts. */
export const placeName = (place: RulePlace) => (place === null ? "otherwise" : `r${place}`);
const placeLabel = (place: RulePlace) => (place === null ? "otherwise" : `rule ${place + 1}`);

interface StageAt {
  place: RulePlace;
  stage: Stage;
  at: number;
}

function CountPart({ place, stage, at, canRemove }: StageAt & { canRemove: boolean }) {
  const { policy, edit } = usePolicy();
  const { setOpenPart } = useParts();
  return (
    <Part
      name={`${placeName(place)}.s${at}.count`}
      text={String(stage.atLeast)}
      label={`How many sign in stage ${at + 1} of ${placeLabel(place)}`}
      foot={
        canRemove ? (
          <Button
            kind="quiet"
            size="small"
            onClick={() => {
              setOpenPart(null);
              edit(removeStage(policy, place, at));
            }}
          >
            Remove stage
          </Button>
        ) : null
      }
    >
      <SelectField
        label="At least"
        value={String(stage.atLeast)}
        options={Array.from({ length: MAXIMUM_STAGE_SIGNATURES }, (_, index) => ({
          value: String(index + 1),
          label: index === 0 ? "1 person" : `${index + 1} people`,
        }))}
        onChange={({ target }) => edit(changeStage(policy, place, at, { atLeast: Number(target.value) }))}
      />
    </Part>
  );
}

const ROLES: Record<"BOTH" | SignerRole, SignerRole[]> = {
  BOTH: ["OWNER", "CO_OWNER"],
  OWNER: ["OWNER"],
  CO_OWNER: ["CO_OWNER"],
};

function PeoplePart({ place, stage, at }: StageAt) {
  const { policy, edit, choices, names } = usePolicy();
  const deciders = choices.people.filter(({ role }) => role === "OWNER" || role === "CO_OWNER");
  const { of } = stage;
  const members = "members" in of ? of.members : [];
  const chosen = "members" in of ? "MEMBERS" : of.roles.length === 2 ? "BOTH" : (of.roles[0] ?? "BOTH");
  const text =
    "roles" in of
      ? rolesWords(of.roles, 2).replace(" or ", " and ")
      : joinWords(of.members.map((id) => personName(names, id)));
  return (
    <Part
      name={`${placeName(place)}.s${at}.people`}
      text={text}
      label={`Who signs in stage ${at + 1} of ${placeLabel(place)}`}
    >
      <ChoiceList
        label="Who signs"
        closes={false}
        value={chosen}
        choices={[
          { value: "BOTH", label: "Owners and co-owners" },
          { value: "OWNER", label: "Owners" },
          { value: "CO_OWNER", label: "Co-owners" },
          { value: "MEMBERS", label: "Only these people" },
        ]}
        onChoose={(value) => {
          const first = deciders[0]?.id;
          if (value !== "MEMBERS") edit(changeStage(policy, place, at, { of: { roles: ROLES[value] } }));
          else if (first)
            edit(changeStage(policy, place, at, { of: { members: deciders.map(({ id }) => id) } }));
        }}
      />
      {members.length > 0 ? (
        <CheckList
          label="People"
          choices={choices.people
            .filter((person) => deciders.includes(person) || members.includes(person.id))
            .map(({ id, name }) => ({ value: id, label: name }))}
          values={members}
          onChoose={(values) =>
            edit(changeStage(policy, place, at, { of: { members: values.slice(0, MAXIMUM_STAGE_MEMBERS) } }))
          }
        />
      ) : null}
    </Part>
  );
}

function DeputyPart({ place, stage, at, which }: StageAt & { which: number }) {
  const { policy, edit, choices, names, today } = usePolicy();
  const { setOpenPart } = useParts();
  const deputy = stage.deputies[which];
  if (!deputy) return null;
  const set = (change: Partial<typeof deputy>) =>
    edit(
      changeStage(policy, place, at, {
        deputies: stage.deputies.map((other, index) => (index === which ? { ...other, ...change } : other)),
      }),
    );
  const remove = () => {
    setOpenPart(null);
    edit(changeStage(policy, place, at, { deputies: stage.deputies.filter((_, index) => index !== which) }));
  };
  const name = `${placeName(place)}.s${at}.d${which}`;
  return (
    <>
      {" "}
      Until{" "}
      <Part
        name={`${name}.until`}
        text={dateWords(deputy.until)}
        label={`Last day of deputy ${which + 1} in ${placeLabel(place)}`}
      >
        <InputField
          label="Last day"
          type="date"
          min={today}
          value={deputy.until}
          onChange={({ target }) => {
            if (/^\d{4}-\d{2}-\d{2}$/.test(target.value)) set({ until: target.value });
          }}
        />
      </Part>{" "}
      <Part
        name={`${name}.member`}
        text={personName(names, deputy.member)}
        label={`Deputy ${which + 1} in ${placeLabel(place)}`}
        foot={
          <Button kind="quiet" size="small" onClick={remove}>
            Remove deputy
          </Button>
        }
      >
        <ChoiceList
          label="Deputy"
          value={deputy.member}
          choices={choices.people
            .filter(({ role }) => role === "OWNER" || role === "CO_OWNER")
            .map(({ id, name: label }) => ({ value: id, label }))}
          onChoose={(member) => set({ member })}
        />
      </Part>{" "}
      may sign for them.
    </>
  );
}

/** Adds a deputy to the last stage, until a month from today; null: there is nobody, or no room. */
export function useAddDeputy(place: RulePlace): (() => void) | null {
  const { policy, edit, choices, today } = usePolicy();
  const { stages } = requirementAt(policy, place);
  const at = stages.length - 1;
  const stage = stages[at];
  const free = choices.people.find(
    ({ id, role }) =>
      (role === "OWNER" || role === "CO_OWNER") &&
      !stage?.deputies.some(({ member }) => member === id) &&
      !(stage && "members" in stage.of && stage.of.members.includes(id)),
  );
  if (!stage || !free || stage.deputies.length >= MAXIMUM_DEPUTIES) return null;
  const until = new Date(Date.parse(`${today}T00:00:00Z`) + MONTH_MS).toISOString().slice(0, 10);
  return () =>
    edit(changeStage(policy, place, at, { deputies: [...stage.deputies, { member: free.id, until }] }));
}

const MONTH_MS = 30 * 86_400_000;

function RequesterCountsPart({ place }: { place: RulePlace }) {
  const { policy, edit } = usePolicy();
  const { requesterCounts } = requirementAt(policy, place);
  return (
    <Part
      name={`${placeName(place)}.requester`}
      text={requesterCounts ? "counts" : "does not count"}
      label={`Whether the requester counts in ${placeLabel(place)}`}
    >
      <ChoiceList
        label="Whether the requester counts"
        value={requesterCounts ? "YES" : "NO"}
        choices={[
          { value: "YES", label: "Counts: may sign what they asked for" },
          { value: "NO", label: "Does not count, nor who made the key" },
        ]}
        onChoose={(value) => edit(changeRequirement(policy, place, { requesterCounts: value === "YES" }))}
      />
    </Part>
  );
}

const HOURS = [1, 4, 8, 12, 24, 48, 72, 120, MAXIMUM_EXPIRY_HOURS];

function HoursPart({ place }: { place: RulePlace }) {
  const { policy, edit } = usePolicy();
  const { expiresAfterHours } = requirementAt(policy, place);
  const hours = HOURS.includes(expiresAfterHours) ? HOURS : [expiresAfterHours, ...HOURS];
  return (
    <Part
      name={`${placeName(place)}.hours`}
      text={hoursWords(expiresAfterHours)}
      label={`How long ${placeLabel(place)} stays open`}
    >
      <SelectField
        label="Open for"
        value={String(expiresAfterHours)}
        options={hours.map((count) => ({ value: String(count), label: hoursWords(count) }))}
        onChange={({ target }) =>
          edit(changeRequirement(policy, place, { expiresAfterHours: Number(target.value) }))
        }
      />
    </Part>
  );
}
