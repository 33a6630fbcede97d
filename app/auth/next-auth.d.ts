import type { DefaultUser } from "next-auth";

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
