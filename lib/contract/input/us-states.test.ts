import { expect, test } from "vitest";
import { STATE_OPTIONS, stateSchema, typedState } from "@/lib/contract/input/us-states";
import { holderAddressSchema } from "@/lib/contract/payee";

test("a state is its code or its name, never the first letters of another name", () => {
  expect(stateSchema.parse(" ny ")).toBe("NY");
  expect(stateSchema.parse("new york")).toBe("NY");
  expect(stateSchema.parse("Nebraska")).toBe("NE");
  for (const typed of ["", "Ne York", "New", "ZZ", "N"]) {
    expect(stateSchema.safeParse(typed).error?.issues[0]?.message).toBe("must be a state, like CA");
  }
});

test("the address of a payee's holder names a state", () => {
  const address = { street: "1 Main Street", city: "New York", postalCode: "10013" };
  expect(holderAddressSchema.parse({ ...address, state: "New York" }).state).toBe("NY");
  expect(holderAddressSchema.safeParse({ ...address, state: "ZZ" }).success).toBe(false);
});

test("a select offers every state by name, and nothing is chosen before", () => {
  expect(STATE_OPTIONS[0]).toEqual({ value: "", label: "Choose" });
  const labels = STATE_OPTIONS.slice(1).map(({ label }) => label);
  expect(labels).toEqual(labels.toSorted());
  expect(STATE_OPTIONS.slice(1).every(({ value, label }) => stateSchema.parse(label) === value)).toBe(true);
});

test("letters typed into the select choose by code and by name, and one letter or none of them by neither", () => {
  for (const { value: code, label: name } of STATE_OPTIONS.slice(1)) {
    expect(typedState(code)).toBe(code);
    expect(typedState(code.toLowerCase())).toBe(code);
    expect(typedState(name)).toBe(code);
  }
  // Massachusetts, until another letter makes it a name.
  expect(["MA", "Mar", "MAI"].map(typedState)).toEqual(["MA", "MD", "ME"]);
  expect(["New ", "New Y", "new j"].map(typedState)).toEqual(["NH", "NY", "NJ"]);
  for (const letters of ["", "N", " ", "  ", "NN", "Ny York", "Choose"])
    expect(typedState(letters)).toBeNull();
});
