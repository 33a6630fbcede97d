import NextAuth from "next-auth";
import { authOptions } from "@/app/auth/options";
import { settleAuthRequest } from "@/app/auth/settle-auth-request";

/** next-auth finds its action in the parameters of a route handler, which the second argument carries. */
interface RouteContext {
  params: Promise<{ nextauth: string[] }>;
}

// Built per request: while Next builds the pages, no services are open.
async function handle(request: Request, context: RouteContext): Promise<Response> {
  const settled = await settleAuthRequest(request);
  if (settled === null) return new Response("Bad Request\n", { status: 400 });
  return NextAuth(authOptions())(settled, context);
}

export { handle as GET, handle as POST };
