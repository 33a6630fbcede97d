import { surviveTranslation } from "@/components/act/survive-translation";

surviveTranslation(Node.prototype);
