interface QuoteProps {
  words: string;
  size?: "small" | "normal" | "large";
}

const SIZE = { small: "text-[15px]/5.75", normal: "text-[16px]/6.25", large: "text-[17px]/6.75" };

/** Words of a caller, word for word, in quotation marks. */
export function Quote({ words, size = "normal" }: QuoteProps) {
  return (
    <blockquote
      className={`py-0.5 pr-0 pl-4.5 border-l-3 border-double border-rule-strong ${SIZE[size]} wrap-anywhere text-pretty`}
    >
      “{words}”
    </blockquote>
  );
}
