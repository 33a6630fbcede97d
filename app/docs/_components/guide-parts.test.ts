import { expect, it } from "vitest";
import { listRetries } from "@/app/docs/_components/guide-parts";

it("lists the retries of a failed delivery", () => {
  expect(listRetries()).toEqual([
    ["1", "at once", "nothing yet"],
    ["2", "5 s later", "5 s in all"],
    ["3", "5 min later", "5 min 5 s in all"],
    ["4", "30 min later", "35 min 5 s in all"],
    ["5", "2 h later", "2 h 35 min in all"],
    ["6", "5 h later", "7 h 35 min in all"],
    ["7", "10 h later", "17 h 35 min in all"],
    ["8", "6 h later", "23 h 35 min in all"],
  ]);
});
