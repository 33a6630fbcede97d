import type { DefaultUser } from "next-auth";

/** What our sessions carry in next-auth's types. */
declare module "next-auth" {
  interface Session {
    userId: string;
    sessionId: string;
  }

  interface User extends DefaultUser {
    sessionId: string;
  }
}

declare module "next-auth/jwt" {
  interface JWT {
    sessionId: string;
  }
}
