import { expect, test } from "vitest";
import { namesToChoose } from "@/lib/words/names-to-choose";

test.each([
  "Operating\u00a0",
  "\uff2f\uff50\uff45\uff52\uff41\uff54\uff49\uff4e\uff47",
  "Operatıng",
  "0perating",
])("a list to choose from says of both that %s looks the same as Operating", (name) => {
  const nameOf = namesToChoose([
    { id: "1", name: "Operating" },
    { id: "2", name },
    { id: "3", name: "Taxes" },
  ]);
  expect(["1", "2", "3"].map(nameOf)).toEqual([
    "Operating, another name looks the same",
    `${name}, another name looks the same`,
    "Taxes",
  ]);
});

test("the one with letters of another alphabet is named", () => {
  const nameOf = namesToChoose([
    { id: "1", name: "Operating" },
    { id: "2", name: "Operаting" },
  ]);
  expect(nameOf("2")).toBe("Operаting (with Cyrillic letters), another name looks the same");
});
