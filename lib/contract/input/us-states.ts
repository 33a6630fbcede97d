import { z } from "zod";

/** As the postal service abbreviates them; banks refuse other codes. */
const US_STATES: Readonly<Record<string, string>> = {
  AL: "Alabama",
  AK: "Alaska",
  AZ: "Arizona",
  AR: "Arkansas",
  CA: "California",
  CO: "Colorado",
  CT: "Connecticut",
  DE: "Delaware",
  DC: "District of Columbia",
  FL: "Florida",
  GA: "Georgia",
  HI: "Hawaii",
  ID: "Idaho",
  IL: "Illinois",
  IN: "Indiana",
  IA: "Iowa",
  KS: "Kansas",
  KY: "Kentucky",
  LA: "Louisiana",
  ME: "Maine",
  MD: "Maryland",
  MA: "Massachusetts",
  MI: "Michigan",
  MN: "Minnesota",
  MS: "Mississippi",
  MO: "Missouri",
  MT: "Montana",
  NE: "Nebraska",
  NV: "Nevada",
  NH: "New Hampshire",
  NJ: "New Jersey",
  NM: "New Mexico",
  NY: "New York",
  NC: "North Carolina",
  ND: "North Dakota",
  OH: "Ohio",
  OK: "Oklahoma",
  OR: "Oregon",
  PA: "Pennsylvania",
  PR: "Puerto Rico",
  RI: "Rhode Island",
  SC: "South Carolina",
  SD: "South Dakota",
  TN: "Tennessee",
  TX: "Texas",
  UT: "Utah",
  VT: "Vermont",
  VA: "Virginia",
  WA: "Washington",
  WV: "West Virginia",
  WI: "Wisconsin",
  WY: "Wyoming",
  AS: "American Samoa",
  GU: "Guam",
  MP: "Northern Mariana Islands",
  VI: "U.S. Virgin Islands",
  AA: "Armed Forces Americas",
  AE: "Armed Forces Europe",
  AP: "Armed Forces Pacific",
};

const CODE_OF_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(US_STATES).map(([code, name]) => [name.toLowerCase(), code]),
);

/** A state by its code or its name, in any case: the first two letters of a name may be another state's code. */
export const stateSchema = z
  .string()
  .trim()
  .transform((typed) => CODE_OF_NAME.get(typed.toLowerCase()) ?? typed.toUpperCase())
  .refine((code) => Object.hasOwn(US_STATES, code), "must be a state, like CA");

/**
 * The state that these letters choose in a select: the one with this code, else the first whose name begins with them.
 * @returns null for a single letter, and where none fits: the browser's own search goes on
 */
export function typedState(letters: string): string | null {
  const text = letters.toLowerCase();
  if (text.trim().length < 2) return null;
  const code = text.toUpperCase();
  if (Object.hasOwn(US_STATES, code)) return code;
  return (
    STATE_OPTIONS.find(({ value, label }) => value && label.toLowerCase().startsWith(text))?.value ?? null
  );
}

/** For a select, by name. Chosen, not typed: the first two letters of a typed “New York” are Nebraska’s. */
export const STATE_OPTIONS = [
  { value: "", label: "Choose" },
  ...Object.entries(US_STATES)
    .map(([value, label]) => ({ value, label }))
    .toSorted((left, right) => (left.label < right.label ? -1 : 1)),
];
