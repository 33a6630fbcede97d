import NextAuth from "next-auth";
import { authOptions } from "@/app/auth/options";

/** next-auth finds its action in the parameters of a route handler, which the second argument carries. */
interface RouteContext {
  params: Promise<{ nextauth: string[] }>;
}

// Built per request: while Next builds the pages, no services are open.
function handle(request: Request, context: RouteContext): Promise<Response> {
  return NextAuth(authOptions())(request, context);
}

export { handle as GET, handle as POST };
