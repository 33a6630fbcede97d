import { describe, expect, it } from "vitest";
import type { SavedList } from "@/lib/contract/search/saved-filters";
import { deleteFilter } from "@/lib/core/organizations/saved-filters";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { renameFilter, saveFilter } from "@/lib/testing/as-entered";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { listSavedFilters } from "@/lib/views/organization/list-saved-filters";

const database = useTestDatabase();

async function arrange() {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { owner } = organization;
  const save = (name: string, query = "status=failed", who = owner, list: SavedList = "TRANSFERS") =>
    saveFilter(services, who, { list, name, query });
  const read = (who: Context<MemberActor> = owner, href = "/transfers", list: SavedList = "TRANSFERS") =>
    listSavedFilters({ services, context: who }, list, href);
  return { services, organization, owner, save, read };
}

describe("a saved filter", () => {
  it("opens the list as it was, without the place in it, and is marked while it is shown", async () => {
    const { save, read } = await arrange();
    await save("Failed ones", "status=failed&days=90&before=0190c5a0-0000-7000-8000-000000000000&open=x");
    const href = "/transfers?days=90&status=failed";
    const [filter] = (await read()).filters;
    expect(filter).toMatchObject({ name: "Failed ones", href, isShown: false });
    // The order of the parameters, and the place in the list, make no difference.
    expect((await read(undefined, "/transfers?status=failed&days=90&open=y")).filters[0]?.isShown).toBe(true);
  });

  it("belongs to one member, one organization and one list", async () => {
    const { services, organization, owner, save, read } = await arrange();
    const jonas = await organization.addMember("VIEWER", "Jonas");
    const elsewhere = await createTestOrganization(database, services, "Elsewhere");
    await database.ownerPool.query("insert into memberships values ($1, $2, 'OWNER', now())", [
      elsewhere.organizationId,
      owner.actor.id,
    ]);
    const { filterId } = await save("Mine");
    expect((await read(jonas)).filters).toEqual([]);
    expect((await read({ ...owner, organizationId: elsewhere.organizationId })).filters).toEqual([]);
    expect((await read(owner, "/approvals", "APPROVALS")).filters).toEqual([]);
    for (const other of [jonas, { ...owner, organizationId: elsewhere.organizationId }]) {
      await expect(renameFilter(services, other, { filterId, name: "Taken" })).rejects.toMatchObject({
        code: "INVALID_PARAMETERS",
      });
      await expect(deleteFilter(services, other, filterId)).rejects.toMatchObject({
        code: "INVALID_PARAMETERS",
      });
    }
    expect((await read()).filters.map(({ name }) => name)).toEqual(["Mine"]);
  });

  it("is renamed and deleted by its member", async () => {
    const { services, owner, save, read } = await arrange();
    const { filterId } = await save("Failed");
    await renameFilter(services, owner, { filterId, name: " Went wrong " });
    expect((await read()).filters.map(({ name }) => name)).toEqual(["Went wrong"]);
    await deleteFilter(services, owner, filterId);
    expect((await read()).filters).toEqual([]);
  });

  it("has a name of its own in its list, whatever its case", async () => {
    const { services, owner, save, organization } = await arrange();
    const { filterId } = await save("Failed");
    const other = await save("Returned", "status=returned");
    await expect(save("FAILED")).rejects.toThrow("already have a filter with this name");
    await expect(renameFilter(services, owner, { ...other, name: "failed" })).rejects.toThrow("already have");
    await renameFilter(services, owner, { filterId, name: "failed" });
    await save("Failed", "decided=denied", owner, "APPROVALS");
    await save("Failed", "status=failed", await organization.addMember("VIEWER", "Ada"));
  });

  it.each([
    ["", "must not be empty"],
    ["   ", "must not be empty"],
    ["Pay\u202Eroll", "invisible"],
    ["Pay\u200Broll", "invisible"],
    ["x".repeat(61), "at most 60"],
  ])("is not saved as %j", async (name, problem) => {
    const { save, read } = await arrange();
    await expect(save(name)).rejects.toThrow(problem);
    expect((await read()).filters).toEqual([]);
  });

  it("needs a filter, and not too many", async () => {
    const { save } = await arrange();
    await expect(save("All", "")).rejects.toThrow("must have a filter");
    await expect(save("All", "before=x")).rejects.toThrow("must have a filter");
    await expect(save("All", `q=${"x".repeat(2_000)}`)).rejects.toThrow("too many filters");
  });

  it("leads nowhere but to its list", async () => {
    const { save, read } = await arrange();
    await save("Odd", "https://evil.example/?x=1#y");
    const href = (await read()).filters[0]?.href ?? "";
    expect(new URL(href, "https://sluice.example").origin).toBe("https://sluice.example");
    expect(href.startsWith("/transfers?")).toBe(true);
  });

  it("is one of at most 20 in its list, also when two are saved at once", async () => {
    const { save, read } = await arrange();
    for (let count = 0; count < 19; count += 1) await save(`Filter ${count}`);
    const both = await Promise.allSettled([save("First"), save("Second")]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await read()).filters).toHaveLength(20);
  });

  it("is deleted with its membership", async () => {
    const { organization, save } = await arrange();
    const ada = await organization.addMember("ACCOUNTANT", "Ada");
    await save("Mine", "status=failed", ada);
    await database.ownerPool.query("delete from memberships where organization_id = $1 and user_id = $2", [
      organization.organizationId,
      ada.actor.id,
    ]);
    const { rows } = await database.pool.query("select 1 from saved_filters where user_id = $1", [
      ada.actor.id,
    ]);
    expect(rows).toEqual([]);
  });
});
