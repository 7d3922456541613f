/** The texts in the arguments of mutations, by place in the schema: `<input type>.<field>` or `<mutation>.<argument>`. */
export interface TextPlaces {
  /** Names and titles that people read, and how each is entered. They contain nothing invisible. */
  readonly names: Readonly<Record<string, (name: string) => Call>>;
  /** Texts with their own rules: addresses, keys and paths that programs compare, and texts that are not names. */
  readonly others: readonly string[];
}

export interface Call {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A mutation with one variable, `$v`. @param type of the variable */
export const call = (mutation: string, type: string, v: unknown): Call => ({
  query: `mutation($v: ${type}) { ${mutation} { __typename } }`,
  variables: { v },
});
