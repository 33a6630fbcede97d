import { describe, expect, it } from "vitest";
import {
  describePlace,
  readDatabaseAddress,
  withDatabase,
  withParameters,
} from "@/lib/platform/database-address";

/** Protects: a list of hosts means what it means to libpq, and `pg` gets an address that it understands. */

const places = (address: string) => readDatabaseAddress(address).places.map(describePlace);

describe("a database's address", () => {
  it.each([
    ["postgres://u:p@a/sluice", ["a:5432"]],
    ["postgres://u:p,w@a:5433,b/sluice?target_session_attrs=read-write", ["a:5433", "b:5432"]],
    ["postgresql://[::1]:5440,[fe80::2]/sluice", ["[::1]:5440", "[fe80::2]:5432"]],
    ["postgres://u@/sluice?host=a,b&port=5440", ["a:5440", "b:5440"]],
    ["postgres://u@x/sluice?host=a,::1&port=5440,5441", ["a:5440", "[::1]:5441"]],
    ["postgres://%2Fvar%2Frun,b/sluice", ["/var/run:5432", "b:5432"]],
    ["postgres://u@a:1,[::1]/sluice?port=5440,5441", ["a:5440", "[::1]:5441"]],
    ["postgres://u@a,b:1/sluice?port=5440", ["a:5440", "b:5440"]],
    ["postgres://u:p%w@a,b/sluice?channel_binding=require&statement_timeout=5", ["a:5432", "b:5432"]],
  ])("%s names its hosts in order", (address, expected) => {
    expect(places(address)).toEqual(expected);
  });

  it("one host of several is an address for pg, with the credentials and the other parameters", () => {
    const address = readDatabaseAddress(
      "postgres://u:p%40w@a:5433,[::1]:5434/sluice?sslmode=no-verify&target_session_attrs=primary&connect_timeout=3",
    );
    expect(address.connectTimeoutMs).toBe(3_000);
    expect(address.places.map(address.only)).toEqual([
      "postgres://u:p%40w@localhost/sluice?sslmode=no-verify&host=a&port=5433",
      "postgres://u:p%40w@localhost/sluice?sslmode=no-verify&host=%3A%3A1&port=5434",
    ]);
  });

  it("one host alone stays as it was written", () => {
    const text = "postgres://u:p@a/sluice?sslmode=disable&options=-c%20jit%3Doff";
    const address = readDatabaseAddress(text);
    expect(address.only(address.places[0])).toBe(text);
  });

  it.each([
    ["mysql://a/sluice", "postgres://"],
    ["postgres://a,,b/sluice", "without a name"],
    ["postgres://a:1:2/sluice", "postgres://"],
    ["postgres://a:70000,b/sluice", "port"],
    ["postgres://u@/sluice?host=a,b,c&port=1,2", "3 hosts and 2 ports"],
    ["postgres://a,b/sluice?target_session_attrs=standby", "read-write or primary"],
    ["postgres://a,b/sluice?target_session_attrs=any", "Sluice writes"],
    ["postgres://a,b/sluice?connect_timeout=x", "connect_timeout"],
    ["postgres://a, b/sluice", "a space in the name of a host"],
    ["postgres://a,%zz/sluice", "%25"],
    ["postgres://u:p%40s%s@a/sluice", "%25"],
    ["postgres://u:p%ff@a/sluice", "%25"],
    ["postgres://u:p/w#@a/sluice", "%2F"],
    ["postgres://a/sluice?sslmod=verify-full", "Is sslmode meant?"],
    ["postgres://a,b/sluice?target_sesion_attrs=read-write", "Is target_session_attrs meant?"],
    ["postgres://a,b/sluice?port=1,2,3", "2 hosts and 3 ports"],
    [`postgres://${"a,".repeat(16)}b/sluice`, "1 to 16 hosts"],
  ])("%s is refused", (address, reason) => {
    expect(() => readDatabaseAddress(address)).toThrow(reason);
  });

  it("a role and its password replace those of the address, whatever its hosts", () => {
    const added = withParameters("postgres://u:p@a:1,b:2/sluice?sslmode=require", {
      user: "app",
      password: "p&?",
    });
    expect(added).toBe("postgres://u:p@a:1,b:2/sluice?sslmode=require&user=app&password=p%26%3F");
  });

  it.each([
    ["postgres://u:p@a,b", "postgres://u:p@a,b/s%2F1"],
    ["postgres://u@/?host=%2Frun&port=1", "postgres://u@/s%2F1?host=%2Frun&port=1"],
    ["postgres://u@a/own?sslmode=require", "postgres://u@a/own?sslmode=require"],
  ])("%s without a database gets its name, with one stays", (address, expected) => {
    expect(withDatabase(address, "s/1")).toBe(expected);
  });
});
