import { buttonClass } from "@/components/ui/button";

/** A request that is not there (any more), or began in another browser. The three look the same on purpose. */
export function ConsentOver() {
  return (
    <div className="lost">
      <h1 className="h1">This request is over</h1>
      <p className="lede lost-p">
        It was answered already, it waited too long, or it began in another browser. Opening this page
        connected nothing. To connect an assistant, go back to it and begin again there.
      </p>
      <div className="foot-a">
        <a className={buttonClass({ kind: "outlined" })} href="/settings/assistants">
          See what is connected
        </a>
      </div>
    </div>
  );
}
